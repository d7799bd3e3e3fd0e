"""The same conversation through both vendors' SDKs gives the same events."""

import json

import pytest

from flowassist.assistant.intended import Kind
from flowassist.turns.asked import Sentence
from flowassist.v1 import events_pb2 as pb
from flowassist.v1.assistant_pb2 import AssistRequest
from tests.conversation.code import BAD, GOOD, answer
from tests.conversation.conftest import House, intent, kinds
from tests.conversation.scenarios import ALWAYS_BAD, BAD_THEN_GOOD, FIRST_TRY, OFF_TOPIC, QUESTION, SCENARIOS, Scenario
from tests.vendors.script import Say

pytestmark = pytest.mark.asyncio(loop_scope="session")
both = pytest.mark.parametrize("wire", ["openai", "anthropic"])


async def told(house: House, wire: str, scenario: Scenario) -> list[pb.AssistEvent]:
    with house.scripted(wire, *scenario.answers, intents=scenario.intents):
        return await house.assist(input_value=scenario.text, provider=wire, **scenario.fields)


@both
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_the_events_of_a_turn(house: House, wire: str, scenario: Scenario) -> None:
    events = await told(house, wire, scenario)
    assert kinds(events) == scenario.events
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert len({event.turn_id for event in events}) == 1
    intents, calls = len(scenario.intents), len(scenario.answers)
    end = events[-1].complete
    phases = {"intent": intents, "main": calls}
    assert {phase.phase: phase.calls for phase in end.usage.phases} == {name: n for name, n in phases.items() if n}
    assert (end.usage.input_tokens, end.usage.output_tokens) == (7 * intents + 10 * calls, 3 * intents + 5 * calls)
    assert end.usage.total_tokens == 10 * intents + 15 * calls
    assert end.duration_seconds > 0
    assert end.provider == wire
    assert end.session_id.startswith("agentic_")
    for event in events[:-1]:
        progress = event.progress
        assert event.HasField("token") or 1 <= progress.attempt <= progress.max_attempts


@both
async def test_a_question_streams_its_answer(house: House, wire: str) -> None:
    events = await told(house, wire, QUESTION)
    text = "Drag from an output to an input of the same type. 😀"
    assert "".join(event.token.chunk for event in events) == text
    end = events[-1].complete
    assert (end.result, end.intent) == (text, pb.INTENT_QUESTION)
    assert not end.HasField("validated")
    assert not end.HasField("component_code")


@both
async def test_a_component_comes_with_its_proof(house: House, wire: str) -> None:
    end = (await told(house, wire, FIRST_TRY))[-1].complete
    assert end.validated
    assert (end.class_name, end.component_code.strip()) == ("TextUppercase", GOOD.strip())
    assert end.validation_attempts == 1
    outcomes = {check.name: check.outcome for check in end.validation_report.checks}
    assert set(outcomes) >= {"extract", "static", "security", "create", "instantiate", "template", "run:uppercase"}
    assert set(outcomes.values()) == {pb.CHECK_OUTCOME_PASSED}
    assert "landlock" in end.validation_report.boundary
    assert end.validation_report.milliseconds > 0


@both
async def test_a_failed_attempt_tells_what_is_wrong(house: House, wire: str) -> None:
    events = await told(house, wire, BAD_THEN_GOOD)
    failed = next(event.progress for event in events if event.progress.step == pb.STEP_VALIDATION_FAILED)
    line = BAD[: BAD.index("self.txt_typo")].count("\n") + 1
    assert f"line {line}" in failed.error
    assert "txt_typo" in failed.error
    assert "Traceback" not in failed.error
    assert failed.class_name == "TextUppercase"
    assert failed.component_code.strip() == BAD.strip()
    retrying = next(event.progress for event in events if event.progress.step == pb.STEP_RETRYING)
    assert (retrying.attempt, retrying.max_attempts) == (2, 3)
    assert events[-1].complete.validation_attempts == 2


@both
async def test_the_model_is_told_its_mistake(house: House, wire: str) -> None:
    with house.scripted(wire, *BAD_THEN_GOOD.answers, intents=BAD_THEN_GOOD.intents) as vendor:
        await house.assist(input_value=BAD_THEN_GOOD.text, provider=wire)
    last = json.dumps(vendor.requests[-1].body["messages"][-2:])
    assert "txt_typo" in last
    assert "txt_typo" in last


