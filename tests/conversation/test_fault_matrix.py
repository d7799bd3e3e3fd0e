"""Each way of failing, at each moment, over each provider's wire: one typed end, so many requests, and no second answer
in the first."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from flowassist.assistant.intended import Kind
from flowassist.v1 import events_pb2 as pb
from tests.conversation.code import GOOD, answer
from tests.conversation.conftest import House, another, intent
from tests.conversation.scenarios import QUESTION
from tests.conversation.test_failures import failure
from tests.vendors.responses import ResponsesWire
from tests.vendors.script import Answer, BreakOff, Drop, Fail, FailInStream, Hang, Say, Script
from tests.vendors.server import Vendor
from tests.vendors.wires import WIRES

pytestmark = pytest.mark.asyncio(loop_scope="session")
every = pytest.mark.parametrize("wire", sorted(WIRES))
TOLD = "SECRET provider text about 4290 tokens on port 5000"
TWENTY = "".join(f"token{number} " for number in range(20))
WHOLE = "The one whole answer."


@dataclass(frozen=True)
class Fate:
    """How a turn ends: why, after how many requests for the answer, and whether asking again is advised."""

    reason: str
    requests: int
    retryable: bool


PASSING = Fate("MODEL_OVERLOADED", 3, retryable=True)
STATUSES: dict[str, tuple[Fail, Fate]] = {
    "400": (Fail(400, message=TOLD), Fate("MODEL_BAD_REQUEST", 1, retryable=False)),
    "401": (Fail(401, message=TOLD), Fate("MODEL_AUTHENTICATION", 1, retryable=False)),
    "402": (Fail(402, message=TOLD), Fate("MODEL_QUOTA", 1, retryable=False)),
    "403": (Fail(403, message=TOLD), Fate("MODEL_FORBIDDEN", 1, retryable=False)),
    "404": (Fail(404, message="404 page not found"), Fate("MODEL_UNREACHABLE", 1, retryable=True)),
    "408": (Fail(408, message=TOLD), Fate("MODEL_TIMEOUT", 3, retryable=True)),
    "409": (Fail(409, message=TOLD), PASSING),
    "413": (Fail(413, message=TOLD), Fate("CONTEXT_TOO_LONG", 1, retryable=False)),
    "422": (Fail(422, message=TOLD), Fate("MODEL_BAD_REQUEST", 1, retryable=False)),
    "429": (Fail(429, message=TOLD), Fate("MODEL_RATE_LIMITED", 3, retryable=True)),
    "429 in a moment": (
        Fail(429, message=TOLD, headers={"retry-after": "0.01"}),
        Fate("MODEL_RATE_LIMITED", 3, retryable=True),
    ),
    "429 in an hour": (
        Fail(429, message=TOLD, headers={"retry-after": "3600"}),
        Fate("MODEL_RATE_LIMITED", 1, retryable=True),
    ),
    "500": (Fail(500, message=TOLD), PASSING),
    "502": (Fail(502, message=TOLD), PASSING),
    "503": (Fail(503, message=TOLD), PASSING),
    "504": (Fail(504, message=TOLD), Fate("MODEL_TIMEOUT", 3, retryable=True)),
    "529": (Fail(529, message=TOLD), PASSING),
}


async def asked(house: House, wire: str, *answers: Answer) -> list[pb.AssistEvent]:
    with house.scripted(wire, *answers, intents=QUESTION.intents):
        return await house.assist(input_value="tell me about flows", provider=wire)


def streamed(events: list[pb.AssistEvent]) -> str:
    return "".join(event.token.chunk for event in events)


def check(events: list[pb.AssistEvent], fate: Fate) -> None:
    """The end is the one of `fate`, and says nothing of the provider's text, its address or the key."""
    assert failure(events[-1]) == fate.reason
    error = events[-1].error
    assert error.retryable == fate.retryable
    assert 0 < len(error.message) <= 150
    assert error.recommendation
    assert list(error.models_tried) != []
    phases = {phase.phase: phase.calls for phase in error.usage.phases}
    assert phases == {"intent": 1, "main": fate.requests}
    for hidden in ("127.0.0.1", "sk-", "Traceback", "httpx"):
        assert hidden not in str(error)


