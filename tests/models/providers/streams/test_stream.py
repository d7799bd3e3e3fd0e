"""What stream.py does beyond what every provider shows: the end of a stream, and its bounds."""

from collections.abc import Mapping

import pytest

from flowassist.models.model import UNKNOWN, Finish, ModelError, Reply, Trouble
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.streams import lines, stream
from tests.models.conftest import CALL
from tests.models.providers.conftest import Stage, staged
from tests.vendors.script import Hang, Idle, Raw

FINISHED: Mapping[str, bytes] = {
    "openai": b'data: {"choices": [{"delta": {"content": "all"}, "finish_reason": "stop"}]}\n\n',
    "anthropic": (
        b'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "all"}}\n\n'
        b'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\n'
    ),
}
ENDED = {"openai": b"data: [DONE]\n\n", "anthropic": b'data: {"type": "message_stop"}\n\n'}
WHOLE = Reply("all", Finish.STOP, UNKNOWN)


@pytest.fixture(params=sorted(FINISHED))
def wire(request: pytest.FixtureRequest) -> str:
    """Wires on which the reason to stop is not yet the end."""
    return str(request.param)


async def test_after_the_reason_to_stop_a_stream_is_waited_for_a_while(stage: Stage, wire: str) -> None:
    patient = Patience(after_finish=0.1)
    async with stage(Raw((FINISHED[wire],), size=10_000, then=Hang()), patience=patient) as (ask, _):
        assert await ask(CALL) == WHOLE


async def test_after_its_last_event_a_stream_is_not_waited_for(stage: Stage, wire: str) -> None:
    body, patient = (FINISHED[wire] + ENDED[wire],), Patience(after_finish=60, after_end=0.05)
    async with stage(Raw(body, size=10_000, then=Hang()), patience=patient) as (ask, _):
        assert await ask(CALL) == WHOLE


async def test_events_do_not_prolong_a_whole_answer(stage: Stage, wire: str) -> None:
    again = FINISHED[wire].replace(b'"all"', b'""')
    idle, patient = Idle(again, "all"), Patience(first_event=60, between_events=60, after_finish=0.1)
    async with stage(idle, patience=patient) as (ask, _):
        assert await ask(CALL) == WHOLE


async def test_an_answer_torn_after_its_reason_to_stop_is_whole(stage: Stage, wire: str) -> None:
    async with stage(Raw((FINISHED[wire],), size=10_000)) as (ask, _):
        assert await ask(CALL) == WHOLE


async def test_events_without_end_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_STREAM_BYTES", 50_000)
    async with staged("openai", Idle(b": much\n\n" * 1000, every=0)) as (ask, _):
        with pytest.raises(ModelError, match="more than 50000 bytes") as caught:
            await ask(CALL)
    assert caught.value.trouble is Trouble.BROKEN_OFF


async def test_an_event_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_EVENT_BYTES", 50_000)
    async with staged("openai", Idle(b"data: " + b"x" * 9_000, every=0)) as (ask, _):
        with pytest.raises(ModelError, match="more than 50000 bytes") as caught:
            await ask(CALL)
    assert caught.value.trouble is Trouble.BROKEN_OFF


async def test_an_event_that_is_no_json_is_told() -> None:
    async with staged("openai", Raw((b"data: {not json}\n\n",))) as (ask, _):
        with pytest.raises(ModelError, match=r"no JSON: '{not json}'"):
            await ask(CALL)


async def test_the_events_before_a_plain_error_are_not_forgotten() -> None:
    """An error that is no event is only looked for where no event came."""
    body = FINISHED["openai"].replace(b'"stop"', b"null") + b'{"error": "no event"}\n\n'
    async with staged("openai", Raw((body,))) as (ask, _):
        with pytest.raises(ModelError, match="without a finish reason") as caught:
            await ask(CALL)
    assert caught.value.heard


@pytest.mark.parametrize("event", [b"data: " + b"[" * 100_000 + b"\n\n", b"[" * 60_000], ids=["an event", "a body"])
async def test_json_without_a_bottom_is_no_answer(event: bytes) -> None:
    async with staged("openai", Raw((event,))) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
    assert caught.value.trouble is Trouble.BROKEN_OFF


@pytest.mark.parametrize("end", [b"data: [DONE]", b"data: [DONE] \n\n", b""], ids=["no line end", "a space", "nothing"])
async def test_what_stands_behind_the_answer_does_not_matter(end: bytes) -> None:
    last = b'data: {"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}]}' + b"\n\n" * bool(
        end
    )
    async with staged("openai", Raw((last + end,))) as (ask, _):
        assert (await ask(CALL)).text == "hi"
