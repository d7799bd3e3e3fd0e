import asyncio

import pytest

from flowassist.models.calls import REASONS, BackOff, Caller, stop_of
from flowassist.models.meter import Meter
from flowassist.models.model import UNKNOWN, ModelError, Trouble, Usage, nobody
from flowassist.models.providers.endpoint import Patience
from tests.models.conftest import CALL, Stage
from tests.vendors.script import Answer, BreakOff, Fail, FailInStream, Hang, Say

QUICK = BackOff(first=0.001)
OVERLOADED = Fail(529, "overloaded_error")
LIMITED = Fail(429, "rate_limit_error")


class Turn:
    """A caller, with its meter and what it told."""

    def __init__(self, model: object, back_off: BackOff = QUICK) -> None:
        self.meter, self.repeated, self.heard = Meter(), list[Trouble](), list[str]()
        self.ask = Caller(model, self.meter, lambda error: self.repeated.append(error.trouble), back_off)  # type: ignore[arg-type]


async def test_a_call_is_metered_under_its_phase(stage: Stage) -> None:
    async with stage(Say("one"), Say("two", usage=Usage(1, 2, 3))) as (model, _):
        turn = Turn(model)
        await turn.ask("intent", CALL)
        assert (await turn.ask("answer", CALL, turn.heard.append)).text == "two"
    assert dict(turn.meter.phases) == {"intent": Usage(10, 5, 15), "answer": Usage(1, 2, 3)}
    assert ("".join(turn.heard), turn.repeated) == ("two", [])


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ((OVERLOADED,), [Trouble.OVERLOADED]),
        ((LIMITED, OVERLOADED), [Trouble.RATE_LIMITED, Trouble.OVERLOADED]),
        ((Fail(408), Fail(409)), [Trouble.TIMEOUT, Trouble.OVERLOADED]),
        ((Fail(500), Fail(503)), [Trouble.OVERLOADED] * 2),
    ],
)
async def test_passing_faults_are_repeated_and_cost_nothing(
    stage: Stage, faults: tuple[Answer, ...], told: list[Trouble]
) -> None:
    async with stage(*faults, Say("at last")) as (model, _):
        turn = Turn(model)
        assert (await turn.ask("answer", CALL, turn.heard.append)).text == "at last"
    assert (turn.repeated, "".join(turn.heard)) == (told, "at last")
    assert turn.meter.total == Usage(10, 5, 15)


@pytest.mark.parametrize("fault", [FailInStream("overloaded_error"), BreakOff()])
async def test_a_stream_that_failed_before_its_first_text_is_repeated(stage: Stage, fault: Answer) -> None:
    async with stage(fault, Say("at last")) as (model, _):
        turn = Turn(model)
        assert (await turn.ask("answer", CALL, turn.heard.append)).text == "at last"
    assert turn.meter.total.output is None


async def test_silence_before_the_first_text_is_repeated(stage: Stage) -> None:
    async with stage(Hang(), Say("at last"), patience=Patience(first_event=0.15)) as (model, _):
        turn = Turn(model)
        assert (await turn.ask("answer", CALL, turn.heard.append)).text == "at last"
    assert (turn.repeated, turn.meter.total) == ([Trouble.TIMEOUT], UNKNOWN)


async def test_after_two_repeats_the_fault_is_told(stage: Stage) -> None:
    async with stage(OVERLOADED, OVERLOADED, OVERLOADED) as (model, vendor):
        turn = Turn(model)
        with pytest.raises(ModelError) as caught:
            await turn.ask("answer", CALL)
        assert len(vendor.requests) == 3
    assert (caught.value.trouble, turn.repeated) == (Trouble.OVERLOADED, [Trouble.OVERLOADED] * 2)
    assert turn.meter.total == Usage()


@pytest.mark.parametrize(
    "fault",
    [
        Fail(401, "authentication_error"),
        Fail(402, "billing_error"),
        Fail(403, message="no"),
        Fail(404, message="404 page not found"),
        Fail(400, message="prompt is too long"),
        Fail(400, message="bad"),
    ],
)
async def test_other_faults_are_told_at_once(stage: Stage, fault: Fail) -> None:
    async with stage(fault) as (model, vendor):
        with pytest.raises(ModelError):
            await Turn(model).ask("answer", CALL)
        assert len(vendor.requests) == 1


