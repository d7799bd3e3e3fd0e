"""One vendor's address and key, and the one SDK client that all its models share."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from flowassist.models.secret import Secret


class Closable(Protocol):
    def close(self) -> Awaitable[None]: ...


Client = TypeVar("Client", bound=Closable)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a call may stay silent: while it connects, until its first event, between bytes, after its end."""

    connect: float = 10.0
    first_byte: float = 120.0
    between_bytes: float = 60.0
    after_finish: float = 5.0
    after_end: float = 0.2


class Endpoint(Generic[Client]):
    """Builds its client on first use, in a thread: importing a vendor's SDK takes up to a second."""

    def __init__(
        self, base_url: str, key: Secret, build: Callable[["Endpoint[Client]"], Client], patience: Patience
    ) -> None:
        self.base_url, self.key, self.patience = base_url, key, patience
        self._build = build
        self._client: Client | None = None
        self._building = threading.Lock()

    def warm(self) -> None:
        """Import the SDK and build the client now; blocks, so call it in a thread."""
        with self._building:
            self._client = self._client or self._build(self)

    async def client(self) -> Client:
        if self._client is None:
            await asyncio.to_thread(self.warm)
        assert self._client is not None  # noqa: S101
        return self._client

    async def aclose(self) -> None:
        """Closes the client's connections. A call after this builds a new client."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    @property
    def is_local(self) -> bool:
        """Whether it is this machine: no proxy stands before it then."""
        return urlsplit(self.base_url).hostname in {"127.0.0.1", "::1", "localhost"}
