"""Inputs and outputs are seen however their lists are put together."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import HEAD, INHERITED, INPUT, METHOD, OUTPUT, component, outline


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
        component(f"inputs = [MessageTextInput(name=n) for n in 'ab']\noutputs = [{OUTPUT}, dict()]" + METHOD)
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


def test_an_inherited_component() -> None:
    reading = read(INHERITED)
    assert reading.findings == ()
    assert reading.class_name == "Louder"
    assert outline(reading) == (["text"], [("result", "build_result")])


def test_a_list_that_extends_the_one_of_a_base() -> None:
    extended = INHERITED + "    inputs = [*UppercaseComponent.inputs, MessageTextInput(name='mark')]\n"
    assert outline(read(extended))[0] == ["text", "mark"]


def test_a_class_from_outside_may_add_entries() -> None:
    head = "from lfx.base.triggers.base import BaseTriggerComponent\n\n\n"
    code = head + f"class Mine(BaseTriggerComponent):\n    inputs = [{INPUT}]\n"
    reading = read(code)
    assert reading.anatomy
    assert not reading.anatomy.inputs.whole
    assert outline(reading) == (["text"], [])
