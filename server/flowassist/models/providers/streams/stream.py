"""One call over one stream: opened through the vendor's SDK, read as raw bytes, closed whatever happens.

An SDK's own event objects cost up to 130 microseconds for each chunk, the bytes about 20 (benchmarks/adapters.py).
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from flowassist.models.model import ModelError, Reply, Trouble
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.failures import faults
from flowassist.models.providers.streams import sse
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.streams.lines import TooLong
from flowassist.secret import Hides

MAX_STREAM_BYTES = 64 * 2**20
MAX_PLAIN_BYTES = 2**16
CHUNKS_IN_A_ROW = 64
"""What has come already is read without waiting; others must have their turn in between."""
PINGS = ("ping", "keepalive")
"""Types of events by which Anthropic and OpenAI keep a silent stream open."""

Event = Mapping[str, object]
Take = Callable[[Event], None]


class Body(Protocol):
    """What both SDKs give for a response that was not read yet."""

    def iter_bytes(self) -> AsyncIterator[bytes]: ...


class Reader(Protocol):
    """Cuts a body into events, each a text of JSON."""

    def feed(self, chunk: bytes) -> list[str]: ...

    def end(self) -> list[str]: ...


async def read(
    opening: AbstractAsyncContextManager[Body],
    answer: Answer,
    take: Take,
    patience: Patience,
    key: Hides,
    reader: Callable[[], Reader] = sse.Reader,
) -> Reply:
    """Give each event of the stream to `take`, and return what `answer` then holds.

    Raises ModelError for everything that the provider, the network or the clock does wrong; what `take` or the hearer
    raises passes as it is. The connection is closed when this returns or is cancelled.
    """
    import httpx2  # noqa: PLC0415 - as slow to load as the SDKs that bring it

    try:
        await _events(opening, answer, Taking(answer, take, key), patience, reader())
    except TimeoutError:
        if answer.finish is None:
            raise answer.failed(ModelError(Trouble.TIMEOUT, "the provider was silent for too long")) from None
    except (httpx2.HTTPError, httpx2.StreamError, TooLong) as error:
        if answer.finish is None:
            raise answer.failed(faults.cut(error, key)) from None
    except ModelError as error:
        raise answer.failed(error) from None
    return _whole(answer)


async def _events(
    opening: AbstractAsyncContextManager[Body], answer: Answer, taking: "Taking", patience: Patience, events: Reader
) -> None:
    size, count, beginning = 0, 0, b""
    async with asyncio.timeout(patience.first_event) as limit, opening as response:
        clock = _Clock(limit, answer, patience)
        async for chunk in response.iter_bytes():
            size, count = _bounded(size + len(chunk)), count + 1
            for data in events.feed(chunk):
                if taking.event(data):
                    clock.heard = True
            if not clock.heard_any:
                beginning = beginning if len(beginning) == MAX_PLAIN_BYTES else (beginning + chunk)[:MAX_PLAIN_BYTES]
            clock.go_on()
            if count % CHUNKS_IN_A_ROW == 0:
                await asyncio.sleep(0)
    for data in events.end():
        clock.heard_any |= taking.event(data)
    if not clock.heard_any:
        taking.plain(beginning)


class _Clock:
    """The time limit of one stream. Only events extend it, and none does once the answer is whole."""

    def __init__(self, limit: asyncio.Timeout, answer: Answer, patience: Patience) -> None:
        self._limit, self._answer, self._patience = limit, answer, patience
        self._now = asyncio.get_running_loop().time
        self._wait = patience.first_event
        self.heard, self.heard_any = False, False

    def go_on(self) -> None:
        """After each piece of the body."""
        wait, self.heard_any = self._still(), self.heard_any or self.heard
        if self.heard and (self._answer.finish is None or wait != self._wait):
            self._limit.reschedule(self._now() + wait)
        self._wait, self.heard = wait, False

    def _still(self) -> float:
        """Seconds to wait for more. A whole answer does not wait long for its usage, or for the connection's end."""
        if self._answer.ended:
            return self._patience.after_end
        return self._patience.between_events if self._answer.finish is None else self._patience.after_finish


def _bounded(size: int) -> int:
    if size > MAX_STREAM_BYTES:
        raise TooLong(f"a stream of more than {MAX_STREAM_BYTES} bytes")
    return size


class Taking:
    """Gives events to the vendor's reader."""

    def __init__(self, answer: Answer, take: Take, key: Hides) -> None:
        self._answer, self._take, self._key = answer, take, key

    def event(self, data: str) -> bool:
        """Whether it was an event, and not only a sign that the connection lives. What follows the end is none."""
        if self._answer.ended or not data.strip():
            return False
        if data.strip() == "[DONE]":
            self._answer.ended = True
            return True
        event = self._decoded(data)
        if not isinstance(event, dict) or event.get("type") in PINGS:
            return False
        self._take(event)
        return True

    def plain(self, body: bytes) -> None:
        """Some gateways tell an error with status 200 and no event stream."""
        try:
            failed = _failed(json.loads(body))
        except (ValueError, RecursionError):
            return
        if failed:
            self._take(failed)

    def _decoded(self, data: str) -> object:
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            shown = repr(self._key.hidden_in(data))[:100]
            raise ModelError(Trouble.BROKEN_OFF, f"an event that is no JSON: {shown}") from None
        return _failed(event) if isinstance(event, list) else event


def _failed(body: object) -> Event | None:
    """An error object, alone or, as Google sends it, in a list. IBM's holds a list of them."""
    first = body[0] if isinstance(body, list) and body else body
    return first if isinstance(first, dict) and (first.get("error") or first.get("errors")) else None


def _whole(answer: Answer) -> Reply:
    try:
        return answer.reply()
    except ModelError as error:
        raise answer.failed(error) from None
