"""What a method hands back, as its own scope tells."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import UPPERCASE, rules, with_method


@pytest.mark.parametrize(
    ("statements", "rule"),
    [
        ("pass", "output-without-return"),
        ("return", "output-without-return"),
        ("return None", "output-without-return"),
        ("self.status = self.text", "output-without-return"),
        ("raise NotImplementedError", "output-without-return"),
        ("def inner():\n    return 1\ninner()", "output-without-return"),
        ("inner = lambda: 1\ninner()", "output-without-return"),
        ("class Inner:\n    def f(self):\n        return 1", "output-without-return"),
        ("yield Message(text=self.text)", "output-is-generator"),
        ("for c in self.text:\n    yield c\nreturn Message(text='x')", "output-is-generator"),
    ],
)
def test_methods_that_give_no_value(statements: str, rule: str) -> None:
    (finding,) = read(with_method(statements)).errors
    assert finding.rule == rule
    assert "build_result" in finding.message


@pytest.mark.parametrize(
    "statements",
    [
        "return Message(text=self.text)",
        "if self.text:\n    return Message(text='a')\nreturn None",
        "try:\n    return Message(text='a')\nfinally:\n    pass",
        "with self._lock:\n    for c in self.text:\n        return Message(text=c)",
        "match self.text:\n    case 'a':\n        return Message(text='a')",
        "def inner():\n    yield 1\nreturn Message(text=str(list(inner())))",
        "return Message(text=', '.join((yield_ for yield_ in self.text)))",
    ],
)
def test_methods_that_give_a_value(statements: str) -> None:
    assert rules(with_method(statements)) == []


def test_an_async_method() -> None:
    assert rules(UPPERCASE.replace("def build_result", "async def build_result")) == []


def test_an_async_generator() -> None:
    code = UPPERCASE.replace("def build_result", "async def build_result").replace("return Message", "yield Message")
    assert rules(code) == ["output-is-generator"]
