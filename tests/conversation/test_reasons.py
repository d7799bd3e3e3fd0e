"""Every reason of the contract happens, and each is provoked here or named with the test that provokes it."""

import asyncio
import sqlite3
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from flowassist.assistant.intended import Kind
from flowassist.errors import Reason
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.registry import Providers
from flowassist.rpc.owner import LOCAL
from flowassist.turns.asked import Asked
from flowassist.turns.turn import Tell, Turn
from flowassist.v1 import events_pb2 as pb
from flowassist.v1.assistant_pb2 import AssistRequest
from tests.conversation.code import GOOD, answer
from tests.conversation.conftest import House, another, environment_of, intent
from tests.conversation.scenarios import QUESTION
from tests.conversation.test_failures import PROVOKED, failure
from tests.conversation.test_refusals import refusal
from tests.vendors.script import FailInStream, Hang, Say

pytestmark = pytest.mark.asyncio(loop_scope="session")

ELSEWHERE = {
    "test_refusals": {
        Reason.MESSAGE_MALFORMED, Reason.INPUT_EMPTY, Reason.INPUT_TOO_LONG, Reason.INPUT_HAS_NUL,
        Reason.FLOW_ID_INVALID, Reason.SESSION_ID_INVALID, Reason.LIMIT_OUT_OF_RANGE, Reason.UNKNOWN_PROVIDER,
        Reason.MODEL_NAME_INVALID, Reason.ASSISTANT_DISABLED, Reason.NO_PROVIDER_CONFIGURED,
        Reason.PROVIDER_NOT_CONFIGURED, Reason.KEY_MISSING, Reason.MODEL_PROVIDER_MISSING, Reason.FLOW_NOT_FOUND,
        Reason.FIELD_NOT_SERVED, Reason.TOO_MANY_TURNS, Reason.TOKEN_INVALID,
    },
    "test_failures": {
        Reason.MODEL_AUTHENTICATION, Reason.MODEL_FORBIDDEN, Reason.MODEL_BAD_REQUEST, Reason.ANSWER_BROKEN_OFF,
        Reason.ANSWER_CUT, Reason.MODEL_REFUSED, *(Reason[name] for name in PROVOKED),
    },
    "test_fallback": {Reason.MODELS_EXHAUSTED},
    "test_providers": {
        Reason.KEY_VARIABLE_UNRESOLVED, Reason.PROVIDER_INCOMPLETE, Reason.MODEL_NAME_MISSING, Reason.STORE_UNAVAILABLE,
    },
    "rpc/test_variables": {
        Reason.VARIABLE_NAME_INVALID, Reason.VARIABLE_VALUE_INVALID, Reason.VARIABLE_NOT_FOUND,
        Reason.TOO_MANY_VARIABLES, Reason.VARIABLES_UNREADABLE, Reason.VARIABLE_KEYS_UNUSABLE,
    },
    "rpc/test_components": {
        Reason.CODE_EMPTY, Reason.CODE_TOO_LONG, Reason.COMPONENT_NAME_INVALID, Reason.COMPONENT_TYPE_NOT_FOUND,
        Reason.TOO_MANY_COMPONENTS, Reason.SANDBOX_BUSY,
    },
}  # fmt: skip


async def told(house: House, tell: Tell, providers: Providers | None = None) -> pb.AssistEvent:
    """The last event of a turn of its own."""
    offer = await (providers or house.app.providers).of(LOCAL)
    lineups = await offer.lineups("openai")
    asked = Asked("hello flows", f"agentic_{uuid.uuid4()}", new_session=True)
    turn = house.app.turns.begin(asked, LOCAL, lineups, tell)
    events = [pb.AssistEvent.FromString(raw) async for raw in turn.log.read()]
    house.app.turns.left(turn)
    return events[-1]


async def internal(house: House, _folder: Path) -> str:
    async def tell(_turn: Turn) -> pb.Complete:
        raise KeyError("a secret of the code")

    end = await told(house, tell)
    assert "secret" not in str(end)
    return failure(end)


async def timeout(house: House, _folder: Path) -> str:
    quick = Providers(environment_of(house.vendors), patience=Patience(first_event=0.05))
    with house.scripted("openai", *[Hang("headers")] * 3, intents=QUESTION.intents):
        end = await told(house, house.app.server.service.storyteller.tell, quick)
    await quick.aclose()
    return failure(end)


async def not_available(house: House, _folder: Path) -> str:
    """Once its answer has begun, no other model takes its place."""
    with house.scripted("openai", FailInStream("model_not_found", text="so far"), intents=QUESTION.intents):
        return failure((await house.assist(input_value="tell me about flows", provider="openai"))[-1])


async def unreachable(house: House, folder: Path) -> str:
    nowhere = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    async with another(house, folder, environment=nowhere) as lost:
        return failure((await lost.assist(input_value="hello flows"))[-1])


async def too_large(house: House, folder: Path) -> str:
    async with another(house, folder, max_turn_bytes=1 << 16) as small:
        with small.scripted("openai", Say("x" * 100_000), intents=QUESTION.intents):
            return failure((await small.assist(input_value="hello flows", provider="openai"))[-1])


async def no_sandbox(house: House, folder: Path) -> str:
    async with another(house, folder) as bare:
        await bare.app.sandbox.close()
        with bare.scripted("openai", Say(answer(GOOD)), intents=(intent(Kind.GENERATE_COMPONENT),)):
            return failure((await bare.assist(input_value="Create a component", provider="openai"))[-1])


async def draining(house: House, folder: Path) -> str:
    async with another(house, folder) as closing:
        await closing.app.turns.drain(0)
        return (await refusal(lambda: closing.stub.Assist(AssistRequest(input_value="hello")).read()))[1]


HERE: dict[Reason, Callable[[House, Path], Awaitable[str]]] = {
    Reason.INTERNAL: internal,
    Reason.MODEL_TIMEOUT: timeout,
    Reason.MODEL_NOT_AVAILABLE: not_available,
    Reason.MODEL_UNREACHABLE: unreachable,
    Reason.ANSWER_TOO_LARGE: too_large,
    Reason.SANDBOX_UNAVAILABLE: no_sandbox,
    Reason.DRAINING: draining,
}


async def test_no_reason_is_only_declared() -> None:
    assert set().union(*ELSEWHERE.values()) | set(HERE) == set(Reason)


@pytest.mark.parametrize("reason", HERE, ids=lambda reason: reason.name)
async def test_a_reason(house: House, tmp_path: Path, reason: Reason) -> None:
    assert await HERE[reason](house, tmp_path) == reason.name


async def test_a_store_that_hangs_costs_the_memory_and_not_the_answer(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path) as forgetful:
        lock = await asyncio.to_thread(sqlite3.connect, tmp_path / "store.db", check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
        with forgetful.scripted("openai", *QUESTION.answers, intents=QUESTION.intents):
            end = (await forgetful.assist(input_value="hello flows", provider="openai"))[-1].complete
        assert [notice.kind for notice in end.notices] == [pb.NOTICE_KIND_NOT_REMEMBERED]
        assert end.result
        lock.close()
        assert await forgetful.app.store.of(LOCAL).history(end.session_id, 6) == ()
