"""A model that cannot be had, a parameter that it does not take: what the user and the operator see of it."""

import json

import pytest
from structlog.testing import capture_logs

from flowassist.assistant.intended import Kind
from flowassist.v1 import events_pb2 as pb
from tests.conversation.code import BAD, GOOD, answer
from tests.conversation.conftest import House, intent, kinds
from tests.conversation.scenarios import ATTEMPT, QUESTION
from tests.conversation.test_failures import failure
from tests.vendors.script import Fail, Say
from tests.vendors.server import Vendor

pytestmark = pytest.mark.asyncio(loop_scope="session")
TOLD = "SECRET: the model `gpt-9` does not exist or you do not have access to it"
GONE = Fail(404, "model_not_found", TOLD)


def models(vendor: Vendor) -> list[str]:
    return [request.body["model"] for request in vendor.requests]


def notices(event: pb.AssistEvent) -> list[pb.NoticeKind]:
    return [notice.kind for notice in event.complete.notices]


async def test_a_named_model_that_does_not_exist_gives_way_to_the_default(house: House) -> None:
    with (
        house.scripted("openai", Say("An answer."), intents=(GONE, *QUESTION.intents)) as vendor,
        capture_logs() as entries,
    ):
        events = await house.assist(input_value="tell me about flows", provider="openai", model_name="gpt-9")
    end = events[-1].complete
    assert kinds(events) == ["generating", "token", "complete"]
    assert models(vendor) == ["gpt-9", "gpt-5.4", "gpt-5.4"]
    assert (end.result, end.provider, end.model_name) == ("An answer.", "openai", "gpt-5.4")
    assert notices(events[-1]) == [pb.NOTICE_KIND_MODEL_CHANGED]
    assert "SECRET" not in str(events)
    assert [(phase.phase, phase.calls) for phase in end.usage.phases] == [("intent", 2), ("main", 1)]
    fallback = next(entry for entry in entries if entry["event"] == "assistant.model_fallback")
    told = {"from": "gpt-9", "to": "gpt-5.4", "provider": "openai", "tried_so_far": ["gpt-9"], "user_id": "local"}
    assert fallback | told == fallback


async def test_a_fallback_spends_no_attempt_and_replays_nothing(house: House) -> None:
    answers = (Say(answer(BAD)), GONE, Say(answer(GOOD)))
    with house.scripted("openai", *answers, intents=(intent(Kind.GENERATE_COMPONENT),)) as vendor:
        events = await house.assist(input_value="uppercase as in the other one", provider="openai", max_retries=2)
    assert kinds(events) == [*ATTEMPT, "validation_failed", "retrying", *ATTEMPT, "validated", "complete"]
    assert models(vendor) == ["gpt-5.4", "gpt-5.4", "gpt-5.4", "gpt-5.2"]
    failed, asked_again = (request.body["messages"] for request in vendor.requests[2:])
    assert failed == asked_again
    assert "SECRET" not in json.dumps([request.body for request in vendor.requests])
    assert events[-1].complete.validation_attempts == 2


async def test_when_every_model_is_gone_one_error_names_them_all(house: House) -> None:
    offered = [info for info in (await house.check_config()).providers if info.name == "openai"]
    names = [model.name for model in offered[0].models]
    with house.scripted("openai", intents=(GONE,) * len(names)) as vendor, capture_logs() as entries:
        events = await house.assist(input_value="tell me about flows", provider="openai")
    assert kinds(events) == ["error"]
    assert failure(events[-1]) == "MODELS_EXHAUSTED"
    error = events[-1].error
    assert error.message == (
        f"No accessible model on openai. Tried: {', '.join(names)}. Configure access to one of them, "
        "or switch to a different provider in Settings → Model Providers."
    )
    assert list(error.models_tried) == names == models(vendor)
    assert not error.retryable
    assert "SECRET" not in str(events)
    moves = [entry for entry in entries if entry["event"] == "assistant.model_fallback"]
    assert [move["tried_so_far"] for move in moves] == [names[:count] for count in range(1, len(names))]


@pytest.mark.parametrize("fault", [Fail(401), Fail(402)], ids=["key", "credit"])
async def test_what_concerns_the_account_is_asked_once(house: House, fault: Fail) -> None:
    with house.scripted("openai", intents=(fault,)) as vendor:
        events = await house.assist(input_value="tell me about flows", provider="openai")
        assert len(vendor.requests) == 1
    assert kinds(events) == ["error"]
    assert list(events[-1].error.models_tried) == ["gpt-5.4"]


async def test_a_refused_parameter_is_told_in_general_words(house: House) -> None:
    cold = Fail(400, message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead. SECRET")
    with (
        house.scripted("openai", Say("An answer."), intents=(cold, *QUESTION.intents)) as vendor,
        capture_logs() as entries,
    ):
        events = await house.assist(input_value="tell me about flows", provider="openai", model_name="of-a-gateway")
        limits = ["max_completion_tokens" in request.body for request in vendor.requests]
    assert limits == [False, True, True]
    assert notices(events[-1]) == [pb.NOTICE_KIND_CALL_ADAPTED]
    assert "SECRET" not in str(events)
    assert events[-1].complete.result == "An answer."
    entry = next(entry for entry in entries if entry["event"] == "assistant.model_remediation")
    assert (entry["applied"], entry["provider"], entry["model"]) == ("max_completion_tokens", "openai", "of-a-gateway")
    with house.scripted("openai", Say("Another one."), intents=QUESTION.intents) as vendor:
        await house.assist(input_value="tell me about flows", provider="openai", model_name="of-a-gateway")
        assert ["max_completion_tokens" in request.body for request in vendor.requests] == [True, True]
