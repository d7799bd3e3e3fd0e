"""Runs a coroutine and does something when it suspends for the n-th time."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any


class Stepper:
    """Await it in place of the coroutine. `suspensions` counts them; `hook` runs while it stays in number `at`."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], at: int, hook: Callable[[], object]) -> None:
        self._coroutine, self._at, self._hook = coroutine, at, hook
        self.suspensions = 0

    def __await__(self) -> Generator[Any, Any, Any]:
        step: Callable[[], Any] = partial(self._coroutine.send, None)
        while True:
            try:
                future = step()
            except StopIteration as done:
                return done.value
            self.suspensions += 1
            if self.suspensions == self._at:
                asyncio.get_running_loop().call_soon(self._hook)
            try:
                yield future
            except BaseException as error:  # noqa: BLE001 - whatever comes belongs to the coroutine
                step = partial(self._coroutine.throw, error)
            else:
                step = partial(self._coroutine.send, None)
