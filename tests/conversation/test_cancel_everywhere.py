"""Cancels a turn at every point at which it waits, and looks at what is left."""

import asyncio
import uuid
from dataclasses import dataclass

import psutil
import pytest

from flowassist.rpc.owner import LOCAL
from flowassist.turns.asked import Asked
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb
from tests.conversation.conftest import House, lineups
from tests.conversation.scenarios import SCENARIOS, Scenario
from tests.conversation.stepper import Stepper
from tests.jobs import jobs
from tests.vendors.script import Script
from tests.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]
POOLED = 1  # a connection whose call was answered whole stays open for the next


@dataclass
class Run:
    turn: Turn
    events: list[pb.AssistEvent]
    reached: bool


async def cancelled_at(house: House, scenario: Scenario, wire: str, number: int) -> Run:
    """The scenario, cancelled while it waits for the `number`-th time."""
    vendor = house.vendors[wire]
    vendor.chooser, vendor.requests = Script(*scenario.answers).when("intent", *scenario.intents), []
    storyteller = house.app.server.service.storyteller
    steppers: list[Stepper] = []

    async def tell(turn: Turn) -> pb.Complete:
        stop = lambda: turn.cancel(pb.CANCEL_REASON_USER)  # noqa: E731
        steppers.append(Stepper(storyteller.tell(turn), number, stop))
        end: pb.Complete = await steppers[0]
        return end

    asked = Asked(
        scenario.text, f"agentic_{uuid.uuid4()}", new_session=False, attempts=scenario.fields.get("max_retries", 3)
    )
    turn = house.app.turns.begin(asked, LOCAL, await lineups(house, wire), tell)
    async with asyncio.timeout(20):
        events = [pb.AssistEvent.FromString(raw) async for raw in turn.log.read()]
        for request in vendor.requests:
            await request.done.wait()
    house.app.turns.left(turn)
    await until(lambda: not house.app.turns.running and vendor.open_connections <= POOLED)
    vendor.chooser = Script()
    return Run(turn, events, bool(steppers) and steppers[0].suspensions >= number)


def children_of_the_sandbox() -> list[psutil.Process]:
    return [job for process in psutil.Process().children() for job in jobs(process.pid)]


async def all_children_gone() -> None:
    await until(lambda: not any(child.is_running() for child in children_of_the_sandbox()), within=1)


def assert_clean(run: Run) -> None:
    ends = [event for event in run.events if event.WhichOneof("event") in {"complete", "error", "cancelled"}]
    assert ends == run.events[-1:]
    assert [event.sequence for event in run.events] == list(range(1, len(run.events) + 1))
    assert_balanced(run)


async def assert_remembered_whole(house: House, run: Run) -> None:
    """A turn is in the session's memory if it completed, and then with its question and its answer."""
    kept = await house.app.store.of(LOCAL).history(run.turn.asked.session_id, 6)
    expected = run.turn.exchange if run.events[-1].WhichOneof("event") == "complete" else None
    assert kept == ((expected,) if expected else ())


def assert_balanced(run: Run) -> None:
    """The end tells what the meter holds, and running usage never decreased."""
    end = run.events[-1]
    usage = getattr(end, end.WhichOneof("event") or "").usage
    total = run.turn._asking.meter.total
    assert (usage.total_tokens if usage.HasField("total_tokens") else None) == total.total
    said = [event.progress.usage.total_tokens for event in run.events if event.progress.usage.HasField("total_tokens")]
    assert said == sorted(said)


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_cancelled_at_every_wait(house: House, scenario: Scenario, wire: str) -> None:
    number = 1
    while (run := await cancelled_at(house, scenario, wire, number)).reached:
        assert run.events[-1].WhichOneof("event") in {"cancelled", "complete"}
        assert_clean(run)
        await assert_remembered_whole(house, run)
        await all_children_gone()
        number += 1
    assert number > 1
    assert run.events[-1].WhichOneof("event") == "complete"
    assert_clean(run)


async def test_cancelled_before_it_began(house: House) -> None:
    with house.scripted("openai"):
        asked = Asked("hello", f"agentic_{uuid.uuid4()}", new_session=True)
        tell = house.app.server.service.storyteller.tell
        turn = house.app.turns.begin(asked, LOCAL, await lineups(house, "openai"), tell)
        turn.cancel(pb.CANCEL_REASON_USER)
        events = [pb.AssistEvent.FromString(raw) async for raw in turn.log.read()]
        house.app.turns.left(turn)
    assert [event.WhichOneof("event") for event in events] == ["cancelled"]
    assert events[0].cancelled.message == "Generation cancelled by user"


async def test_the_first_reason_wins(house: House) -> None:
    waiting = asyncio.Event()

    async def tell(turn: Turn) -> pb.Complete:
        waiting.set()
        await asyncio.Event().wait()
        return pb.Complete()

    asked = Asked("hello", f"agentic_{uuid.uuid4()}", new_session=True)
    turn = house.app.turns.begin(asked, LOCAL, await lineups(house, "openai"), tell)
    await waiting.wait()
    turn.cancel(pb.CANCEL_REASON_USER)
    turn.cancel(pb.CANCEL_REASON_SHUTDOWN)
    events = [pb.AssistEvent.FromString(raw) async for raw in turn.log.read()]
    house.app.turns.left(turn)
    assert events[-1].cancelled.reason == pb.CANCEL_REASON_USER
