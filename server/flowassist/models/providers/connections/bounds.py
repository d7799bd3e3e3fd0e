"""How much of a response is taken in: a provider, or who stands in for it, cannot make this process grow.

Streams are bounded where they are read (`streams.stream`). What is read whole, lists and errors, ends here at its
limit: its status is known, and JSON that was cut is no JSON. Nothing is unpacked, since a few bytes may hold gigabytes.
"""

import importlib
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

MAX_ERROR_BYTES = 2**20
MAX_BODY_BYTES = 8 * 2**20
STREAMS = ("text/event-stream", "application/x-ndjson")
PLAIN = {"", "identity"}


async def plainly(request: Any) -> None:
    """An event hook for requests of httpx or httpx2: the answer is wanted as it is."""
    request.headers["accept-encoding"] = "identity"


async def bounded(response: Any) -> None:
    """An event hook for responses of httpx or httpx2."""
    packed = response.headers.pop("content-encoding", "").strip().lower() not in PLAIN
    if packed or not _is_stream(response):
        limit = 0 if packed else MAX_BODY_BYTES if response.is_success else MAX_ERROR_BYTES
        response.stream = _first_of(type(response).__module__.partition(".")[0])(response.stream, limit)


def _is_stream(response: Any) -> bool:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return bool(response.is_success) and kind in STREAMS


@cache
def _first_of(package: str) -> type[Any]:
    """A stream that ends at a limit, of the class that this HTTP client takes."""
    base: Any = importlib.import_module(package).AsyncByteStream

    class First(base):  # type: ignore[misc]
        def __init__(self, stream: Any, limit: int) -> None:
            self._stream, self._left = stream, limit

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in self._stream:
                yield chunk[: self._left]
                self._left -= len(chunk)
                if self._left <= 0:
                    return

        async def aclose(self) -> None:
            await self._stream.aclose()

    return First
