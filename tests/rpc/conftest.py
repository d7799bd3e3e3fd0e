"""One real sandbox for the services of this room that need it."""

from collections.abc import AsyncIterator

import pytest_asyncio

from flowassist.sandbox.supervisor import Sandbox


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    one = Sandbox(children=2)
    await one.start()
    await one.ready()
    yield one
    await one.close()
