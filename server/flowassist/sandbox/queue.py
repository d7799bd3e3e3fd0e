"""Who runs next: a bounded number of places, given to owners in turn, and a bounded number of those who wait."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from flowassist.sandbox.boundary import SandboxBusy

_Turn = asyncio.Future[None]


class Queue:
    """At most `places` are inside at once and at most `waiting` wait. Owners that wait are served one after the other,
    each in its own order.

    Where as many wait as may, a newcomer is refused, unless another owner has more waiting: then that owner's last is.
    """

    def __init__(self, places: int, waiting: int) -> None:
        self._free, self._limit = places, waiting
        self._lines: dict[str, deque[_Turn]] = {}  # none is empty; the first owner is next; no place is free beside one

    @property
    def waiting(self) -> int:
        return sum(map(len, self._lines.values()))

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        """Wait for a place and hold it inside. Raises SandboxBusy."""
        await self._take(owner)
        try:
            yield
        finally:
            self._give()

    async def _take(self, owner: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = self._join(owner)
        try:
            await asyncio.shield(turn)  # it stays in its line until it leaves it by itself
        except asyncio.CancelledError:
            self._leave(owner, turn)
            raise

    def _give(self) -> None:
        """To the next who waits, if anybody does."""
        if not self._lines:
            self._free += 1
            return
        owner = next(iter(self._lines))
        line = self._lines.pop(owner)
        line.popleft().set_result(None)
        if line:
            self._lines[owner] = line  # behind the others

    def _join(self, owner: str) -> _Turn:
        if self.waiting >= self._limit:
            self._make_room(owner)
        turn: _Turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(owner, deque()).append(turn)
        return turn

    def _make_room(self, owner: str) -> None:
        busiest = max(self._lines, key=lambda other: len(self._lines[other]), default=owner)
        if len(self._lines.get(busiest, ())) <= len(self._lines.get(owner, ())) + 1:
            raise SandboxBusy(self._limit)
        self._lines[busiest].pop().set_exception(SandboxBusy(self._limit))

    def _leave(self, owner: str, turn: _Turn) -> None:
        """A cancel may come together with the place, which goes to the next one, or with a refusal."""
        if not turn.done():
            self._forget(owner, turn)
        elif not turn.exception():
            self._give()

    def _forget(self, owner: str, turn: _Turn) -> None:
        self._lines[owner].remove(turn)
        if not self._lines[owner]:
            del self._lines[owner]


class Room:
    """Many share it, or one has it alone. Who comes after one that wants it alone waits behind it."""

    def __init__(self) -> None:
        self._door = asyncio.Lock()
        self._inside = 0
        self._empty = asyncio.Event()
        self._empty.set()

    @asynccontextmanager
    async def shared(self) -> AsyncIterator[None]:
        async with self._door:
            self._inside += 1
            self._empty.clear()
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                self._empty.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        async with self._door:
            await self._empty.wait()
            yield
