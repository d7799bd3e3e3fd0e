import pytest

from flowassist.components.reading import read
from tests.components.samples import UPPERCASE, component, with_method


def unknown(code: str) -> list[tuple[str, int | None, str]]:
    """Name, line and remedy."""
    found = [finding for finding in read(code).findings if finding.rule == "unknown-attribute"]
    return [(finding.message.split()[2], finding.line, finding.remedy) for finding in found]


def test_a_name_that_nothing_gives() -> None:
    code = with_method(
        "try:\n    return Message(text=self.txet)\nexcept Exception as e:\n    return Message(text=str(e))"
    )
    assert unknown(code) == [("txet", 13, "Did you mean 'self.text'?")]
    (finding,) = read(code).findings
    assert finding.message == "AttributeError: Attribute txet not found in Sample"


def test_each_name_is_told_once_at_its_first_use() -> None:
    code = with_method("if self.other:\n    return Message(text=self.missing)\nreturn Message(text=self.other)")
    assert [(name, line) for name, line, _ in unknown(code)] == [("other", 12), ("missing", 13)]


@pytest.mark.parametrize(
    "statements",
    [
        "self.found = 1\nreturn Message(text=str(self.found))",
        "with open(self.text) as self.file:\n    return Message(text=self.file.read())",
        "self.status = self.display_name\nself.log(self.name)\nreturn Message(text=self.graph.session_id)",
        "return Message(text=self._cached or self.__class__.__name__)",
        "return Message(text=self.build_result().text)",
        "if hasattr(self, 'other'):\n    return Message(text=self.other)\nreturn Message(text=self.text)",
        "try:\n    return Message(text=self.other)\nexcept AttributeError:\n    return Message(text=self.text)",
        "try:\n    return Message(text=self.other)\nexcept (KeyError, AttributeError):\n    return Message(text='a')",
        "setattr(self, self.text, 1)\nreturn Message(text=self.other)",
        "self.__dict__.update(a=1)\nreturn Message(text=str(self.a))",
        "class Inner:\n    def f(self):\n        return self.other\nreturn Message(text=str(Inner()))",
        "return Message(text=self.result)",
    ],
)
def test_what_may_be_there(statements: str) -> None:
    assert unknown(with_method(statements)) == []


def test_helpers_and_what_they_set_are_known() -> None:
    code = (
        UPPERCASE
        + "\n    LIMIT = 3\n\n    def helper(self):\n        self.made = self.LIMIT\n        return self.made\n"
    )
    assert unknown(code) == []


@pytest.mark.parametrize(
    "method", ["__getattr__(self, name)", "update_build_config(self, build_config, value, name=None)"]
)
def test_components_that_get_names_otherwise_are_left_alone(method: str) -> None:
    code = UPPERCASE.replace("self.text", "self.other") + f"\n    def {method}:\n        return None\n"
    assert unknown(code) == []


def test_bases_and_inputs_that_cannot_be_read_leave_it_open() -> None:
    foreign = UPPERCASE.replace("(Component)", "(LCToolsAgentComponent)").replace("self.text", "self.other")
    assert unknown(foreign) == []
    made = (
        "inputs = [MessageTextInput(name=n) for n in 'ab']\n\ndef build_result(self) -> Message:\n    return self.a\n"
    )
    assert unknown(component(made)) == []
