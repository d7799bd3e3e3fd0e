"""One owner's access to one vendor, and the one SDK client that all its models share."""

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from flowassist.models.access import Access
from flowassist.models.model import Lessons, ModelError, Remedy, Trouble, Usage
from flowassist.secret import Secret


class Closable(Protocol):
    def close(self) -> Awaitable[None]: ...


Client = TypeVar("Client", bound=Closable)


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a call may take to connect, until its first event, between two events, and after its end.

    What only keeps a connection open (comments, pings) is no event.
    """

    connect: float = 10.0
    first_event: float = 120.0
    between_events: float = 60.0
    after_finish: float = 5.0
    after_end: float = 0.2


ENVIRONMENT = "look at ALL_PROXY, HTTPS_PROXY and SSL_CERT_FILE"
MODELS_REMEMBERED = 200
"""Their names come from requests: what calls of others taught is learnt again."""


class Endpoint(Generic[Client]):
    """Builds its client on first use, in a thread: importing a vendor's SDK takes up to a second."""

    def __init__(self, access: Access, build: Callable[["Endpoint[Client]"], Client], patience: Patience) -> None:
        self.access, self.patience = access, patience
        self._build = build
        self._lessons: dict[str, Lessons] = {}
        self._client: Client | None = None
        self._building = threading.Lock()

    @property
    def base_url(self) -> str:
        return self.access.base_url

    @property
    def key(self) -> Secret:
        return self.access.key

    def lessons(self, model: str, possible: frozenset[Remedy]) -> Lessons:
        """What calls of this model taught so far; kept for those that were used last."""
        known = self._lessons.pop(model, None) or Lessons(possible)
        self._lessons[model] = known
        if len(self._lessons) > MODELS_REMEMBERED:
            del self._lessons[next(iter(self._lessons))]
        return known

    def warm(self) -> None:
        """Import the SDK and build the client now; blocks, so call it in a thread."""
        with self._building:
            self._client = self._client or self._build(self)

    async def client(self) -> Client:
        """Raises ModelError where none can be built: a proxy or a certificate file of the environment is wrong."""
        if self._client is None:
            try:
                await asyncio.to_thread(self.warm)
            except (OSError, ImportError, ValueError) as error:
                text = self.key.hidden_in(f"no client could be built ({ENVIRONMENT}): {type(error).__name__}: {error}")
                raise ModelError(Trouble.UNREACHABLE, text, retry_after=math.inf, usage=Usage()) from None
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
