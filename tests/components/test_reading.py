"""The static reading sees every way to write a component, and says what is wrong with it."""

import os

import pytest

from flowassist.components.anatomy import Input, Output
from flowassist.components.reading import Reading, read
from flowassist.components.source import MAX_BYTES
from tests.components.samples import HEAD, UPPERCASE, component, with_method

METHOD = """
def build_result(self) -> Message:
    return Message(text=self.text)
"""
INPUT = 'MessageTextInput(name="text", display_name="Text")'
OUTPUT = 'Output(name="result", display_name="Result", method="build_result")'


def outline(reading: Reading) -> tuple[list[str], list[tuple[str, str]]]:
    assert reading.anatomy
    inputs = [entry.name for entry in reading.anatomy.inputs.entries]
    return inputs, [(entry.name, entry.method) for entry in reading.anatomy.outputs.entries]


def rules(code: str) -> list[str]:
    return [finding.rule for finding in read(code).errors]


def test_a_good_component_has_no_finding() -> None:
    reading = read(UPPERCASE)
    assert reading.findings == ()
    assert reading.class_name == "UppercaseComponent"
    assert reading.anatomy
    assert reading.anatomy.inputs.entries == (Input("text", "MessageTextInput", 9),)
    assert reading.anatomy.outputs.entries == (Output("result", "build_result", 10),)
    assert reading.anatomy.methods["build_result"].annotation == "Message"


@pytest.mark.parametrize(
    "lists",
    [
        f"inputs: list = [{INPUT}]\noutputs: list[Output] = [{OUTPUT}]",
        f"inputs = ({INPUT},)\noutputs = ({OUTPUT},)",
        f"inputs = [] + [{INPUT}]\noutputs = [*[{OUTPUT}]]",
        f"inputs = [{INPUT}]\noutputs = []\noutputs += [{OUTPUT}]",
        f"_one = {INPUT}\ninputs = [_one]\noutputs = [{OUTPUT}]",
        'inputs = [MessageTextInput(name=TEXT, display_name="Text")]\noutputs = SHARED',
    ],
)
def test_ways_to_declare(lists: str) -> None:
    head = f'{HEAD}TEXT = "text"\nSHARED = [{OUTPUT}]\n'
    reading = read(component(lists + METHOD, head=head))
    assert reading.findings == ()
    assert reading.anatomy
    assert reading.anatomy.inputs.whole
    assert reading.anatomy.outputs.whole
    assert outline(reading) == (["text"], [("result", "build_result")])


def test_entries_that_only_running_tells_leave_the_list_open() -> None:
    reading = read(
        component(f"inputs = [MessageTextInput(name=n) for n in 'ab']\noutputs = [{OUTPUT}, make()]" + METHOD)
    )
    assert reading.findings == ()
    assert reading.anatomy
    assert not reading.anatomy.inputs.whole
    assert not reading.anatomy.outputs.whole
    assert outline(reading) == ([], [("result", "build_result")])


def test_an_alias_of_an_input_class_keeps_its_kind() -> None:
    code = component(f'inputs = [Text(name="text")]\noutputs = [{OUTPUT}]' + METHOD)
    reading = read("from lfx.io import MultilineInput as Text\n" + code)
    assert reading.anatomy
    assert reading.anatomy.inputs.entries[0].kind == "MultilineInput"


INHERITED = UPPERCASE + "\n\nclass Louder(UppercaseComponent):\n    display_name = 'Louder'\n"


def test_an_inherited_component() -> None:
    reading = read(INHERITED)
    assert reading.findings == ()
    assert reading.class_name == "Louder"
    assert outline(reading) == (["text"], [("result", "build_result")])


def test_a_list_that_extends_the_one_of_a_base() -> None:
    extended = INHERITED + "    inputs = [*UppercaseComponent.inputs, MessageTextInput(name='mark')]\n"
    assert outline(read(extended))[0] == ["text", "mark"]


def test_several_components_the_last_is_meant() -> None:
    reading = read(UPPERCASE + component(f"outputs = [{OUTPUT}]" + METHOD, head="\n\n"))
    assert reading.class_name == "Sample"
    assert [(finding.rule, finding.warning) for finding in reading.findings] == [("several-components", True)]


def test_an_unknown_base_may_hand_down_what_the_code_lacks() -> None:
    code = "from lfx.base.models.model import LCModelComponent\n\n\nclass Mine(LCModelComponent):\n    icon = 'x'\n"
    reading = read(code)
    assert reading.findings == ()
    assert reading.anatomy
    assert reading.anatomy.foreign


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("from lfx.custom import Component as C", "C"),
        ("import lfx.custom", "lfx.custom.Component"),
        ("from lfx import custom", "custom.Component"),
        ("from langflow.custom import Component as Base", "Base"),
    ],
)
def test_a_base_that_lfx_does_not_notice(head: str, base: str) -> None:
    code = UPPERCASE.replace("from lfx.custom import Component", head).replace("(Component)", f"({base})")
    reading = read(code)
    finding = reading.errors[0]
    assert finding.rule == "base-not-by-name"
    assert "Could not extract class name from code" in finding.message
    assert finding.line == 6
    assert reading.class_name == "UppercaseComponent"


