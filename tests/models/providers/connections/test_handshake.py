import asyncio

import httpx2
import pytest

from flowassist.models.providers.connections.handshake import watched
from tests.vendors import certificate


async def test_a_cancelled_handshake_closes_its_socket() -> None:
    greeted, left = asyncio.Event(), asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        greeted.set()
        await reader.read()
        left.set()
        writer.close()

    async with (
        await asyncio.start_server(silent, "127.0.0.1") as server,
        httpx2.AsyncClient(event_hooks={"request": [watched]}, trust_env=False) as client,
    ):
        asking = asyncio.create_task(client.get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"))
        await greeted.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await left.wait()


async def test_a_handshake_that_fails_is_told_as_ever() -> None:
    async with (
        await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", ssl=certificate.shown()) as server,
        httpx2.AsyncClient(event_hooks={"request": [watched]}, trust_env=False) as client,
    ):
        with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            await client.get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}")
