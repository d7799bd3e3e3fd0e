"""One call over one stream: opened through the vendor's SDK, read as raw bytes, closed whatever happens.

An SDK's own event objects cost up to 130 microseconds for each chunk, the bytes about 20 (benchmarks/wire.py).
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from flowassist.models.model import ModelError, Reply, Trouble
from flowassist.models.providers import faults, sse
from flowassist.models.providers.answer import Answer
from flowassist.models.providers.endpoint import Patience
from flowassist.secret import Secret

MAX_STREAM_BYTES = 64 * 2**20

Event = Mapping[str, object]
Take = Callable[[Event], None]


class Body(Protocol):
    """What both SDKs give for a response that was not read yet."""

    def iter_bytes(self) -> AsyncIterator[bytes]: ...


async def read(
    opening: AbstractAsyncContextManager[Body], answer: Answer, take: Take, patience: Patience, key: Secret
) -> Reply:
    """Give each event of the stream to `take`, and return what `answer` then holds.

    Raises ModelError for everything that the provider, the network or the clock does wrong; what `take` or the hearer
    raises passes as it is. The connection is closed when this returns or is cancelled.
    """
    import httpx2  # noqa: PLC0415 - as slow to load as the SDKs that bring it

    try:
        await _events(opening, answer, take, patience)
    except TimeoutError:
        if answer.finish is None:
            raise answer.failed(ModelError(Trouble.TIMEOUT, "the provider was silent for too long")) from None
    except (httpx2.HTTPError, httpx2.StreamError, sse.TooLong) as error:
        if answer.finish is None:
            raise answer.failed(faults.cut(error, key)) from None
    except ModelError as error:
        raise answer.failed(error) from None
    return _whole(answer)


async def _events(opening: AbstractAsyncContextManager[Body], answer: Answer, take: Take, patience: Patience) -> None:
    events, size, now = sse.Reader(), 0, asyncio.get_running_loop().time
    async with asyncio.timeout(patience.first_event) as clock, opening as response:
        async for chunk in response.iter_bytes():
            size = _bounded(size + len(chunk))
            for data in events.feed(chunk):
                _take(data, answer, take)
            clock.reschedule(now() + _still(answer, patience))


def _still(answer: Answer, patience: Patience) -> float:
    """Seconds to wait for more. A whole answer does not wait long for its usage, or for the connection's end."""
    if answer.ended:
        return patience.after_end
    return patience.between_events if answer.finish is None else patience.after_finish


def _bounded(size: int) -> int:
    if size > MAX_STREAM_BYTES:
        raise sse.TooLong(f"a stream of more than {MAX_STREAM_BYTES} bytes")
    return size


def _take(data: str, answer: Answer, take: Take) -> None:
    if data == "[DONE]":
        answer.ended = True
        return
    try:
        event = json.loads(data)
    except ValueError:
        raise ModelError(Trouble.BROKEN_OFF, f"an event that is no JSON: {data!r:.100}") from None
    if isinstance(event, dict):
        take(event)


def _whole(answer: Answer) -> Reply:
    try:
        return answer.reply()
    except ModelError as error:
        raise answer.failed(error) from None
