import asyncio
from copy import copy
from dataclasses import replace

import pytest

from flowassist.errors import Reason, Stop
from flowassist.models.access import Access
from flowassist.models.calls import BackOff, Caller, Unwatched
from flowassist.models.lineup import Lineup
from flowassist.models.meter import Meter, Phase
from flowassist.models.model import UNKNOWN, Lessons, Model, ModelError, Remedy, Trouble, Usage, nobody
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.registry import WIRES
from flowassist.secret import Secret
from tests.models.conftest import CALL, Stage, staged
from tests.vendors.script import Answer, BreakOff, Fail, FailInStream, Hang, Say

QUICK = BackOff(first=0.001)
OVERLOADED = Fail(529, "overloaded_error")
LIMITED = Fail(429, "rate_limit_error")
GONE = Fail(404, "model_not_found", "The model does not exist or you do not have access to it.")
COLD = Fail(400, message="Unsupported value: 'temperature' does not support 0.1 with this model.")
OLD = Fail(400, message="Unrecognized request argument supplied: max_completion_tokens")
NEW = Fail(400, message="Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
WARM = replace(CALL, temperature=0.1)


def named(model: Model, name: str) -> Model:
    """Another model at the same endpoint."""
    other = copy(model)
    other.name, other.lessons = name, Lessons(model.lessons.possible)
    return other


class Turn:
    """A caller, with its meter and what it told."""

    def __init__(self, model: Model, back_off: BackOff = QUICK, more: tuple[str, ...] = ()) -> None:
        self.meter, self.told, self.heard = Meter(), Told(), list[str]()
        self.lineup = Lineup(
            model.provider, (model.name, *more), lambda name: model if name == model.name else named(model, name)
        )
        self.ask = Caller(self.lineup, self.meter, self.told, back_off)


class Told(Unwatched):
    """What a caller told."""

    def __init__(self) -> None:
        self.repeats, self.remedies, self.moves = list[Trouble](), list[Remedy](), list[str]()

    def repeated(self, model: Model, error: ModelError) -> None:
        self.repeats.append(error.trouble)

    def adapted(self, model: Model, remedy: Remedy) -> None:
        self.remedies.append(remedy)

    def moved_on(self, left: Model, to: Model, lineup: Lineup) -> None:
        self.moves.append(f"{left.name} to {to.name} after {', '.join(lineup.tried[:-1])}")


async def test_a_call_is_metered_under_its_phase(stage: Stage) -> None:
    async with stage(Say("one"), Say("two", usage=Usage(1, 2, 3))) as (model, _):
        turn = Turn(model)
        await turn.ask("intent", CALL)
        assert (await turn.ask("answer", CALL, turn.heard.append)).text == "two"
    assert dict(turn.meter.phases) == {"intent": Phase(1, Usage(10, 5, 15)), "answer": Phase(1, Usage(1, 2, 3))}
    assert ("".join(turn.heard), turn.told.repeats) == ("two", [])


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
    assert (turn.told.repeats, "".join(turn.heard)) == (told, "at last")
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
    assert (turn.told.repeats, turn.meter.total) == ([Trouble.TIMEOUT], UNKNOWN)


async def test_after_two_repeats_the_fault_is_told(stage: Stage) -> None:
    async with stage(OVERLOADED, OVERLOADED, OVERLOADED) as (model, vendor):
        turn = Turn(model)
        with pytest.raises(ModelError) as caught:
            await turn.ask("answer", CALL)
        assert len(vendor.requests) == 3
    assert (caught.value.trouble, turn.told.repeats) == (Trouble.OVERLOADED, [Trouble.OVERLOADED] * 2)
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
        turn = Turn(model)
        with pytest.raises(ModelError):
            await turn.ask("answer", CALL)
        assert (len(vendor.requests), turn.meter.phases["answer"].calls) == (1, 1)


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
    """A request over a connection that was kept, for the list of models, may have been read before it closed."""
    async with stage() as (model, vendor):
        cost = UNKNOWN if vendor.open_connections else Usage()
        await vendor.stop_listening()
        turn = Turn(model)
        with pytest.raises(ModelError):
            await turn.ask("answer", CALL)
    assert (turn.told.repeats, turn.meter.total) == ([Trouble.UNREACHABLE] * 2, cost)


async def test_a_cancelled_call_costs_what_the_provider_has_told(stage: Stage) -> None:
    async with stage(Hang("text", "so far")) as (model, vendor):
        turn, said = Turn(model), asyncio.Event()
        asking = asyncio.create_task(turn.ask("answer", CALL, lambda _: said.set()))
        await said.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await vendor.requests[0].closed.wait()
    phase = turn.meter.phases["answer"]
    told = 10 if model.provider == "anthropic" else None  # the only one that tells it before its answer
    assert (phase.calls, phase.usage, turn.told.repeats) == (1, Usage(told, None, None), [])


async def test_a_cancelled_pause_costs_nothing(stage: Stage) -> None:
    async with stage(OVERLOADED) as (model, vendor):
        turn, paused = Turn(model, BackOff(first=9.0)), asyncio.Event()
        turn.told.repeated = lambda *_: paused.set()  # type: ignore[method-assign]
        asking = asyncio.create_task(turn.ask("answer", CALL))
        await paused.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (turn.meter.total, len(vendor.requests)) == (Usage(), 1)


async def test_a_hearer_that_raises_is_metered_too(stage: Stage) -> None:
    def hear(_: str) -> None:
        raise LookupError

    async with stage(Say("text")) as (model, _):
        turn = Turn(model)
        with pytest.raises(LookupError):
            await turn.ask("answer", CALL, hear)
    assert turn.meter.phases["answer"].calls == 1


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


def asked(requests: list) -> list[str]:  # type: ignore[type-arg]
    """Which models were asked."""
    return [request.body["model"] for request in requests]


async def test_a_model_that_cannot_be_had_is_left_for_the_next() -> None:
    async with staged("openai", GONE, Say("of b"), Say("of b again")) as (model, vendor):
        turn = Turn(named(model, "a"), more=("b", "c"))
        assert (await turn.ask("answer", CALL, turn.heard.append)).text == "of b"
        assert (await turn.ask("answer", CALL)).text == "of b again"
        assert asked(vendor.requests) == ["a", "b", "b"]
        assert [request.body["messages"] for request in vendor.requests[:2]] == [
            vendor.requests[0].body["messages"]
        ] * 2
    assert (turn.told.moves, turn.told.repeats, "".join(turn.heard)) == (["a to b after a"], [], "of b")
    assert turn.meter.phases["answer"].calls == 3


async def test_when_no_model_can_be_had_all_are_named() -> None:
    async with staged("openai", GONE, GONE, GONE) as (model, vendor):
        turn = Turn(named(model, "a"), more=("b", "b", "a", "c"))
        with pytest.raises(Stop) as caught:
            await turn.ask("answer", CALL)
        assert asked(vendor.requests) == ["a", "b", "c"]
    assert caught.value.reason is Reason.MODELS_EXHAUSTED
    assert str(caught.value).startswith("No accessible model on openai. Tried: a, b, c. Configure access")
    assert turn.told.moves == ["a to b after a", "b to c after a, b"]


@pytest.mark.parametrize("fault", [Fail(401, "invalid_api_key"), Fail(429, "insufficient_quota"), Fail(403), Fail(400)])
async def test_other_faults_leave_the_model_as_it_is(fault: Fail) -> None:
    async with staged("openai", fault) as (model, vendor):
        turn = Turn(named(model, "a"), more=("b",))
        with pytest.raises(ModelError):
            await turn.ask("answer", CALL)
        assert asked(vendor.requests) == ["a"]


async def test_a_model_that_leaves_in_mid_answer_is_not_replaced() -> None:
    async with staged("openai", FailInStream("model_not_found", text="so far")) as (model, vendor):
        turn = Turn(named(model, "a"), more=("b",))
        with pytest.raises(ModelError) as caught:
            await turn.ask("answer", CALL, turn.heard.append)
        assert (asked(vendor.requests), turn.heard, caught.value.trouble) == (["a"], ["so far"], Trouble.NOT_AVAILABLE)


async def test_a_refused_parameter_is_left_out_and_that_is_remembered_once_it_worked() -> None:
    async with staged("openai", COLD, Say("one"), Say("two")) as (model, vendor):
        warm = named(model, "gpt-4o")
        turn = Turn(warm)
        assert (await turn.ask("answer", WARM, turn.heard.append)).text == "one"
        assert (await Turn(warm).ask("answer", WARM)).text == "two"
        assert ["temperature" in request.body for request in vendor.requests] == [True, False, False]
    assert (turn.told.remedies, turn.told.repeats) == ([Remedy.NO_TEMPERATURE], [])
    assert warm.lessons.worked == {Remedy.NO_TEMPERATURE}


async def test_a_remedy_that_another_turn_learnt_meanwhile_is_followed() -> None:
    async with staged("openai_compatible", COLD, Say("hi")) as (model, vendor):
        turn = Turn(model)
        asking = asyncio.ensure_future(turn.ask("main", WARM))
        await vendor.arrivals.get()
        model.lessons.worked = frozenset({Remedy.NO_TEMPERATURE})
        assert (await asking).text == "hi"
    assert "temperature" not in vendor.requests[-1].body


async def test_a_remedy_that_did_not_help_is_not_remembered() -> None:
    async with staged("openai", COLD, Fail(401, "invalid_api_key"), COLD, COLD) as (model, vendor):
        warm = named(model, "gpt-4o")
        for trouble in (Trouble.AUTHENTICATION, Trouble.BAD_REQUEST):
            with pytest.raises(ModelError) as caught:
                await Turn(warm).ask("answer", WARM)
            assert caught.value.trouble is trouble
        assert ["temperature" in request.body for request in vendor.requests] == [True, False, True, False]
    assert warm.lessons.worked == set()


async def test_opposite_remedies_are_each_tried_once() -> None:
    async with staged("openai", NEW, OLD, NEW) as (model, vendor):
        with pytest.raises(ModelError):
            await Turn(model).ask("answer", CALL)
        limits = [sorted({"max_tokens", "max_completion_tokens"} & set(request.body)) for request in vendor.requests]
    assert limits == [["max_tokens"], ["max_completion_tokens"], ["max_tokens"]]


async def test_what_one_model_taught_is_not_taken_for_another() -> None:
    async with staged("openai", COLD, GONE, Say("of b")) as (model, vendor):
        turn = Turn(named(model, "gpt-4o"), more=("gpt-4.1",))
        assert (await turn.ask("answer", WARM)).text == "of b"
        assert [(r.body["model"], "temperature" in r.body) for r in vendor.requests] == [
            ("gpt-4o", True),
            ("gpt-4o", False),
            ("gpt-4.1", True),
        ]


async def test_what_one_model_taught_stays_with_it() -> None:
    """As models come from one endpoint, which remembers for all of them."""
    access = Access("ann", "http://127.0.0.1:1", Secret("sk-1"))
    place = WIRES["openai"].endpoint(access, Patience())
    one, same, another = (WIRES["openai"].model(place, name) for name in ("gpt-4o", "gpt-4o", "gpt-4.1"))
    one.lessons.worked = frozenset({Remedy.NO_TEMPERATURE})
    assert (same.lessons.worked, another.lessons.worked) == ({Remedy.NO_TEMPERATURE}, frozenset())
    await place.aclose()


async def test_asking_otherwise_comes_before_another_model() -> None:
    chat = Fail(404, message="This is not a chat model and thus not supported in the v1/chat/completions endpoint.")
    async with staged("openai", chat, Fail(401)) as (model, vendor):
        turn = Turn(named(model, "gpt-4o"), more=("gpt-4.1",))
        with pytest.raises(ModelError):
            await turn.ask("answer", CALL)
        assert [(r.path.rpartition("/")[2], r.body["model"]) for r in vendor.requests] == [
            ("completions", "gpt-4o"),
            ("responses", "gpt-4o"),
        ]
    assert (turn.told.remedies, turn.told.moves) == ([Remedy.RESPONSES], [])


async def test_a_remedy_that_the_wire_cannot_follow_is_not_tried() -> None:
    async with staged("anthropic", OLD) as (model, vendor):
        with pytest.raises(ModelError):
            await Turn(model).ask("answer", CALL)
        assert len(vendor.requests) == 1


async def test_a_remedy_that_was_followed_already_is_not_tried_again() -> None:
    async with staged("openai", COLD) as (model, vendor):
        warm = named(model, "gpt-4o")
        warm.lessons.worked = frozenset({Remedy.NO_TEMPERATURE})
        with pytest.raises(ModelError):
            await Turn(warm).ask("answer", WARM)
        assert len(vendor.requests) == 1


async def test_repeats_are_counted_over_models() -> None:
    async with staged("openai", OVERLOADED, GONE, OVERLOADED, OVERLOADED) as (model, vendor):
        with pytest.raises(ModelError) as caught:
            await Turn(named(model, "gpt-4o"), more=("gpt-4.1",)).ask("answer", CALL)
        assert (caught.value.trouble, len(vendor.requests)) == (Trouble.OVERLOADED, 4)


async def test_a_remedy_is_not_taken_after_text_was_heard() -> None:
    late = FailInStream("", "'temperature' is not supported", text="so far")
    async with staged("openai", late) as (model, vendor):
        turn = Turn(named(model, "gpt-4o"))
        with pytest.raises(ModelError):
            await turn.ask("answer", WARM, turn.heard.append)
        assert (len(vendor.requests), turn.heard) == (1, ["so far"])


async def test_repeats_are_counted_over_models_and_remedies() -> None:
    async with staged("openai", OVERLOADED, COLD, OVERLOADED, OVERLOADED) as (model, vendor):
        turn = Turn(named(model, "gpt-4o"))
        with pytest.raises(ModelError) as caught:
            await turn.ask("answer", WARM)
        assert (caught.value.trouble, len(vendor.requests)) == (Trouble.OVERLOADED, 4)