@both
async def test_when_every_attempt_fails(house: House, wire: str) -> None:
    end = (await told(house, wire, ALWAYS_BAD))[-1].complete
    assert not end.validated
    assert end.HasField("validated")
    assert end.validation_attempts == 2
    assert end.message == (
        "The selected model was unable to generate valid component code. Try again or use a more capable model."
    )
    assert "txt_typo" in end.validation_error
    assert end.component_code.strip() == BAD.strip()
    assert pb.CHECK_OUTCOME_FAILED in {check.outcome for check in end.validation_report.checks}


@both
async def test_off_topic_asks_the_main_model_nothing(house: House, wire: str) -> None:
    with house.scripted(wire, intents=OFF_TOPIC.intents) as vendor:
        end = (await house.assist(input_value=OFF_TOPIC.text, provider=wire))[-1].complete
    assert len(vendor.requests) == 1
    assert end.intent == pb.INTENT_OFF_TOPIC
    assert "Langflow" in end.result


async def test_abuse_costs_nothing(house: House) -> None:
    with house.scripted("openai") as vendor:
        events = await house.assist(input_value="fuck you, build it", provider="openai")
    assert kinds(events) == ["complete"]
    assert not vendor.requests
    end = events[0].complete
    assert end.usage == pb.Usage(input_tokens=0, output_tokens=0, total_tokens=0)
    assert (end.intent, end.provider) == (pb.INTENT_OFF_TOPIC, "")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Kind.BUILD_FLOW, pb.INTENT_BUILD_FLOW),
        (Kind.RUN_FLOW, pb.INTENT_RUN_FLOW),
        (Kind.COMPONENT_THEN_FLOW, pb.INTENT_COMPONENT_THEN_FLOW),
    ],
)
async def test_flows_are_understood_and_told_to_come_later(house: House, kind: Kind, expected: int) -> None:
    with house.scripted("openai", intents=(intent(kind),)):
        events = await house.assist(input_value="build a chatbot flow", provider="openai")
    end = events[-1].complete
    assert end.intent == expected
    assert [notice.kind for notice in end.notices] == [pb.NOTICE_KIND_FLOWS_NOT_SERVED]


@pytest.mark.parametrize("sentence", [sentence.value for sentence in Sentence])
async def test_protocol_sentences_need_no_model(house: House, sentence: str) -> None:
    with house.scripted("openai") as vendor:
        end = (await house.assist(input_value=sentence, provider="openai"))[-1].complete
    assert end.intent == pb.INTENT_BUILD_FLOW
    assert not vendor.requests


@both
async def test_a_follow_up_changes_the_component_of_the_last_turn(house: House, wire: str) -> None:
    session = f"follow-{wire}"
    with house.scripted(wire, Say(answer(GOOD)), intents=FIRST_TRY.intents):
        await house.assist(input_value=FIRST_TRY.text, provider=wire, session_id=session)
    with house.scripted(wire, Say(answer(GOOD)), intents=FIRST_TRY.intents) as vendor:
        await house.assist(
            input_value="can you use dataframe output instead?", provider=wire, session_id=f"agentic_{session}"
        )
    classify, write = (json.dumps(request.body) for request in vendor.requests)
    assert FIRST_TRY.text in classify
    assert "class TextUppercase" in write
    assert "class TextUppercase" not in classify
    assert session not in classify


async def test_a_new_session_remembers_nothing(house: House) -> None:
    for _ in range(2):
        with house.scripted("openai", *QUESTION.answers, intents=QUESTION.intents) as vendor:
            await house.assist(input_value=QUESTION.text, provider="openai")
        assert len(vendor.requests[-1].body["messages"]) == 2


async def test_history_limit_zero_asks_without_history(house: House) -> None:
    for limit in (6, 0):
        with house.scripted("openai", *QUESTION.answers, intents=QUESTION.intents) as vendor:
            await house.assist(input_value="What?", provider="openai", session_id="limited", history_limit=limit)
        assert len(vendor.requests[-1].body["messages"]) == 2


async def test_assist_once_answers_with_the_same_end(house: House) -> None:
    with house.scripted("openai", *QUESTION.answers, intents=QUESTION.intents):
        once = await house.stub.AssistOnce(AssistRequest(input_value=QUESTION.text, provider="openai"))
    assert once.WhichOneof("end") == "complete"
    assert once.text == once.complete.result
    assert once.turn_id