@pytest.mark.parametrize(
    "code", ["", "x = 1\n", "class A:\n    pass\n", "def f():\n    class A(Component):\n        pass\n"]
)
def test_no_component_class(code: str) -> None:
    reading = read(code)
    assert reading.anatomy is None
    assert reading.errors[0].rule == "no-component-class"
    assert reading.errors[0].message.startswith("Could not extract class name from code")


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
        ("x = " + "f(" * 150 + ")" * 150, "no-component-class"),
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


def test_no_outputs_is_legal() -> None:
    assert rules(component(f"inputs = [{INPUT}]")) == []


def test_no_inputs_is_legal() -> None:
    assert rules(component(f"outputs = [{OUTPUT}]" + METHOD)) == []


@pytest.mark.parametrize("body", ["display_name = 'Empty'", "inputs = []\noutputs = []"])
def test_neither_inputs_nor_outputs(body: str) -> None:
    assert rules(component(body)) == ["nothing-declared"]


def test_overlapping_names() -> None:
    code = component(f'inputs = [{INPUT}]\noutputs = [Output(name="text", method="build_result")]' + METHOD)
    (finding,) = read(code).errors
    assert finding.rule == "name-overlap"
    assert finding.message == "Inputs and outputs have overlapping names: 'text'."


def test_repeated_names() -> None:
    code = component(f"inputs = [\n    {INPUT},\n    {INPUT},\n]\noutputs = [{OUTPUT}, {OUTPUT}]" + METHOD)
    assert [(finding.rule, finding.line) for finding in read(code).errors] == [
        ("name-repeated", 10),
        ("name-repeated", 12),
    ]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("build_result", "input-named-like-method"),
        ("log", "input-named-like-method"),
        ("index", "input-named-like-method"),
        ("name", "input-named-like-attribute"),
        ("status", "input-named-like-attribute"),
        ("display_name", "input-named-like-attribute"),
        ("my text", "input-name-invalid"),
    ],
)
def test_input_names_that_clash(name: str, rule: str) -> None:
    read_name = name.replace(" ", "_")
    code = UPPERCASE.replace('name="text"', f'name="{name}"').replace("self.text", f"self.{read_name}")
    assert rules(code) == [rule]


def test_an_input_named_like_an_attribute_that_is_never_read_is_fine() -> None:
    assert rules(UPPERCASE.replace("[MessageTextInput(", '[MessageTextInput(name="code"), MessageTextInput(')) == []


def test_an_input_named_like_an_attribute_of_the_class() -> None:
    code = UPPERCASE.replace("inputs =", "text = ''\n    inputs =")
    assert rules(code) == ["input-named-like-attribute"]


@pytest.mark.parametrize(
    ("old", "new"),
    [('name="result"', 'name="component_as_tool"'), ("build_result", "to_toolkit")],
)
def test_reserved_names(old: str, new: str) -> None:
    (finding,) = read(UPPERCASE.replace(old, new)).errors
    assert finding.rule == "reserved-name"
    assert "reserved" in finding.message
    assert finding.remedy


def test_an_output_without_a_method() -> None:
    assert rules(UPPERCASE.replace(', method="build_result"', "")) == ["output-without-method"]


def test_an_output_whose_method_is_missing() -> None:
    (finding,) = read(UPPERCASE.replace("def build_result", "def build_reslt")).errors
    assert finding.rule == "output-method-missing"
    assert "'build_result'" in finding.message
    assert "build_reslt" in finding.remedy
    assert finding.line == 10


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
        "with lock:\n    for c in self.text:\n        return Message(text=c)",
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


def test_a_method_without_annotation() -> None:
    (finding,) = read(with_method("return Message(text='x')", annotation="")).errors
    assert finding.rule == "output-not-annotated"
    assert finding.line == 11


def test_an_output_with_types_needs_no_annotation() -> None:
    code = with_method("return Message(text='x')", annotation="")
    assert rules(code.replace('method="build_result"', 'method="build_result", types=["Message"]')) == []


def test_a_method_that_is_declared_to_return_nothing() -> None:
    assert rules(with_method("return Message(text='x')", annotation=" -> None")) == ["output-without-return"]


@pytest.mark.parametrize(
    ("constructor", "expected"),
    [
        ("def __init__(self):\n    super().__init__()", ["init-without-kwargs"]),
        ("def __init__(self, text):\n    self.x = text", ["init-without-kwargs"]),
        ("def __init__(self, **kwargs):\n    self.x = 1", ["init-without-super"]),
        ("def __init__(self, **kwargs):\n    super().__init__(**kwargs)\n    self.x = 1", []),
    ],
)
def test_constructors(constructor: str, expected: list[str]) -> None:
    assert rules(component(f"inputs = [{INPUT}]\n\n{constructor}")) == expected


def test_reading_never_runs_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLOWASSIST_RAN", raising=False)
    probe = "import os\nos.environ['FLOWASSIST_RAN'] = '1'\n" + UPPERCASE
    assert read(probe).class_name == "UppercaseComponent"
    assert "FLOWASSIST_RAN" not in os.environ
