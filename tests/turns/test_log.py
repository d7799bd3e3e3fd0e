import asyncio

import pytest

from flowassist import events
from flowassist.errors import Reason, Stop
from flowassist.turns.log import EventLog, Sealed
from flowassist.v1 import events_pb2 as pb

END = pb.Complete(result="done")


def step() -> pb.Progress:
    return events.progress(pb.STEP_GENERATING)


async def everything(log: EventLog, after: int = 0) -> list[pb.AssistEvent]:
    return [pb.AssistEvent.FromString(raw) async for raw in log.read(after)]


async def test_events_are_numbered_from_one_without_gaps() -> None:
    log = EventLog("t", 1 << 20)
    log.say(step())
    log.hear("a")
    log.say(step())
    log.seal(END)
    read = await everything(log)
    assert [event.sequence for event in read] == [1, 2, 3, 4]
    assert [event.WhichOneof("event") for event in read] == ["progress", "token", "progress", "complete"]
    assert {event.turn_id for event in read} == {"t"}


async def test_text_that_waits_unread_travels_as_one() -> None:
    log = EventLog("t", 1 << 20)
    for chunk in ("He", "ll", "o"):
        log.hear(chunk)
    log.seal(END)
    assert [event.token.chunk for event in await everything(log)] == ["Hello", ""]


async def test_a_waiting_reader_gets_each_piece_as_it_comes() -> None:
    log = EventLog("t", 1 << 20)
    reader = log.read()
    for chunk in ("one", "two"):
        waiting = asyncio.ensure_future(anext(reader))
        await asyncio.sleep(0)
        log.hear(chunk)
        assert pb.AssistEvent.FromString(await waiting).token.chunk == chunk
    await reader.aclose()


async def test_every_reader_sees_the_same() -> None:
    log = EventLog("t", 1 << 20)
    readers = [asyncio.ensure_future(everything(log)) for _ in range(3)]
    for number in range(20):
        log.hear(str(number))
        await asyncio.sleep(0)
    log.seal(END)
    first, *others = await asyncio.gather(*readers)
    assert "".join(event.token.chunk for event in first) == "".join(map(str, range(20)))
    assert all(other == first for other in others)
    assert await everything(log) == first


async def test_reading_on_from_a_number() -> None:
    log = EventLog("t", 1 << 20)
    for _ in range(3):
        log.say(step())
    log.seal(END)
    assert [event.sequence for event in await everything(log, after=2)] == [3, 4]


async def test_nothing_follows_the_end() -> None:
    log = EventLog("t", 1 << 20)
    log.seal(END)
    with pytest.raises(Sealed):
        log.say(step())
    with pytest.raises(Sealed):
        log.hear("x")
    with pytest.raises(Sealed):
        log.seal(END)


@pytest.mark.parametrize("end", [pb.Complete(), pb.Error(), pb.Cancelled()])
def test_an_end_cannot_be_said(end: events.End) -> None:
    with pytest.raises(TypeError, match="ends a turn"):
        EventLog("t", 1 << 20).say(end)  # type: ignore[arg-type]


async def test_a_turn_that_says_too_much_is_stopped_and_can_still_end() -> None:
    log = EventLog("t", 1000)
    for _ in range(10):
        log.hear("x" * 100)
    with pytest.raises(Stop) as stopped:
        log.hear("x" * 100)
    assert stopped.value.reason is Reason.ANSWER_TOO_LARGE
    log.seal(pb.Error())
    assert (await everything(log))[-1].WhichOneof("event") == "error"


async def test_text_is_never_split_inside_a_character() -> None:
    log = EventLog("t", 1 << 20)
    log.hear("\ud83d")
    log.hear("\ude00\0!")
    log.seal(END)
    assert (await everything(log))[0].token.chunk == "😀!"


async def test_a_reader_that_leaves_is_forgotten() -> None:
    log = EventLog("t", 1 << 20)
    log.say(step())
    reader = log.read()
    await anext(reader)
    await reader.aclose()
    assert not log._readers
