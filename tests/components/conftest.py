"""One sandbox for the tests of this room: it takes some seconds to start."""

from collections.abc import AsyncIterator

import pytest_asyncio

from flowassist.sandbox.supervisor import Sandbox


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox(children=2)
    await running.start()
    try:
        await running.ready()
        yield running
    finally:
        await running.close()
