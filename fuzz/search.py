"""The search: inputs that came out in a new way are kept and changed further."""

import signal
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from types import FrameType

from fuzz.mutate import mutated
from fuzz.targets import Target

LONGEST_SECONDS = 5.0
_LARGEST_POOL = 2000


@dataclass
class Found:
    """`failures` are inputs with what they raised, one for each kind of exception and its last line."""

    inputs: int = 0
    outcomes: set[Hashable] = field(default_factory=set)
    failures: dict[str, str] = field(default_factory=dict)


class TooLong(Exception):
    """One input took more than `LONGEST_SECONDS`."""


def search(target: Target, seed: int, *, seconds: float = float("inf"), inputs: int = 1 << 62) -> Found:
    """Until the time is over or so many inputs are fed. The same seed and number of inputs finds the same."""
    random, pool, found, until = Random(seed), list(target.seeds), Found(), time.monotonic() + seconds
    for text in target.seeds:
        _feed(target, text, found)
    while found.inputs < inputs and time.monotonic() < until:
        text = mutated(random, pool)
        if _feed(target, text, found) and len(pool) < _LARGEST_POOL:
            pool.append(text)
    return found


def _feed(target: Target, text: str, found: Found) -> bool:
    """Whether it came out in a new way."""
    found.inputs += 1
    try:
        with _limited():
            outcome = target.feed(text)
    except Exception as error:  # noqa: BLE001 - any of them is what is looked for
        found.failures.setdefault(_kind(error), text)
        return False
    is_new = outcome not in found.outcomes
    found.outcomes.add(outcome)
    return is_new


def _kind(error: BaseException) -> str:
    place = error.__traceback__
    while place and place.tb_next:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place else "?"
    return f"{type(error).__name__}: {str(error)[:200]} at {where}"


@contextmanager
def _limited() -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooLong(f"more than {LONGEST_SECONDS:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
