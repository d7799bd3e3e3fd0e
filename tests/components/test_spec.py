import ast
import json
import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.components.reserved import ATTRIBUTES, METHODS
from flowassist.components.spec import (
    InputType,
    OutputType,
    Spec,
    SpecError,
    as_json,
    class_name,
    input_name,
    named,
    parameter,
    read_spec,
    title,
)


def said(**changes: object) -> str:
    spec = {
        "display_name": "Split Text",
        "description": "Splits a text.",
        "icon": "split",
        "inputs": [{"name": "text", "type": "multiline"}, {"name": "delimiter", "type": "text"}],
        "output": "dataframe",
    }
    return json.dumps(spec | changes)


def test_a_spec_is_read() -> None:
    spec = read_spec(said())
    assert (spec.class_name, spec.display_name, spec.description) == ("SplitText", "Split Text", "Splits a text.")
    assert [(entry.name, entry.type) for entry in spec.inputs] == [
        ("text", InputType.MULTILINE),
        ("delimiter", InputType.TEXT),
    ]
    assert (spec.icon, spec.output, spec.output_name) == ("split", OutputType.DATAFRAME, "result")
    assert json.loads(as_json(spec)) == json.loads(said())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        '{"display_name": "x"}',
        said(output="image"),
        said(inputs=[{"name": "x", "type": "model"}]),
        said(inputs=None),
        said()[:-20],
    ],
)
def test_what_is_no_spec_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        read_spec(text)


def test_an_icon_that_does_not_exist_is_replaced() -> None:
    assert read_spec(said(icon="rocket-launcher")).icon == "wand-sparkles"


def test_texts_are_one_clean_line() -> None:
    spec = read_spec(said(description='Says "hi"\nand\x00 \ud800more', display_name="  "))
    assert spec.description == 'Says "hi" and more'
    assert (spec.display_name, spec.class_name) == ("Custom Component", "GeneratedComponent")


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("maxLength", "max_length"),
        ("Max Length!", "max_length"),
        ("2nd number", "nd_number"),
        ("class", "class_value"),
        ("match", "match_value"),
        ("code", "code_value"),
        ("index", "index_value"),
        ("build", "build_value"),
        ("文本", "value"),
        ("", "value"),
    ],
)
def test_names_that_an_input_can_bear(given_name: str, name: str) -> None:
    assert input_name(given_name) == name


def test_repeated_names_are_numbered() -> None:
    inputs = named([("text", InputType.TEXT), ("Text", InputType.TEXT), ("text", InputType.INT)])
    assert [entry.name for entry in inputs] == ["text", "text_2", "text_3"]


def test_an_input_may_be_called_result() -> None:
    spec = read_spec(said(inputs=[{"name": "result", "type": "text"}]))
    assert (spec.inputs[0].name, spec.output_name) == ("result", "result_2")


@pytest.mark.parametrize(
    ("name", "taken_as"), [("json", "json_value"), ("list", "list_value"), ("string", "string_value"), ("text", "text")]
)
def test_a_parameter_hides_no_module_and_no_builtin(name: str, taken_as: str) -> None:
    assert parameter(name) == taken_as


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Uppercase Text", "UppercaseText"),
        ("CSV to JSON", "CSVToJSON"),
        ("SlugMaker", "SlugMaker"),
        ("3 words", "Words"),
        ("Message", "MessageComponent"),
        ("Text Input", "TextInputComponent"),
        ("大写", "GeneratedComponent"),
        ("Exception", "ExceptionComponent"),
    ],
)
def test_class_names(text: str, name: str) -> None:
    assert class_name(text) == name


def test_titles() -> None:
    assert title("max_length") == "Max Length"


names = st.text(max_size=30) | st.sampled_from(sorted(METHODS | ATTRIBUTES | set(keyword.kwlist)))


@given(st.lists(st.tuples(names, st.sampled_from(InputType)), min_size=1, max_size=12))
def test_any_names_become_distinct_identifiers_of_their_own(pairs: list[tuple[str, InputType]]) -> None:
    inputs = [entry.name for entry in named(pairs)]
    assert len(set(inputs)) == len(inputs) <= 8
    for name in inputs:
        assert name.isidentifier()
        assert name not in METHODS | ATTRIBUTES
        assert not keyword.iskeyword(name)


@given(st.text(max_size=60))
def test_any_title_gives_a_class_name(text: str) -> None:
    ast.parse(f"class {class_name(text)}: pass")


def test_a_spec_without_inputs_is_possible() -> None:
    assert isinstance(read_spec(said(inputs=[])), Spec)
