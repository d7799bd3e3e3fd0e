"""What a scripted model server is told to answer, in words that fit every wire, and in which order."""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from flowassist.models.model import Finish, Usage

TOKENS = Usage(10, 5, 15)


def pieces_of(text: str, count: int) -> list[str]:
    """`text` in `count` pieces of about the same length."""
    size = max(1, -(-len(text) // count))
    return [text[start : start + size] for start in range(0, len(text), size)]


@dataclass(frozen=True)
class Say:
    """A text answer. `chunks` is a number of pieces or the pieces; seconds of `delay` before each of them.

    `hold` stops after the first piece until it is set. `usage` None: not reported. `end`: what the connection does when
    all is said, instead of an orderly end.
    """

    text: str = ""
    chunks: int | tuple[str, ...] = 4
    finish: Finish = Finish.STOP
    usage: Usage | None = TOKENS
    delay: float = 0.0
    hold: asyncio.Event | None = None
    end: "BreakOff | Hang | None" = None

    @property
    def pieces(self) -> list[str]:
        return pieces_of(self.text, self.chunks) if isinstance(self.chunks, int) else list(self.chunks)


@dataclass(frozen=True)
class Tool:
    """One tool call of an answer; `arguments` is JSON text."""

    name: str
    arguments: str
    id: str = "call_1"


@dataclass(frozen=True)
class CallTool:
    """An answer that calls tools, each one's arguments in pieces, after `text`."""

    tools: tuple[Tool, ...]
    text: str = ""
    usage: Usage | None = TOKENS


@dataclass(frozen=True)
class Fail:
    """An HTTP error. `code` is the vendor's own, by default server_error from status 500 on; `headers` are added."""

    status: int
    code: str = ""
    message: str = "the scripted failure"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FailInStream:
    """Status 200, `text`, then the vendor's error inside the stream."""

    code: str
    message: str = "the scripted failure"
    text: str = ""


@dataclass(frozen=True)
class BreakOff:
    """`text`, then no more: a clean end without a finish reason, a torn body, or a reset connection."""

    text: str = ""
    how: Literal["ends", "torn", "reset"] = "ends"


@dataclass(frozen=True)
class Drop:
    """The connection is reset, or closed, before anything is said."""

    how: Literal["reset", "closed"] = "reset"


@dataclass(frozen=True)
class Hang:
    """Never answers, or only with headers, or falls silent after `text`."""

    after: Literal["nothing", "headers", "text"] = "nothing"
    text: str = ""


@dataclass(frozen=True)
class Raw:
    """These bytes as the body, one write each.

    If `size`, the content-length, promises more, the connection then ends, or stays open in silence (`then`).
    """

    body: tuple[bytes, ...]
    status: int = 200
    content_type: str = "text/event-stream"
    size: int = 0
    then: Hang | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Idle:
    """`text`, then `sign` again and again, `every` so many seconds, for ever."""

    sign: bytes
    text: str = ""
    every: float = 0.02


Answer = Say | CallTool | Fail | FailInStream | BreakOff | Drop | Hang | Idle | Raw


@dataclass
class Request:
    """One request as it came. `schema` and `shape` are of the JSON schema that it asks for, or empty.

    Times are of the event loop; `closed` is set when the client closes the connection while it is being answered,
    `done` when the answer is written or that has happened.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    schema: str
    shape: Mapping[str, Any]
    opened_at: float
    closed_at: float | None = None
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)


class Chooser(Protocol):
    """Finds the answer to a request."""

    def choose(self, request: Request) -> Answer: ...

    def check(self) -> None:
        """Raise AssertionError if something did not go as scripted."""
        ...


class Script:
    """Answers first come, first served; those for a schema's name only to requests that ask for it."""

    def __init__(self, *answers: Answer) -> None:
        self._queue = deque(answers)
        self._routes: dict[str, deque[Answer]] = {}
        self._unexpected: list[str] = []

    def then(self, *answers: Answer) -> "Script":
        self._queue.extend(answers)
        return self

    def when(self, schema: str, *answers: Answer) -> "Script":
        """`answers` for the next requests that ask for `schema`."""
        self._routes.setdefault(schema, deque()).extend(answers)
        return self

    def choose(self, request: Request) -> Answer:
        queue = self._routes.get(request.schema, self._queue)
        if queue:
            return queue.popleft()
        self._unexpected.append(f"{request.path} schema={request.schema!r}")
        return Fail(418, message="no answer is scripted for this request")

    def check(self) -> None:
        unused = [*self._queue, *(answer for route in self._routes.values() for answer in route)]
        assert not self._unexpected, f"requests that nobody expected: {self._unexpected}"
        assert not unused, f"scripted answers that nobody asked for: {unused}"
