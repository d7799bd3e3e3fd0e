"""The one way in which a turn asks its models: metered, and one policy for what fails.

A fault that may pass is waited for, a parameter that the model refuses is asked otherwise, a model that cannot be had
is left for the next one, and everything else ends the call. Only the failed call is asked again; nothing is asked
again once its text was passed on.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from flowassist.errors import Reason, Stop
from flowassist.models.lineup import Lineup
from flowassist.models.meter import Meter
from flowassist.models.model import UNKNOWN, Call, Hear, Model, ModelError, Remedy, Reply, Trouble, Usage, nobody
from flowassist.models.remedies import remedy_of

PASSING = frozenset(
    {
        Trouble.RATE_LIMITED,
        Trouble.OVERLOADED,
        Trouble.UNREACHABLE,
        Trouble.TIMEOUT,
        Trouble.BROKEN_OFF,
        Trouble.MALFORMED,
    }
)
_OPPOSITE = {Remedy.NEW_LIMIT: Remedy.OLD_LIMIT, Remedy.OLD_LIMIT: Remedy.NEW_LIMIT}
T = TypeVar("T")
Operation = Callable[[Model, frozenset[Remedy]], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class BackOff:
    """Seconds before each repeat: `first`, doubled each time, plus up to half as much again.

    A provider that asks for longer gets it, up to `longest`; one that asks for more is not asked again.
    """

    repeats: int = 2
    first: float = 0.5
    longest: float = 10.0

    def pause(self, repeat: int, wanted: float | None) -> float | None:
        """Seconds before repeat number `repeat` (from 0); None: do not repeat."""
        if repeat >= self.repeats or (wanted or 0.0) > self.longest:
            return None
        own: float = self.first * 2**repeat * random.uniform(1.0, 1.5)  # noqa: S311
        return min(max(own, wanted or 0.0), self.longest)


class Watcher(Protocol):
    """Is told what the policy does."""

    def asked(self, model: Model) -> None:
        """A model is asked, for the first time or again."""
        ...

    def repeated(self, model: Model, error: ModelError) -> None: ...

    def adapted(self, model: Model, remedy: Remedy) -> None: ...

    def moved_on(self, left: Model, to: Model, lineup: Lineup) -> None: ...


class Unwatched:
    """Tells nobody."""

    def asked(self, model: Model) -> None: ...

    def repeated(self, model: Model, error: ModelError) -> None: ...

    def adapted(self, model: Model, remedy: Remedy) -> None: ...

    def moved_on(self, left: Model, to: Model, lineup: Lineup) -> None: ...


class Caller:
    """`Ask` for one turn, over one lineup."""

    def __init__(
        self, lineup: Lineup, meter: Meter, watcher: Watcher | None = None, back_off: BackOff | None = None
    ) -> None:
        self.lineup = lineup
        self._meter, self._watcher, self._back_off = meter, watcher or Unwatched(), back_off or BackOff()

    async def ready(self) -> None:
        """Have the lineup's model loaded, or the first that can be. Raises ModelError, or Stop (MODELS_EXHAUSTED)."""
        await self._way(nobody).through(lambda model, _: model.ready())

    async def __call__(self, phase: str, call: Call, hear: Hear = nobody) -> Reply:
        """Ask until there is an answer or nothing is left to try.

        Raises ModelError, or Stop (MODELS_EXHAUSTED) when no model of the lineup can be had.
        """

        async def once(model: Model, remedies: frozenset[Remedy]) -> Reply:
            return await self._metered(phase, model, call, hear, remedies)

        return await self._way(hear).through(once)

    def _way(self, hear: Hear) -> "_Way":
        return _Way(self.lineup, self._watcher, self._back_off, hear)

    async def _metered(self, phase: str, model: Model, call: Call, hear: Hear, remedies: frozenset[Remedy]) -> Reply:
        """Whatever ends a call is metered; a cancelled one with what its provider had told."""
        usage = UNKNOWN

        def spent(so_far: Usage) -> None:
            nonlocal usage
            usage = so_far

        try:
            reply = await model.reply(call, hear, remedies=remedies, spent=spent)
            usage = reply.usage
        except ModelError as error:
            usage = error.usage
            raise
        finally:
            self._meter.add(phase, usage)
        return reply


class _Way:
    """One call's way through retries, remedies and models."""

    def __init__(self, lineup: Lineup, watcher: Watcher, back_off: BackOff, hear: Hear) -> None:
        self._lineup, self._watcher, self._back_off, self._hear = lineup, watcher, back_off, hear
        self._repeats = 0
        self._learnt: list[Remedy] = []
        self._sent: frozenset[Remedy] = frozenset()

    async def through(self, operation: Operation[T]) -> T:
        while True:
            model = self._lineup.model
            self._watcher.asked(model)
            self._sent = adapted(model.lessons.worked, self._learnt)
            try:
                result = await operation(model, self._sent)
            except ModelError as error:
                pause = self._next(model, error)
            else:
                model.lessons.worked = adapted(model.lessons.worked, self._learnt)
                return result
            await asyncio.sleep(pause)

    def _next(self, model: Model, error: ModelError) -> float:
        """Prepare the next try, and tell how many seconds to wait for it. Raises what ends the call."""
        if error.heard and self._hear is not nobody:
            raise error
        if remedy := self._remedy(model, error):
            self._learnt.append(remedy)
            self._watcher.adapted(model, remedy)
            return 0.0
        if error.trouble is Trouble.NOT_AVAILABLE:
            return self._move_on(model, error)
        return self._repeat(model, error)

    def _remedy(self, model: Model, error: ModelError) -> Remedy | None:
        remedy = remedy_of(error)
        is_new = remedy in model.lessons.possible and remedy not in {*self._sent, *self._learnt}
        return remedy if is_new else None

    def _move_on(self, model: Model, error: ModelError) -> float:
        if not self._lineup.move_on():
            tried = ", ".join(self._lineup.tried)
            raise Stop(Reason.MODELS_EXHAUSTED, provider=self._lineup.provider, tried=tried) from error
        self._learnt.clear()
        self._watcher.moved_on(model, self._lineup.model, self._lineup)
        return 0.0

    def _repeat(self, model: Model, error: ModelError) -> float:
        """An address that answers, but not as a provider does (404, 405, a redirect), is wrong and stays wrong."""
        is_wrong_address = error.trouble is Trouble.UNREACHABLE and error.status is not None
        may_pass = error.trouble in PASSING and not is_wrong_address
        pause = self._back_off.pause(self._repeats, error.retry_after) if may_pass else None
        if pause is None:
            raise error
        self._repeats += 1
        self._watcher.repeated(model, error)
        return pause


def adapted(remedies: frozenset[Remedy], more: list[Remedy]) -> frozenset[Remedy]:
    """`remedies` and `more`, the later ones undoing their opposites."""
    for remedy in more:
        remedies = (remedies - {_OPPOSITE.get(remedy)}) | {remedy}
    return remedies
