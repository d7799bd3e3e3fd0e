"""Calls that take their time without being a turn: let in until the server drains, and then not kept for ever."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from flowassist.errors import Reason, Refused

T = TypeVar("T")


class Admission:
    """Each call is let in by `through`; `drain` ends them."""

    def __init__(self) -> None:
        self._open = True
        self._limits: set[asyncio.Timeout] = set()
        self._empty = asyncio.Event()

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """What `call` gives. Raises Refused: DRAINING, also where the server drains before it is done."""
        if not self._open:
            raise Refused(Reason.DRAINING)
        limit = asyncio.timeout(None)
        self._limits.add(limit)
        try:
            async with limit:
                return await call()
        except TimeoutError:
            if limit.expired():
                raise Refused(Reason.DRAINING) from None
            raise
        finally:
            self._limits.discard(limit)
            if not self._limits:
                self._empty.set()

    async def drain(self, seconds: float) -> None:
        """Let nothing in any more; what is inside may end by itself for `seconds`, and is ended then."""
        self._open = False
        deadline = asyncio.get_running_loop().time() + seconds
        for limit in self._limits:
            limit.reschedule(deadline)
        while self._limits:
            self._empty.clear()
            await self._empty.wait()
