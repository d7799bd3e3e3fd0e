"""Each rule finds what breaks it, names the line, and lets the rest pass."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import HEAD, INPUT, METHOD, OUTPUT, UPPERCASE, component, rules, with_method


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
    read_name = name if name.isidentifier() else "description"
    code = UPPERCASE.replace('name="text"', f'name="{name}"').replace("self.text", f"self.{read_name}")
    assert rules(code) == [rule]


def test_an_input_named_like_an_attribute_that_is_never_read_is_fine() -> None:
    assert rules(UPPERCASE.replace("[MessageTextInput(", '[MessageTextInput(name="code"), MessageTextInput(')) == []


def test_an_input_named_like_an_attribute_of_the_class() -> None:
    code = UPPERCASE.replace("inputs =", "text = ''\n    inputs =")
    assert rules(code) == ["input-named-like-attribute"]


@pytest.mark.parametrize(
    ("old", "new"),
    [('name="result"', 'name="component_as_tool"'), ('name="result"', 'name="code"'), ("build_result", "to_toolkit")],
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


@pytest.mark.parametrize(
    "value",
    ["None", "{'a': 1}", "{OUTPUT}", "(one for one in [OUTPUT])", "OUTPUT", "''", "_one", "{name: 1 for name in 'ab'}"],
)
@pytest.mark.parametrize("what", ["inputs", "outputs"])
def test_what_is_no_list(what: str, value: str) -> None:
    entry = INPUT if what == "inputs" else OUTPUT
    body = f"_one = {entry}\n{what} = {value.replace('OUTPUT', entry)}"
    assert [(f.rule, f.line) for f in read(component(body + METHOD)).errors] == [("not-a-list", 9)]


@pytest.mark.parametrize("value", ["list([OUTPUT])", "tuple([OUTPUT])", "made()", "[*(OUTPUT,)]", "[OUTPUT][:]"])
def test_what_may_be_a_list(value: str) -> None:
    head = f"{HEAD}def made():\n    return []\n\n\n"
    assert rules(component(f"outputs = {value.replace('OUTPUT', OUTPUT)}" + METHOD, head=head)) == []


@pytest.mark.parametrize("given", ["", 'name=""'])
def test_entries_without_a_name(given: str) -> None:
    lists = (
        f"inputs = [{INPUT}, MessageTextInput({given})]\noutputs = [Output(display_name='x', method='build_result')]"
    )
    assert rules(component(lists + METHOD)) == ["name-missing", "name-missing"]


def test_a_name_that_is_given_otherwise() -> None:
    head = f"{HEAD}class Named(MessageTextInput):\n    name: str = 'mine'\n\n\nGIVEN = {{'name': 'other'}}\n\n\n"
    assert rules(component("inputs = [Named(), MessageTextInput(**GIVEN)]", head=head)) == []
