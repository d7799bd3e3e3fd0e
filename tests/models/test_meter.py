import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.models.meter import Meter, Phase
from flowassist.models.model import UNKNOWN, Usage

NUMBERS = st.none() | st.integers(0, 10**6)
USAGES = st.builds(Usage, NUMBERS, NUMBERS, NUMBERS)
CALLS = st.lists(st.tuples(st.sampled_from(["intent", "answer", "component"]), USAGES), max_size=12)


def metered(calls: list[tuple[str, Usage]]) -> Meter:
    meter = Meter()
    for phase, usage in calls:
        meter.add(phase, usage)
    return meter


@given(CALLS)
def test_the_total_is_the_sum_of_the_calls_or_unknown(calls: list[tuple[str, Usage]]) -> None:
    total = metered(calls).total
    for name in ("input", "output", "total"):
        numbers = [getattr(usage, name) for _, usage in calls]
        assert getattr(total, name) == (None if None in numbers else sum(numbers))


@given(CALLS, CALLS)
def test_a_known_number_never_decreases_and_an_unknown_one_stays_unknown(
    before: list[tuple[str, Usage]], after: list[tuple[str, Usage]]
) -> None:
    early, late = metered(before).total, metered(before + after).total
    for name in ("input", "output", "total"):
        one, two = getattr(early, name), getattr(late, name)
        assert two is None or (one is not None and two >= one)


@given(CALLS)
def test_phases_stand_in_the_order_in_which_they_began(calls: list[tuple[str, Usage]]) -> None:
    assert list(metered(calls).phases) == list(dict.fromkeys(phase for phase, _ in calls))


def test_nothing_is_nothing() -> None:
    assert (Meter().total, dict(Meter().phases)) == (Usage(0, 0, 0), {})


def test_one_unknown_call_makes_its_phase_and_the_total_unknown() -> None:
    meter = metered([("intent", Usage(1, 2, 3)), ("answer", UNKNOWN), ("answer", Usage(1, 1, 2))])
    assert dict(meter.phases) == {"intent": Phase(1, Usage(1, 2, 3)), "answer": Phase(2, UNKNOWN)}
    assert meter.total == UNKNOWN


def test_nobody_else_writes_to_it() -> None:
    with pytest.raises(TypeError):
        Meter().phases["intent"] = Phase()  # type: ignore[index]