@pytest.mark.parametrize("fault", [BreakOff("so far", "torn"), FailInStream("overloaded_error", text="so far")])
async def test_nothing_is_said_twice(stage: Stage, fault: Answer) -> None:
    async with stage(fault) as (model, vendor):
        turn = Turn(model)
        with pytest.raises(ModelError):
            await turn.ask("answer", CALL, turn.heard.append)
        assert (turn.heard, len(vendor.requests)) == (["so far"], 1)


async def test_what_nobody_heard_can_be_asked_again(stage: Stage) -> None:
    async with stage(BreakOff("so far"), Say("whole")) as (model, _):
        assert (await Turn(model).ask("component", CALL, nobody)).text == "whole"


async def test_nobody_at_the_address(stage: Stage) -> None:
    async with stage() as (model, vendor):
        await vendor.stop_listening()
        turn = Turn(model)
        with pytest.raises(ModelError):
            await turn.ask("answer", CALL)
    assert (turn.repeated, turn.meter.total) == ([Trouble.UNREACHABLE] * 2, Usage())


async def test_a_cancelled_call_may_have_cost_anything(stage: Stage) -> None:
    async with stage(Hang("text", "so far")) as (model, vendor):
        turn, said = Turn(model), asyncio.Event()
        asking = asyncio.create_task(turn.ask("answer", CALL, lambda _: said.set()))
        await said.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await vendor.requests[0].closed.wait()
    assert (turn.meter.total, turn.repeated) == (UNKNOWN, [])


async def test_a_cancelled_pause_costs_nothing(stage: Stage) -> None:
    async with stage(OVERLOADED) as (model, vendor):
        meter, paused = Meter(), asyncio.Event()
        ask = Caller(model, meter, lambda _: paused.set(), BackOff(first=9.0))
        asking = asyncio.create_task(ask("answer", CALL))
        await paused.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (meter.total, len(vendor.requests)) == (Usage(), 1)


async def test_a_hearer_that_raises_is_metered_too(stage: Stage) -> None:
    def hear(_: str) -> None:
        raise LookupError

    async with stage(Say("text")) as (model, _):
        turn = Turn(model)
        with pytest.raises(LookupError):
            await turn.ask("answer", CALL, hear)
    assert turn.meter.total == UNKNOWN


def test_pauses_double_and_vary() -> None:
    for _ in range(50):
        first, second = BackOff().pause(0, None), BackOff().pause(1, None)
        assert first is not None
        assert second is not None
        assert 0.5 <= first <= 0.75
        assert 1.0 <= second <= 1.5


@pytest.mark.parametrize(("wanted", "pause"), [(7.0, 7.0), (10.0, 10.0), (10.1, None), (3600.0, None)])
def test_a_provider_gets_the_time_that_it_wants_up_to_a_limit(wanted: float, pause: float | None) -> None:
    assert BackOff().pause(0, wanted) == pause


async def test_a_long_wait_is_left_to_the_caller(stage: Stage) -> None:
    async with stage(Fail(429, "rate_limit_error", headers={"retry-after": "60"})) as (model, vendor):
        with pytest.raises(ModelError) as caught:
            await Turn(model).ask("answer", CALL)
        assert (caught.value.retry_after, len(vendor.requests)) == (60.0, 1)


def test_every_trouble_ends_a_turn_for_its_own_reason() -> None:
    assert set(REASONS) == set(Trouble)
    assert len(set(REASONS.values())) == len(REASONS)


@pytest.mark.parametrize("trouble", list(Trouble))
def test_the_providers_text_stays_out_of_the_stop(trouble: Trouble) -> None:
    stop = stop_of(ModelError(trouble, "sk-secret at http://internal"))
    assert (stop.reason, str(stop)) == (REASONS[trouble], REASONS[trouble].meaning.text)
