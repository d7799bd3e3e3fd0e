from dataclasses import replace

import pytest

from flowassist.assistant.changes import applied, names_output
from flowassist.components.spec import Input, InputType, OutputType, Spec

INPUTS = (Input("text", InputType.MULTILINE, "Text"), Input("max_length", InputType.INT, "Max Length"))
SPEC = Spec("Cut", "Cut", "Cuts a text.", "type", INPUTS, OutputType.MESSAGE)


@pytest.mark.parametrize(
    ("request_", "output"),
    [
        ("use dataframe output instead", OutputType.DATAFRAME),
        ("Convert the output to a DataFrame", OutputType.DATAFRAME),
        ("can you return a table?", OutputType.DATAFRAME),
        ("make the output a list of dictionaries", OutputType.DATAFRAME),
        ("return data instead of text", OutputType.DATA),
        ("the output should be JSON", OutputType.DATA),
        ("change the output type to message", OutputType.MESSAGE),
        ("return it as plain text", OutputType.MESSAGE),
        ("add a third number", None),
        ("make the text lower case", None),
        ("ignore empty rows", None),
    ],
)
def test_output_types(request_: str, output: OutputType | None) -> None:
    assert names_output(request_) is output


def test_another_output_needs_another_function() -> None:
    changed = applied("Please use dataframe output instead.", SPEC)
    assert changed.spec == replace(SPEC, output=OutputType.DATAFRAME)
    assert (changed.leaves_nothing, changed.keeps_function) == (True, False)


def test_a_new_name_and_what_is_required() -> None:
    changed = applied("can you rename the input to 'query' and make it required?", SPEC)
    query = Input("query", InputType.MULTILINE, "Query", None, required=True)
    assert changed.spec == replace(SPEC, inputs=(query, INPUTS[1]))
    assert (changed.leaves_nothing, changed.keeps_function) == (True, True)


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("rename max_length to limit", ("text", "limit")),
        ("Rename the input text to body", ("body", "max_length")),
        ("rename 'text' as \u201ccontent\u201d", ("content", "max_length")),
        ("rename the input to class", ("class_value", "max_length")),
        ("rename text to max_length", ("max_length_2", "max_length")),
    ],
)
def test_inputs_are_renamed(request_: str, names: tuple[str, ...]) -> None:
    assert tuple(entry.name for entry in applied(request_, SPEC).spec.inputs) == names


def test_the_output_is_renamed() -> None:
    changed = applied("Rename the output to 'short_text'", SPEC)
    assert changed.spec == replace(SPEC, output_name="short_text")
    assert applied("call the output short_text", SPEC).spec == changed.spec


def test_required_and_optional() -> None:
    assert [entry.required for entry in applied("make max length mandatory", SPEC).spec.inputs] == [False, True]
    all_needed = applied("all inputs are required", SPEC).spec
    assert [entry.required for entry in all_needed.inputs] == [True, True]
    assert [entry.required for entry in applied("make text optional", all_needed).spec.inputs] == [False, True]
    assert [entry.required for entry in applied("text is not required", all_needed).spec.inputs] == [False, True]


@pytest.mark.parametrize("request_", ["add a third number", "trim spaces", "use dataframe output and add a limit"])
def test_what_no_rule_knows_is_left_for_the_model(request_: str) -> None:
    assert not applied(request_, SPEC).leaves_nothing
