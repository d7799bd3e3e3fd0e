"""A call cancelled at its n-th suspension, for every n: the socket closes, and the endpoint serves the next call."""

import asyncio
import gc
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any

from tests.models.conftest import CALL
from tests.models.providers.conftest import SERVERS, reached
from tests.vendors.endless import Endless
from tests.vendors.server import Vendor


class CancelledAt:
    """Awaits `work`, and cancels the task when it suspends for the n-th time."""

    def __init__(self, work: Coroutine[Any, Any, object], n: int) -> None:
        self._work, self._left = work, n

    def __await__(self) -> Generator[Any, Any, None]:
        step: Callable[[], Any] = partial(self._work.send, None)
        while True:
            try:
                waited = step()
            except StopIteration:
                return
            self._left -= 1
            if self._left == 0:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            try:
                step = partial(self._work.send, (yield waited))
            except BaseException as error:  # noqa: BLE001 - it goes on into the work
                step = partial(self._work.throw, error)


async def cancelled_at(work: Coroutine[Any, Any, object], n: int) -> None:
    await CancelledAt(work, n)


async def ends(work: Coroutine[Any, Any, object], n: int) -> bool:
    """Whether `work` came to its end before its n-th suspension."""
    try:
        await asyncio.create_task(cancelled_at(work, n))
    except asyncio.CancelledError:
        return False
    return True


async def test_wherever_it_is_cancelled(wire: str) -> None:
    async with (
        Vendor(SERVERS[wire](), Endless(tokens=4, delay=0)) as vendor,
        reached(wire, vendor) as ask,
    ):
        n = 1
        while not await ends(ask(CALL), n):
            assert (await ask(CALL)).text == "flow " * 4
            n += 1
        gc.collect()
        async with asyncio.timeout(5):
            await vendor.left_with(1)
    assert n > 5
