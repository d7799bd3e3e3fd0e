"""What providers tell of their models: asked for once at a time, waited for briefly, remembered for a while."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

import structlog

from flowassist.models.catalogue import Listing
from flowassist.models.model import ModelError, Trouble
from flowassist.models.pool import Key, Lease

FRESH_SECONDS, FRESH_FAILURE_SECONDS = 30.0, 5.0
LAST_GOOD_SECONDS = 600.0
REQUEST_SECONDS = 10.0
KEPT = 256
NEVER = float("-inf")

NOT_YET = "its list of models has not come yet"
NOT_HAD = "its list of models could not be had"
_WHY = {
    Trouble.AUTHENTICATION: f"{NOT_HAD}: the key was refused",
    Trouble.FORBIDDEN: f"{NOT_HAD}: this account may not ask for it",
    Trouble.UNREACHABLE: f"{NOT_HAD}: the address cannot be reached",
    Trouble.TIMEOUT: f"{NOT_HAD}: there was no answer in time",
    Trouble.RATE_LIMITED: f"{NOT_HAD}: there were too many requests",
    Trouble.OVERLOADED: f"{NOT_HAD}: the provider has trouble answering",
}

logger = structlog.get_logger("flowassist")


@dataclass(frozen=True, slots=True)
class Told:
    """`models` is None where the provider told none that would still count; `problem` says why, in words."""

    models: tuple[Listing, ...] | None = None
    problem: str = ""


class _Entry:
    """What is known of one access."""

    def __init__(self) -> None:
        self.models: tuple[Listing, ...] | None = None
        self.problem = ""
        self.told_at = self.asked_at = NEVER
        self.asking: asyncio.Task[None] | None = None
        self.built = asyncio.Event()


class Lists:
    """The lists of all accesses.

    A request for a list is shared by all who wait for it and outlives each of them, so it is a task of this class,
    which ends it in `aclose`. It takes REQUEST_SECONDS at most.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._entries: dict[Key, _Entry] = {}

    async def told(self, lease: Lease, seconds: float, *, old_will_do: bool = False) -> Told:
        """What is known after `seconds` at most; at once if it is fresh, or known at all where `old_will_do`.

        The seconds are the provider's: they count from when its client is built, which takes as long itself.
        """
        entry = self._entry(lease.key)
        if not self._is_fresh(entry):
            asking = entry.asking = entry.asking or self._ask(lease, entry)
            if not (old_will_do and entry.asked_at > NEVER):
                await entry.built.wait()
                await asyncio.wait({asking}, timeout=seconds)
        models = self._last_good(entry)
        is_late = entry.asking is not None and not (old_will_do and models)
        return Told(models, entry.problem or (NOT_YET if is_late else ""))

    async def aclose(self) -> None:
        asking = [entry.asking for entry in self._entries.values() if entry.asking]
        self._entries = {}
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    def _entry(self, key: Key) -> _Entry:
        """The access's own, made the youngest; those are forgotten that tell nothing any more, or are too many."""
        entry = self._entries.pop(key, None) or _Entry()
        idle = [old for old, other in self._entries.items() if not other.asking]
        over = set(idle[: max(0, len(self._entries) - KEPT)])
        for old in idle:
            if old in over or self._clock() - self._entries[old].asked_at > LAST_GOOD_SECONDS:
                del self._entries[old]
        self._entries[key] = entry
        return entry

    def _ask(self, lease: Lease, entry: _Entry) -> asyncio.Task[None]:
        entry.built.clear()
        asking = asyncio.create_task(self._asked(lease, entry), name=f"list of {lease.key[0]}")
        asking.add_done_callback(lambda _: entry.built.set())
        return asking

    async def _asked(self, lease: Lease, entry: _Entry) -> None:
        try:
            if lease.wire.asks(lease.endpoint):
                await lease.endpoint.client()
            entry.built.set()
            async with asyncio.timeout(REQUEST_SECONDS):
                entry.models, entry.problem = await lease.listed(), ""
            entry.told_at = self._clock()
        except ModelError as error:
            entry.problem = _WHY.get(error.trouble, NOT_HAD)
            logger.warning("models.no_list", provider=lease.key[0], trouble=error.trouble.value, status=error.status)
        except TimeoutError:
            entry.problem = _WHY[Trouble.TIMEOUT]
        except Exception as error:  # noqa: BLE001 - its traceback would show frames that hold keys
            entry.problem = NOT_HAD
            said = lease.endpoint.key.hidden_in(f"{type(error).__name__}: {error}")
            logger.warning("models.no_list", provider=lease.key[0], reason=said)
        finally:
            entry.asked_at, entry.asking = self._clock(), None

    def _is_fresh(self, entry: _Entry) -> bool:
        lasts = FRESH_FAILURE_SECONDS if entry.problem else FRESH_SECONDS
        return self._clock() - entry.asked_at < lasts

    def _last_good(self, entry: _Entry) -> tuple[Listing, ...] | None:
        return entry.models if self._clock() - entry.told_at < LAST_GOOD_SECONDS else None
