"""What a model is asked after an attempt that failed: the fault, then another way, then another model."""

import json
from pathlib import Path
from typing import Any

import pytest

from flowassist.assistant.intended import Kind
from flowassist.v1 import events_pb2 as pb
from tests.conversation.code import BAD, GOOD, answer
from tests.conversation.conftest import House, another, intent, kinds
from tests.conversation.scenarios import ATTEMPT
from tests.vendors.script import Answer, Request, Say
from tests.vendors.server import Vendor

pytestmark = pytest.mark.asyncio(loop_scope="session")
TEXT = "A text comes in, uppercase should come out, as a component"
INTENT = intent(Kind.GENERATE_COMPONENT, "Create a component that converts text to uppercase")
SEVERAL_OUTPUTS = BAD.replace(
    'method="convert")]', 'method="convert"), Output(display_name="Same", name="same", method="convert")]'
)
SPEC = {
    "display_name": "Text Uppercase",
    "description": "Converts text to uppercase.",
    "icon": "type",
    "inputs": [{"name": "text", "type": "multiline"}],
    "output": "message",
}
FUNCTION = Say("```python\ndef compute(text: str) -> str:\n    return text.upper()\n```")


async def asked(house: House, *answers: Answer, spec: object = None, **fields: Any) -> tuple[pb.AssistEvent, Vendor]:
    """The end of the turn, and the vendor with its requests."""
    with house.scripted("openai", *answers, intents=(INTENT,)) as vendor:
        if spec:
            vendor.chooser.when("component", Say(spec if isinstance(spec, str) else json.dumps(spec)))  # type: ignore[attr-defined]
        events = await house.assist(input_value=TEXT, provider="openai", **fields)
    return events[-1], vendor


def said(request: Request) -> list[str]:
    return [message["content"] for message in request.body["messages"]]


def noticed(end: pb.AssistEvent) -> list[pb.NoticeKind]:
    return [notice.kind for notice in end.complete.notices]


async def test_a_repair_is_told_the_fault_its_line_and_the_remedy(house: House) -> None:
    end, vendor = await asked(house, Say(answer(BAD)), Say(answer(GOOD)))
    *_, wrong = said(vendor.requests[-1])
    assert wrong.splitlines() == [
        "AttributeError: Attribute txt_typo not found in TextUppercase (line 16)",
        '    13 |     outputs = [Output(display_name="Uppercase", name="uppercase", method="convert")]',
        "    14 |",
        "    15 |     def convert(self) -> Message:",
        '>   16 |         return Message(text=(self.txt_typo or "").upper())',
        "What to do: Declare an input 'txt_typo', or set self.txt_typo before.",
    ]
    assert (end.complete.validated, end.complete.validation_attempts, noticed(end)) == (True, 2, [])


async def test_the_same_fault_twice_is_written_as_a_spec(house: House) -> None:
    end, vendor = await asked(house, Say(answer(BAD)), Say(answer(BAD + "\n")), FUNCTION, spec=SPEC)
    assert (end.complete.validated, end.complete.validation_attempts) == (True, 3)
    assert noticed(end) == [pb.NOTICE_KIND_STRATEGY_CHANGED]
    assert [request.schema for request in vendor.requests] == ["intent", "", "", "component", ""]
    last = "\n".join(said(vendor.requests[-1]))
    assert "which failed with AttributeError" in last
    assert "txt_typo or" not in last
    assert [(phase.phase, phase.calls) for phase in end.complete.usage.phases] == [
        ("intent", 1),
        ("main", 2),
        ("component", 2),
    ]


async def test_another_fault_stays_with_the_code_and_remembers_the_first(house: House) -> None:
    no_return = GOOD.replace("return Message(", "Message(")
    end, vendor = await asked(house, Say(answer(BAD)), Say(answer(no_return)), Say(answer(GOOD)))
    assert (end.complete.validation_attempts, noticed(end)) == (3, [])
    *_, wrong = said(vendor.requests[-1])
    assert wrong.startswith("The method 'convert' of the output 'uppercase' does not return a value")
    assert wrong.endswith("- AttributeError: Attribute txt_typo not found in TextUppercase (line 16)"), wrong


async def test_what_a_spec_cannot_say_is_written_as_code_anew(house: House) -> None:
    end, vendor = await asked(house, *[Say(answer(SEVERAL_OUTPUTS))] * 2, Say(answer(GOOD)))
    assert (end.complete.validated, noticed(end)) == (True, [pb.NOTICE_KIND_STRATEGY_CHANGED])
    roles = [message["role"] for message in vendor.requests[-1].body["messages"]]
    assert "assistant" not in roles
    assert "Earlier attempts failed." in said(vendor.requests[-1])[-1]


async def test_an_answer_that_is_no_spec_leads_back_to_code(house: House) -> None:
    end, vendor = await asked(
        house, *[Say(answer(BAD))] * 2, Say(answer(GOOD)), spec="I cannot do that.", max_retries=4
    )
    assert (end.complete.validated, end.complete.validation_attempts) == (True, 4)
    assert [request.schema for request in vendor.requests] == ["intent", "", "", "component", ""]
    assert "txt_typo or" not in "\n".join(said(vendor.requests[-1]))


async def test_where_the_operator_named_a_model_it_takes_over(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, repair_models="openai=gpt-5.2") as with_one:
        end, vendor = await asked(with_one, *[Say(answer(BAD))] * 2, Say(answer(GOOD)))
    assert [request.body["model"] for request in vendor.requests] == ["gpt-5.4", "gpt-5.4", "gpt-5.4", "gpt-5.2"]
    assert noticed(end) == [pb.NOTICE_KIND_MODEL_CHANGED]
    assert (end.complete.model_name, end.complete.validation_attempts) == ("gpt-5.2", 3)
    assert "txt_typo" in said(vendor.requests[-1])[-2]


async def test_the_model_that_took_over_changes_its_way_as_well(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, repair_models="openai=gpt-5.2") as with_one:
        end, vendor = await asked(with_one, *[Say(answer(BAD))] * 4, FUNCTION, spec=SPEC, max_retries=5)
    assert [request.body["model"] for request in vendor.requests][3:] == ["gpt-5.2"] * 4
    assert noticed(end) == [pb.NOTICE_KIND_MODEL_CHANGED, pb.NOTICE_KIND_STRATEGY_CHANGED]
    assert (end.complete.validated, end.complete.validation_attempts) == (True, 5)


async def test_an_answer_without_code_is_told_so(house: House) -> None:
    with house.scripted("openai", Say(answer(BAD)), Say("Sorry."), Say(answer(GOOD)), intents=(INTENT,)) as vendor:
        events = await house.assist(input_value=TEXT, provider="openai")
    *_, before, wrong = said(vendor.requests[-1])
    assert (before, wrong.split(" Write")[0]) == ("Sorry.", "The answer holds no code.")
    without = [*ATTEMPT[:-1], "validation_failed", "retrying"]
    assert kinds(events) == [*ATTEMPT, "validation_failed", "retrying", *without, *ATTEMPT, "validated", "complete"]