@every
@pytest.mark.parametrize("status", STATUSES)
async def test_a_status_before_the_first_token(house: House, wire: str, status: str) -> None:
    """A token that WatsonX refuses is renewed first, and the call asked again with the new one."""
    fault, fate = STATUSES[status]
    renewed = (wire, status) == ("watsonx", "401")
    events = await asked(house, wire, *[fault] * (fate.requests + renewed))
    check(events, fate)
    assert streamed(events) == ""
    assert events[-1].error.usage.total_tokens == 10  # the classification's: the failed calls cost nothing


@every
@pytest.mark.parametrize("status", [name for name, (_, fate) in STATUSES.items() if fate.requests == 3])
async def test_a_status_that_passes(house: House, wire: str, status: str) -> None:
    events = await asked(house, wire, STATUSES[status][0], Say(WHOLE))
    end = events[-1].complete
    assert (end.result, streamed(events)) == (WHOLE, WHOLE)
    assert [notice.kind for notice in end.notices] == [pb.NOTICE_KIND_CALL_REPEATED]
    assert end.usage.total_tokens == 10 + 15


BREAKS: dict[str, BreakOff] = {
    "ends without a reason": BreakOff("", "ends"),
    "truncated": BreakOff("", "torn"),
    "reset": BreakOff("", "reset"),
}


@every
@pytest.mark.parametrize("how", BREAKS)
async def test_a_break_before_the_first_token(house: House, wire: str, how: str) -> None:
    events = await asked(house, wire, *[BREAKS[how]] * 3)
    check(events, Fate("ANSWER_BROKEN_OFF", 3, retryable=True))
    assert streamed(events) == ""


@every
@pytest.mark.parametrize("how", BREAKS)
async def test_a_break_that_passes(house: House, wire: str, how: str) -> None:
    events = await asked(house, wire, BREAKS[how], Say(WHOLE))
    assert (events[-1].complete.result, streamed(events)) == (WHOLE, WHOLE)
    assert not events[-1].complete.usage.HasField("total_tokens")  # nobody knows what the broken call cost


@every
@pytest.mark.parametrize("how", BREAKS)
async def test_a_break_after_twenty_tokens(house: House, wire: str, how: str) -> None:
    events = await asked(house, wire, BreakOff(TWENTY, BREAKS[how].how))
    check(events, Fate("ANSWER_BROKEN_OFF", 1, retryable=True))
    assert streamed(events) == TWENTY
    assert not events[-1].error.usage.HasField("total_tokens")


@every
async def test_an_error_in_the_stream_after_twenty_tokens(house: House, wire: str) -> None:
    events = await asked(house, wire, FailInStream("overloaded_error", TOLD, TWENTY))
    check(events, Fate("MODEL_OVERLOADED", 1, retryable=True))
    assert streamed(events) == TWENTY


@every
@pytest.mark.parametrize("end", [BreakOff(how="torn"), Hang()], ids=["torn", "silent"])
async def test_a_break_at_the_end(house: House, wire: str, end: BreakOff | Hang) -> None:
    """Everything was said: how the connection ends is no fault."""
    events = await asked(house, wire, Say(WHOLE, end=end))
    told = events[-1].complete
    assert (told.result, streamed(events), list(told.notices)) == (WHOLE, WHOLE, [])
    assert told.usage.total_tokens == 10 + 15


