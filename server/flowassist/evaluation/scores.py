"""Runs sets through the parts that a turn uses, and keeps what came out."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from flowassist.assistant.intended import Intended
from flowassist.evaluation.sets import Message, Request
from flowassist.sandbox.claims import Claim

Classify = Callable[[str, str], Awaitable[Intended]]
"""Message and the user's turn before it."""


@dataclass(frozen=True, slots=True)
class Written:
    """The component of a turn; `code` is empty where it wrote none. `error` says why it is not valid."""

    code: str
    valid: bool
    error: str
    attempts: int


Write = Callable[[str], Awaitable[Written]]
Execute = Callable[[str, tuple[str, ...], tuple[float, ...]], Awaitable[Claim]]
"""Code, values for its text inputs and for its number inputs."""


@dataclass(frozen=True, slots=True)
class Classified:
    message: Message
    intended: Intended
    seconds: float

    @property
    def right(self) -> bool:
        return self.intended.kind is self.message.expected


@dataclass(frozen=True, slots=True)
class Built:
    """`result` is the JSON of the outputs on the set's values, lines joined."""

    request: Request
    written: Written
    result: str
    seconds: float

    @property
    def at_first_try(self) -> bool:
        return self.written.attempts == 1

    @property
    def right(self) -> bool:
        found = all(_shown(text) in self.result for text in self.request.contains)
        return self.written.valid and found and not any(_shown(text) in self.result for text in self.request.excludes)


async def classified(messages: tuple[Message, ...], classify: Classify) -> AsyncIterator[Classified]:
    """One by one."""
    for message in messages:
        began = time.monotonic()
        intended = await classify(message.text, message.before)
        yield Classified(message, intended, time.monotonic() - began)


async def built(requests: tuple[Request, ...], write: Write, execute: Execute) -> AsyncIterator[Built]:
    """One by one; `seconds` are those of writing and checking."""
    for request in requests:
        began = time.monotonic()
        written = await write(request.text)
        seconds = time.monotonic() - began
        result = await _result(written, request, execute) if written.code else ""
        yield Built(request, written, result, seconds)


async def _result(written: Written, request: Request, execute: Execute) -> str:
    claim = await execute(written.code, request.texts, request.numbers)
    return "\n".join(run.result for run in claim.runs)


def _shown(text: str) -> str:
    """As it stands inside JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
