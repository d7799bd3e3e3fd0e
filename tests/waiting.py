"""Waiting for what only shows from outside: another process, a socket."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], bool], within: float = 5.0) -> float:
    """Seconds until `condition` holds. Raises TimeoutError after `within` seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110 - nothing tells us of another process
            await asyncio.sleep(0.001)
    return loop.time() - began
