"""Code that cannot be parsed is a finding with its line, never a crash."""

import pytest

from flowassist.components.reading import read
from flowassist.components.source import MAX_BYTES
from tests.components.samples import UPPERCASE, with_method


@pytest.mark.parametrize(
    ("code", "message", "line"),
    [
        (UPPERCASE.replace("Message:", "Message"), "SyntaxError: expected ':'", 12),
        ("```python\n" + UPPERCASE, "SyntaxError: invalid syntax", 1),
        ("x = (1,\n", "SyntaxError: '(' was never closed", 1),
        ("def f():\n", "SyntaxError: expected an indented block after function definition on line 1", 1),
    ],
)
def test_syntax_errors(code: str, message: str, line: int) -> None:
    (finding,) = read(code).findings
    assert (finding.rule, finding.message, finding.line) == ("syntax", message, line)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("x = 1\x00", "unreadable"),
        ("x = '\ud800'", "unreadable"),
        ("x = " + "-" * 100_000 + "1", "too-deep"),
        ("x = " + "+".join(["1"] * 50_000), "too-deep"),
        ("x = " + "str(" * 150 + ")" * 150, "no-component-class"),
        ("x = " + "(" * 5000 + ")" * 5000, "syntax"),
        ("#" * (MAX_BYTES + 1), "too-large"),
        ("# " + "é" * (MAX_BYTES // 2), "too-large"),
    ],
)
def test_code_that_cannot_be_read(code: str, rule: str) -> None:
    (finding,) = read(code).findings
    assert finding.rule == rule


def test_odd_escapes_are_no_error() -> None:
    assert read(with_method(r'return Message(text=self.text.replace("\d", ""))')).findings == ()