@every
@pytest.mark.parametrize("how", ["reset", "closed"])
async def test_a_connection_that_is_dropped_before_it_answers(house: House, wire: str, how: str) -> None:
    events = await asked(house, wire, *[Drop(how)] * 3)  # type: ignore[arg-type]
    check(events, Fate("MODEL_UNREACHABLE", 3, retryable=True))
    assert streamed(events) == ""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def responding(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A server whose OpenAI has the Responses API alone, and which has learnt so."""
    folder, chat = tmp_path_factory.mktemp("responding"), Fail(404, message="Only supported in v1/responses.")
    async with Vendor(ResponsesWire(), Script()) as vendor, another(house, folder, vendor.environment) as server:
        learnt = House(server.app, server.channel, {"openai": vendor})
        assert (await responded(learnt, chat, Say(WHOLE)))[-1].complete.result == WHOLE
        yield learnt


async def responded(house: House, *answers: Answer) -> list[pb.AssistEvent]:
    with house.scripted("openai", *answers, intents=QUESTION.intents):
        return await house.assist(input_value="tell me about flows", provider="openai", model_name="gpt-5-pro")


@pytest.mark.parametrize("status", STATUSES)
async def test_a_status_of_the_responses_api(responding: House, status: str) -> None:
    fault, fate = STATUSES[status]
    events = await responded(responding, *[fault] * fate.requests)
    check(events, fate)
    assert streamed(events) == ""


@pytest.mark.parametrize("how", BREAKS)
async def test_a_break_of_the_responses_api(responding: House, how: str) -> None:
    check(await responded(responding, *[BREAKS[how]] * 3), Fate("ANSWER_BROKEN_OFF", 3, retryable=True))
    events = await responded(responding, BreakOff(TWENTY, BREAKS[how].how))
    check(events, Fate("ANSWER_BROKEN_OFF", 1, retryable=True))
    assert streamed(events) == TWENTY
    assert (await responded(responding, BREAKS[how], Say(WHOLE)))[-1].complete.result == WHOLE


@pytest.mark.parametrize("end", [BreakOff(how="torn"), Hang()], ids=["torn", "silent"])
async def test_the_end_of_the_responses_api(responding: House, end: BreakOff | Hang) -> None:
    told = (await responded(responding, Say(WHOLE, end=end)))[-1].complete
    assert (told.result, told.usage.total_tokens) == (WHOLE, 25)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hasty(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """A server that does not wait long."""
    folder = tmp_path_factory.mktemp("hasty")
    async with another(house, folder, first_token_seconds=0.3, between_tokens_seconds=0.3) as server:
        yield server


@every
async def test_a_slow_first_byte(hasty: House, wire: str) -> None:
    events = await asked(hasty, wire, *[Hang("headers")] * 3)
    check(events, Fate("MODEL_TIMEOUT", 3, retryable=True))
    assert streamed(events) == ""


@every
async def test_no_answer_at_all(hasty: House, wire: str) -> None:
    check(await asked(hasty, wire, *[Hang("nothing")] * 3), Fate("MODEL_TIMEOUT", 3, retryable=True))


@every
async def test_silence_after_twenty_tokens(hasty: House, wire: str) -> None:
    events = await asked(hasty, wire, Hang("text", TWENTY))
    check(events, Fate("MODEL_TIMEOUT", 1, retryable=True))
    assert streamed(events) == TWENTY


async def lost(house: House, folder: Path, authority: str, scheme: str) -> dict[str, str]:
    """How a turn of each provider ends whose address leads there: its classification fails as its answer does."""
    environment: dict[str, str] = {}
    for vendor in house.vendors.values():
        wanted = "https" if vendor.wire.tls else scheme
        environment |= vendor.wire.environment(f"{wanted}://{authority}{vendor.wire.base}")
    ends = {}
    async with another(house, folder, environment=environment) as server:
        for wire in house.vendors:
            events = await server.assist(input_value="tell me about flows", provider=wire, model_name="some-model")
            ends[wire] = failure(events[-1])
            assert authority not in str(events[-1])
    return ends


UNREACHABLE = dict.fromkeys(WIRES, "MODEL_UNREACHABLE")


@pytest.mark.parametrize(
    ("authority", "scheme"),
    [("127.0.0.1:1", "http"), ("no-such-host.invalid", "http"), ("127.0.0.1:1", "https")],
    ids=["refused", "no such name", "refused over TLS"],
)
async def test_nobody_at_the_address(house: House, tmp_path: Path, authority: str, scheme: str) -> None:
    assert await lost(house, tmp_path, authority, scheme) == UNREACHABLE


async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What a web server says to a TLS greeting."""
    await reader.read(1)
    writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    writer.close()


async def test_a_server_that_does_not_speak_tls(house: House, tmp_path: Path) -> None:
    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        authority = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        assert await lost(house, tmp_path, authority, "https") == UNREACHABLE


@every
async def test_a_component_is_not_made_of_two_answers(house: House, wire: str) -> None:
    """Nobody hears a component while it is written, so a broken answer is asked for again, whole."""
    whole = answer(GOOD)
    with house.scripted(wire, BreakOff(whole[:200]), Say(whole), intents=(intent(Kind.GENERATE_COMPONENT),)):
        end = (await house.assist(input_value="uppercase, as before", provider=wire))[-1].complete
    assert (end.validated, end.validation_attempts) == (True, 1)
    assert end.component_code.strip() == GOOD.strip()
