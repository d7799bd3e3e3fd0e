"""One real sandbox for all tests of this room; they share its event loop."""

from collections.abc import AsyncIterator

import pytest_asyncio

from flowassist.sandbox.supervisor import Sandbox


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    one = Sandbox(children=3)
    await one.start()
    await one.ready()
    yield one
    await one.close()
