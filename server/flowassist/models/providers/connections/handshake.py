"""Closes connections whose TLS handshake is cancelled.

httpcore2 2.16 closes them after errors only; after a cancel the socket stays open for as long as the server likes.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2


async def watched(request: "httpx2.Request") -> None:
    """An event hook for requests: `httpx2.AsyncClient(event_hooks={"request": [watched]})`."""
    request.extensions["trace"] = Handshake()


class Handshake:
    """What httpcore2 tells of one request (its `trace` extension)."""

    def __init__(self) -> None:
        self._connected: Any = None

    async def __call__(self, event: str, told: Mapping[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            self._connected = told["return_value"]
        elif event == "connection.start_tls.failed":
            await self._connected.aclose()
