"""The event log of one turn: one writer, any number of readers."""

import asyncio
from collections.abc import AsyncIterator

from flowassist import events
from flowassist.errors import Reason, Stop
from flowassist.text import clean
from flowassist.v1 import events_pb2 as pb

_PENDING = 64 << 10


class Sealed(RuntimeError):
    """Something was said after the end."""


class EventLog:
    """Events become bytes when they get their number. Text waits without a number until a reader asks for it, another
    event follows, or 64 Ki characters have come together: so tokens that travel together travel as one."""

    def __init__(self, turn_id: str, max_bytes: int) -> None:
        self._turn_id = turn_id
        self._room = max_bytes
        self._entries: list[bytes] = []
        self._pending: list[str] = []
        self._pending_size = 0
        self._readers: set[asyncio.Event] = set()
        self.end: pb.AssistEvent | None = None

    def say(self, event: pb.Progress) -> None:
        """Append. Raises Stop when the log is full, Sealed after the end."""
        if not isinstance(event, pb.Progress):
            raise TypeError(f"{type(event).__name__} ends a turn: seal the log with it")
        self._flush()
        if event.ByteSize() > self._room:
            raise Stop(Reason.ANSWER_TOO_LARGE)
        self._append(event)
        self._wake()

    def hear(self, chunk: str) -> None:
        """Append text. Raises as `say` does."""
        if self.end:
            raise Sealed(self._turn_id)
        self._pending.append(chunk)
        self._pending_size += len(chunk)
        if self._pending_size > self._room:
            raise Stop(Reason.ANSWER_TOO_LARGE)
        if self._pending_size >= _PENDING:
            self._flush()
        self._wake()

    def seal(self, end: events.End) -> pb.AssistEvent:
        """Append the end, whatever room is left; nothing can follow."""
        self._flush()
        self._append(end)
        self.end = pb.AssistEvent.FromString(self._entries[-1])
        self._wake()
        return self.end

    async def read(self, after: int = 0) -> AsyncIterator[bytes]:
        """Every event with a number over `after`, as it comes, up to the end."""
        changed = asyncio.Event()
        self._readers.add(changed)
        try:
            while True:
                self._flush()
                while after < len(self._entries):
                    after += 1
                    yield self._entries[after - 1]
                if self.end:
                    return
                changed.clear()
                if not self._pending and after == len(self._entries):
                    await changed.wait()
        finally:
            self._readers.discard(changed)

    def _flush(self) -> None:
        text, self._pending, self._pending_size = clean("".join(self._pending)), [], 0
        if text:
            self._append(pb.Token(chunk=text))

    def _append(self, event: pb.Progress | pb.Token | events.End) -> None:
        if self.end:
            raise Sealed(self._turn_id)
        entry = events.wrap(self._turn_id, len(self._entries) + 1, event).SerializeToString()
        self._room -= len(entry)
        self._entries.append(entry)

    def _wake(self) -> None:
        for changed in self._readers:
            changed.set()
