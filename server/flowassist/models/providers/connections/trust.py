"""How providers are connected to, and whom these connections trust."""

import ssl
from functools import cache
from typing import Any, TypeVar

from flowassist.models.providers.connections import bounds
from flowassist.models.providers.connections.endpoint import Endpoint
from flowassist.models.providers.connections.handshake import watched
from flowassist.models.providers.connections.hush import hushed

T = TypeVar("T")


@cache
def authorities() -> ssl.SSLContext:
    """One for all clients of this process: reading it takes 25 ms. SSL_CERT_FILE and SSL_CERT_DIR count."""
    import httpx2  # noqa: PLC0415 - as slow to load as the SDKs that bring it

    return httpx2.create_ssl_context()


def carefully(place: Endpoint[Any]) -> dict[str, Any]:
    """For an HTTP client of httpx2: no proxy before this machine, and a key goes to its own address only.

    A redirect would take it, and the request, wherever that address says, into a private network too.
    """
    hushed()
    return {
        "trust_env": not place.is_local,
        "verify": authorities(),
        "follow_redirects": False,
        "event_hooks": {"request": [watched, bounds.plainly], "response": [bounds.bounded]},
    }


def unadorned(client: T) -> T:
    """An SDK's client without the headers that it took from this process's environment (OPENAI_CUSTOM_HEADERS,
    ANTHROPIC_CUSTOM_HEADERS): they are the operator's, and the address may be anybody's."""
    client._custom_headers = {}  # type: ignore[attr-defined]  # noqa: SLF001 - there is no other way
    return client
