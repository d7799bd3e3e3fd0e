"""What is tried next after attempts that failed: the same way once more with the fault told, or another way.

A model that makes the same fault twice makes it a third time. It is then asked otherwise: for a typed spec instead of
free code, without what it wrote before its eyes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from flowassist.components.reading import read
from flowassist.components.report import Verdict
from flowassist.components.spec import can_say
from flowassist.models.model import Strength

_MOST_LESSONS, _LONGEST_LESSON = 5, 300  # characters
NO_CODE = "The answer holds no code."


class Manner(Enum):
    """How a component is written: as a whole module, or as a typed spec and one function to fill it."""

    CODE = "code"
    SPEC = "spec"


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt that did not pass: what `model` wrote, and why it failed."""

    text: str
    verdict: Verdict
    manner: Manner
    model: str

    @property
    def is_codeless(self) -> bool:
        return self.verdict.error == NO_CODE


@dataclass(frozen=True, slots=True)
class Plan:
    """The next attempt. `over` is the failed one to be put right; None: nothing of it is shown to the model.

    `lessons` are the faults so far that are not told with `over`, the oldest first.
    """

    manner: Manner
    over: Failed | None = None
    lessons: tuple[str, ...] = ()


def home(strength: Strength) -> Manner:
    """How a model writes at first."""
    return Manner.SPEC if strength is Strength.WEAK else Manner.CODE


def plan(failed: Sequence[Failed], strength: Strength) -> Plan:
    """The next attempt of the model that made the last one."""
    if not failed:
        return Plan(home(strength))
    last = failed[-1]
    if not is_stuck(failed):
        return Plan(last.manner, last, _lessons(failed[:-1], besides=last.verdict.error))
    return Plan(_other(last, strength), None, _lessons(failed))


def taken_over(failed: Sequence[Failed], strength: Strength) -> Plan:
    """The next attempt where another model puts right what the last one could not."""
    return Plan(home(strength), failed[-1], _lessons(failed[:-1], besides=failed[-1].verdict.error))


def is_stuck(failed: Sequence[Failed]) -> bool:
    """Whether one more try of the same kind would be a blind one."""
    if failed and failed[-1].is_codeless and failed[-1].manner is Manner.SPEC:
        return True
    if len(failed) < 2:
        return False
    before, last = failed[-2:]
    return (before.manner, before.model) == (last.manner, last.model) and _is_same(before, last)


def _is_same(one: Failed, other: Failed) -> bool:
    """The same fault wherever it stands, or the very same code."""
    if one.is_codeless or other.is_codeless:
        return one.is_codeless and other.is_codeless
    return _fault(one.verdict) == _fault(other.verdict) or one.verdict.code.split() == other.verdict.code.split()


def _fault(verdict: Verdict) -> tuple[str, str]:
    first = next(finding for finding in verdict.report.findings if not finding.warning)
    return first.rule, re.sub(r"\d+", "0", first.message)


def _other(last: Failed, strength: Strength) -> Manner:
    """A spec has one output and plain inputs: what needs more is written as code, but anew."""
    if strength is Strength.WEAK:
        return Manner.SPEC
    anatomy = read(last.verdict.code).anatomy
    fits = anatomy is None or can_say(anatomy)
    return Manner.SPEC if last.manner is Manner.CODE and fits else Manner.CODE


def _lessons(failed: Sequence[Failed], besides: str = "") -> tuple[str, ...]:
    distinct = dict.fromkeys(one.verdict.error for one in failed if one.verdict.error not in {besides, NO_CODE})
    return tuple(error[:_LONGEST_LESSON] for error in distinct)[-_MOST_LESSONS:]
