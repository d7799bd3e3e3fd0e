"""The one way in which a turn asks its model: metered, and repeated when a fault may pass."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from flowassist.errors import Reason, Stop
from flowassist.models.meter import Meter
from flowassist.models.model import UNKNOWN, Call, Hear, Model, ModelError, Reply, Trouble, nobody

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

REASONS = {
    Trouble.AUTHENTICATION: Reason.MODEL_AUTHENTICATION,
    Trouble.RATE_LIMITED: Reason.MODEL_RATE_LIMITED,
    Trouble.QUOTA: Reason.MODEL_QUOTA,
    Trouble.NOT_AVAILABLE: Reason.MODEL_NOT_AVAILABLE,
    Trouble.OVERLOADED: Reason.MODEL_OVERLOADED,
    Trouble.UNREACHABLE: Reason.MODEL_UNREACHABLE,
    Trouble.TIMEOUT: Reason.MODEL_TIMEOUT,
    Trouble.REFUSED: Reason.MODEL_REFUSED,
    Trouble.CONTEXT_TOO_LONG: Reason.CONTEXT_TOO_LONG,
    Trouble.BAD_REQUEST: Reason.MODEL_BAD_REQUEST,
    Trouble.BROKEN_OFF: Reason.ANSWER_BROKEN_OFF,
    Trouble.FORBIDDEN: Reason.MODEL_FORBIDDEN,
    Trouble.NO_TOOLS: Reason.MODEL_WITHOUT_TOOLS,
    Trouble.MALFORMED: Reason.MODEL_MALFORMED,
    Trouble.TOO_MANY_STEPS: Reason.STEPS_EXHAUSTED,
}


def stop_of(error: ModelError) -> Stop:
    """How a turn ends whose model call failed for good; the provider's own text is not in it."""
    reason = REASONS[error.trouble]
    return Stop(reason, said=".") if reason is Reason.MODEL_BAD_REQUEST else Stop(reason)


def unnoticed(_error: ModelError) -> None:
    """Tells nobody of a repeat."""


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


class Caller:
    """`Ask` for one turn."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        on_repeat: Callable[[ModelError], None] = unnoticed,
        back_off: BackOff | None = None,
    ) -> None:
        self._model, self._meter, self._on_repeat = model, meter, on_repeat
        self._back_off = back_off or BackOff()

    async def __call__(self, phase: str, call: Call, hear: Hear = nobody) -> Reply:
        """Ask until there is an answer or the fault will not pass; never again once `hear` was told something.

        Raises ModelError.
        """
        repeat = 0
        while True:
            try:
                return await self._once(phase, call, hear)
            except ModelError as error:
                pause = self._back_off.pause(repeat, error.retry_after) if _may_pass(error, hear) else None
                if pause is None:
                    raise
                self._on_repeat(error)
            await asyncio.sleep(pause)
            repeat += 1

    async def _once(self, phase: str, call: Call, hear: Hear) -> Reply:
        """Whatever ends a call is metered; a cancelled one may have cost anything."""
        usage = UNKNOWN
        try:
            reply = await self._model.reply(call, hear)
            usage = reply.usage
        except ModelError as error:
            usage = error.usage
            raise
        finally:
            self._meter.add(phase, usage)
        return reply


def _may_pass(error: ModelError, hear: Hear) -> bool:
    """A 404 without a model in it is a wrong address, which stays wrong."""
    unheard = hear is nobody or not error.heard
    return unheard and error.trouble in PASSING and error.status != 404
