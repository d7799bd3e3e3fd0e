"""Awaiting httpx without losing its connections.

httpcore gives a connection back behind a checkpoint that it believes shielded, but anyio shields it from anyio's own
cancel scopes only. A task that is cancelled just then leaves the connection open and busy for ever.
"""

import asyncio
from collections.abc import Coroutine, Generator
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Steady(Generic[T]):
    """Awaits `work`; a cancel that meets it at a mere checkpoint is raised when it next waits for something, or ends.

    Not for work whose result must be closed: a cancel at its end loses it.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work

    def __await__(self) -> Generator[Any, Any, T]:
        step, cancelled = partial(self._work.send, None), None
        while True:
            try:
                waited = step()
            except StopIteration as done:
                if cancelled:
                    raise cancelled from None
                result: T = done.value
                return result
            try:
                if cancelled and waited is not None:
                    raise cancelled  # noqa: TRY301 - as if the cancel came now
                step = partial(self._work.send, (yield waited))
            except asyncio.CancelledError as error:
                cancelled = error if waited is None else None
                step = partial(self._work.throw, error) if waited is not None else partial(self._work.send, None)
            except GeneratorExit:
                self._work.close()
                raise
            except BaseException as error:  # noqa: BLE001 - what the waited for ended with is the work's to see
                step = partial(self._work.throw, error)
