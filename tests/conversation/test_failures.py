"""What a user sees when the model does not cooperate."""

import pytest

from flowassist.assistant.intended import Kind
from flowassist.errors import Reason, Status
from flowassist.models.model import Finish
from flowassist.v1 import errors_pb2
from flowassist.v1 import events_pb2 as pb
from tests.conversation.code import GOOD, answer
from tests.conversation.conftest import House, intent, kinds
from tests.conversation.scenarios import QUESTION
from tests.vendors.script import Answer, BreakOff, Fail, FailInStream, Say

pytestmark = pytest.mark.asyncio(loop_scope="session")
both = pytest.mark.parametrize("wire", ["openai", "anthropic"])
OVERLOADED = {"openai": Fail(503), "anthropic": Fail(529, "overloaded_error")}
TOLD = "SECRET provider text"


def failure(event: pb.AssistEvent) -> str:
    assert event.WhichOneof("event") == "error"
    return errors_pb2.ErrorReason.Name(event.error.reason).removeprefix("ERROR_REASON_")


@both
@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "MODEL_AUTHENTICATION"), (403, "MODEL_FORBIDDEN"), (402, "MODEL_QUOTA")],
)
async def test_a_failure_that_stays(house: House, wire: str, status: int, reason: str) -> None:
    with house.scripted(wire, Fail(status, message=TOLD), intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    assert kinds(events) == ["generating", "error"]
    assert failure(events[-1]) == reason
    error = events[-1].error
    assert TOLD not in str(error)
    assert error.message
    assert error.recommendation
    assert error.duration_seconds > 0
    assert error.detail.step == pb.STEP_GENERATING
    assert list(error.models_tried)


@both
async def test_a_refused_request_is_told_in_the_provider_s_words(house: House, wire: str) -> None:
    """Nothing else tells what to change; the key, addresses and paths are taken out, and it is cut."""
    key = house.vendors[wire].environment[f"{wire.upper()}_API_KEY"]
    said = (
        f"messages.1: roles must alternate\n(key {key} at https://internal.example/v1, see /etc/secret/config) "
        + "x " * 200
    )
    with house.scripted(wire, Fail(400, message=said), intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    error = events[-1].error
    assert failure(events[-1]) == "MODEL_BAD_REQUEST"
    assert error.message.startswith("The provider did not accept the request: messages.1: roles must alternate (key ")
    assert error.message.endswith("...")
    assert len(error.message) <= 150
    for hidden in (key, "internal.example", "/etc/secret"):
        assert hidden not in str(error)


@both
async def test_a_passing_fault_is_repeated_and_told(house: House, wire: str) -> None:
    with house.scripted(wire, OVERLOADED[wire], *QUESTION.answers, intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    assert kinds(events) == ["generating", "token", "complete"]
    assert [notice.kind for notice in events[-1].complete.notices] == [pb.NOTICE_KIND_CALL_REPEATED]


@both
async def test_a_fault_that_does_not_pass(house: House, wire: str) -> None:
    with house.scripted(wire, *[OVERLOADED[wire]] * 3, intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    assert failure(events[-1]) == "MODEL_OVERLOADED"
    assert events[-1].error.retryable


@both
async def test_nothing_is_repeated_after_the_first_token(house: House, wire: str) -> None:
    with house.scripted(wire, BreakOff("half an answ"), intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    assert kinds(events) == ["generating", "token", "error"]
    assert failure(events[-1]) == "ANSWER_BROKEN_OFF"


@both
async def test_a_failed_classification_is_a_question_and_says_so(house: House, wire: str) -> None:
    with house.scripted(wire, *QUESTION.answers, intents=(Say("no idea"),)):
        end = (await house.assist(input_value="tell me about flows", provider=wire))[-1].complete
    assert end.intent == pb.INTENT_QUESTION
    assert [notice.kind for notice in end.notices] == [pb.NOTICE_KIND_CLASSIFICATION_DEGRADED]


@both
async def test_a_cut_answer_is_continued(house: House, wire: str) -> None:
    answers = (Say("The first half, ", finish=Finish.LENGTH), Say("and the second."))
    with house.scripted(wire, *answers, intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    assert events[-1].complete.result == "The first half, and the second."
    assert "".join(event.token.chunk for event in events) == events[-1].complete.result
    assert [notice.kind for notice in events[-1].complete.notices] == [pb.NOTICE_KIND_ANSWER_CONTINUED]


@both
async def test_a_cut_component_is_never_taken_for_whole(house: House, wire: str) -> None:
    cut = Say(answer(GOOD)[:-150], finish=Finish.LENGTH)
    with house.scripted(wire, cut, Say(answer(GOOD)), intents=(intent(Kind.GENERATE_COMPONENT),)):
        end = (await house.assist(input_value="Create a component", provider=wire))[-1].complete
    assert end.validated
    assert end.validation_attempts == 1
    with house.scripted(wire, cut, cut, intents=(intent(Kind.GENERATE_COMPONENT),)):
        events = await house.assist(input_value="Create a component", provider=wire)
    assert failure(events[-1]) == "ANSWER_CUT"


@both
async def test_a_refusal_of_the_model(house: House, wire: str) -> None:
    with house.scripted(wire, Say("", finish=Finish.REFUSAL), intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider=wire)
    assert failure(events[-1]) == "MODEL_REFUSED"


@both
async def test_usage_that_was_not_reported_is_unset(house: House, wire: str) -> None:
    with house.scripted(wire, Say("short", usage=None), intents=QUESTION.intents):
        usage = (await house.assist(input_value="tell me about flows", provider=wire))[-1].complete.usage
    assert not usage.HasField("total_tokens")
    assert not usage.HasField("output_tokens")


PROVOKED: dict[str, Answer] = {
    "MODEL_RATE_LIMITED": Fail(429, headers={"retry-after": "60"}),
    "MODEL_QUOTA": Fail(429, "insufficient_quota"),
    "MODEL_OVERLOADED": FailInStream("server_error"),
    "CONTEXT_TOO_LONG": Fail(400, "context_length_exceeded"),
    "MODEL_WITHOUT_TOOLS": Fail(400, message="this model does not support tools"),
    "MODEL_MALFORMED": Fail(500, message="error parsing tool call: unexpected end of JSON input"),
    "STEPS_EXHAUSTED": Fail(400, message="Recursion limit of 25 reached without hitting a stop condition."),
}


@pytest.mark.parametrize("reason", PROVOKED)
async def test_every_kind_of_failure_has_its_reason(house: House, reason: str) -> None:
    repeats = 3 if Reason[reason].meaning.retryable and reason != "MODEL_RATE_LIMITED" else 1
    with house.scripted("openai", *[PROVOKED[reason]] * repeats, intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider="openai")
    assert failure(events[-1]) == reason
    assert Reason[reason].meaning.status is Status.EVENT
