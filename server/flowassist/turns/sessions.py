"""Turns of one session wait for each other."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable

Key = tuple[str, str]
Place = asyncio.Future[None]


class Sessions:
    """A line for each (owner, session); its head may run."""

    def __init__(self) -> None:
        self._lines: dict[Key, deque[Place]] = defaultdict(deque)

    def join(self, key: Key) -> Place:
        """A place at the end of the line. Give it back with `leave`, whatever happens."""
        place: Place = asyncio.get_running_loop().create_future()
        self._lines[key].append(place)
        self._call_head(key)
        return place

    async def reach_head(self, key: Key, place: Place, waits: Callable[[int], None]) -> None:
        """Return when it is `place`'s turn; before that tell `waits` how many stand before it."""
        if not place.done():
            waits(self._lines[key].index(place))
            await place

    def leave(self, key: Key, place: Place) -> None:
        line = self._lines[key]
        line.remove(place)
        if line:
            self._call_head(key)
        else:
            del self._lines[key]

    def _call_head(self, key: Key) -> None:
        head = self._lines[key][0]
        if not head.done():
            head.set_result(None)
