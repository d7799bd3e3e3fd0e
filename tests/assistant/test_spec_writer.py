import json

import pytest

from flowassist.assistant.spec_writer import Before, write_spec
from flowassist.components.extract import extract
from flowassist.components.reading import read
from flowassist.components.rendered import spec_of
from flowassist.components.spec import OutputType
from flowassist.models.model import Finish, Message, ModelError, Trouble
from tests.assistant.scripted import Script, cut

SPEC = {
    "display_name": "Split Text",
    "description": "Splits a text by a delimiter.",
    "icon": "split",
    "inputs": [{"name": "text", "type": "multiline"}, {"name": "delimiter", "type": "text"}],
    "output": "data",
}
FUNCTION = (
    '```python\ndef compute(text: str, delimiter: str) -> dict:\n    return {"parts": text.split(delimiter)}\n```'
)
ROWS = (
    "```python\ndef compute(text: str, delimiter: str) -> list[dict]:\n"
    '    return [{"part": part} for part in text.split(delimiter)]\n```'
)
IDLE = "```python\ndef compute(text: str, delimiter: str) -> dict:\n    return {'text': text}\n```"
REQUEST = "Create a component that splits text by a delimiter"


async def earlier() -> str:
    return (await write_spec(Script(json.dumps(SPEC), FUNCTION), REQUEST, None)).code


async def test_two_calls_and_a_component() -> None:
    ask = Script(json.dumps(SPEC), FUNCTION)
    written = await write_spec(ask, REQUEST, None)
    assert ask.spent
    assert [(phase, call.slot) for phase, call in ask.calls] == [("component", "spec"), ("component", "function")]
    assert ask.asked(0) == f"Request: {REQUEST}"
    assert ask.asked(1).endswith("def compute(text: str, delimiter: str) -> dict:")
    assert (written.class_name, written.finish) == ("SplitText", Finish.STOP)
    assert [finding for finding in read(written.code).findings if not finding.warning] == []
    found = extract(written.text)
    assert found is not None
    assert (found.code.strip(), found.complete) == (written.code.strip(), True)


async def test_the_word_dataframe_does_not_lead_to_pandas() -> None:
    ask = Script(json.dumps(SPEC | {"output": "dataframe"}), ROWS)
    await write_spec(ask, "Create a component that splits text into a DataFrame", None)
    assert "into a list of rows" in ask.asked(1)


async def test_a_cut_spec_is_not_taken() -> None:
    written = await write_spec(Script(cut(json.dumps(SPEC)[:-9])), REQUEST, None)
    assert (written.code, written.finish) == ("", Finish.LENGTH)


async def test_a_cut_function_is_asked_for_with_more_room() -> None:
    ask = Script(json.dumps(SPEC), cut(FUNCTION[:-20]), FUNCTION)
    written = await write_spec(ask, REQUEST, None)
    assert "split(delimiter)" in written.code
    assert ask.calls[2][1].max_tokens > ask.calls[1][1].max_tokens


async def test_a_function_that_stays_cut_gives_no_component() -> None:
    ask = Script(json.dumps(SPEC), cut(FUNCTION[:-20]), cut(FUNCTION[:-10]))
    written = await write_spec(ask, REQUEST, None)
    assert (written.code, written.class_name, written.finish) == ("", "", Finish.LENGTH)


async def test_a_function_that_does_nothing_is_asked_for_once_more() -> None:
    ask = Script(json.dumps(SPEC), IDLE, FUNCTION)
    written = await write_spec(ask, REQUEST, None)
    assert "split(delimiter)" in written.code
    assert "return {'text'" not in "".join(message.text for message in ask.calls[2][1].messages)


async def test_a_repair_keeps_the_spec_and_tells_function_and_error() -> None:
    code = (await earlier()).replace("split(", "splitt(")
    ask = Script(FUNCTION)
    written = await write_spec(ask, REQUEST, Before(code, "AttributeError: no splitt (line 7)"))
    *_, task, wrong, told = ask.calls[0][1].messages
    assert isinstance(task, Message)
    assert "splitt(delimiter)" in wrong.text
    assert "lfx" not in wrong.text
    assert told.text.startswith("That fails: AttributeError: no splitt (line 7)")
    assert written.code == await earlier()


async def test_the_same_wrong_function_again_is_asked_for_in_another_way() -> None:
    code = await earlier()
    ask = Script(FUNCTION, FUNCTION.replace('"parts"', '"pieces"'))
    written = await write_spec(ask, REQUEST, Before(code, "KeyError: 'x'"))
    assert '"pieces"' in written.code
    assert "another way than before, which failed with KeyError: 'x'" in ask.asked(1)


async def test_code_of_another_shape_is_written_anew() -> None:
    ask = Script(json.dumps(SPEC), FUNCTION)
    written = await write_spec(ask, REQUEST, Before("class A(Component):\n    def", "SyntaxError: invalid syntax"))
    assert ask.spent
    assert written.code == await earlier()


async def test_another_output_type_changes_the_spec_by_rule() -> None:
    ask = Script(ROWS)
    written = await write_spec(ask, "use dataframe output instead", Before(await earlier(), ""))
    assert "split(delimiter)" in ask.asked(0)
    assert ask.asked(0).endswith("def compute(text: str, delimiter: str) -> list[dict]:")
    changed = spec_of(written.code)
    assert changed is not None
    assert changed.output is OutputType.DATAFRAME
    assert "-> DataFrame" in written.code


async def test_a_new_name_needs_no_model_at_all() -> None:
    request = "rename the input 'text' to 'query' and make it required"
    written = await write_spec(Script(), request, Before(await earlier(), ""))
    changed = spec_of(written.code)
    assert changed is not None
    assert [(entry.name, entry.required) for entry in changed.inputs] == [("query", True), ("delimiter", False)]
    assert "compute(self.query, self.delimiter)" in written.code


async def test_what_no_rule_knows_changes_the_spec_by_the_model() -> None:
    required = (await write_spec(Script(), "make text required", Before(await earlier(), ""))).code
    third = {"name": "limit", "type": "int"}
    ask = Script(json.dumps(SPEC | {"inputs": [*SPEC["inputs"], third]}), FUNCTION)  # type: ignore[misc]
    written = await write_spec(ask, "add a limit", Before(required, ""))
    assert ask.asked(0).endswith("The same component, changed: add a limit")
    changed = spec_of(written.code)
    assert changed is not None
    assert [(entry.name, entry.required) for entry in changed.inputs] == [
        ("text", True),
        ("delimiter", False),
        ("limit", False),
    ]


async def test_a_request_for_another_component_leaves_the_earlier_one_alone() -> None:
    ask = Script(json.dumps(SPEC | {"display_name": "Doubler"}), FUNCTION)
    written = await write_spec(ask, "Create a component that doubles a number", Before(await earlier(), ""))
    assert written.class_name == "Doubler"
    assert "splits" not in ask.asked(0).lower()


async def test_a_failing_call_passes_through() -> None:
    async def down(*_: object) -> None:
        raise ModelError(Trouble.UNREACHABLE, "gone")

    with pytest.raises(ModelError):
        await write_spec(down, REQUEST, None)  # type: ignore[arg-type]
