"""One process that holds lfx, as the server sees it: jobs go in, claims come out, until it is lost or worn."""

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace

from flowassist.sandbox import claims
from flowassist.sandbox.boundary import Boundary, SandboxUnavailable, boundary_of
from flowassist.sandbox.claims import Blame, Claim, Fault, Job, Stage
from flowassist.sandbox.launch import Launched, launch
from flowassist.zygote import frames
from flowassist.zygote.frames import Head

_START_SECONDS = 120.0
_GRACE_SECONDS = 10.0  # beyond a job's own wall time, which the process itself enforces
_WORN_AFTER_JOBS = 5000
_WORN_BY_BYTES = 128 << 20

Frame = tuple[Head, bytes]


class LinkLost(Exception):
    """The process ended or fell silent; the job may be given to another one."""


class Link:
    """Use `opened`. `lost` is called once, when the process is gone."""

    def __init__(self, launched: Launched, lost: Callable[["Link"], None]) -> None:
        self._launched, self._when_lost = launched, lost
        self._waiting: dict[int, asyncio.Future[Frame | None]] = {}
        self._numbers = itertools.count(1)
        self._turned, self._idle = asyncio.Event(), asyncio.Event()
        self._idle.set()
        self._jobs = self._memory_at_first = 0
        self.lost = False
        self.boundary: Boundary

    @classmethod
    async def opened(cls, command: tuple[str, ...], lost: Callable[["Link"], None], *, unconfined: bool) -> "Link":
        """Start a process and wait until it is ready.

        Raises LinkLost where it ended before, and SandboxUnavailable where it says that code cannot be run here.
        """
        link = cls(await launch(command, unconfined=unconfined), lost)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await link._connect()
        except TimeoutError:
            await link.close()
            raise LinkLost(f"it was not ready within {_START_SECONDS:g} seconds") from None
        except BaseException:
            await link.close()
            raise
        return link

    async def run(self, job: Job) -> Claim:
        """Raises LinkLost and SandboxUnavailable. A cancel kills the child at once."""
        if self.lost:
            raise LinkLost
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._idle.clear()
        try:
            self._writer.write(frames.pack({"id": number}, json.dumps(asdict(job)).encode()))
            async with asyncio.timeout(job.wall_seconds + _GRACE_SECONDS):
                return _claim(await answer)
        except asyncio.CancelledError:
            self._writer.write(frames.pack({"cancel": number}))
            raise
        except TimeoutError:
            self._launched.kill()
            self._end()
            raise LinkLost from None
        finally:
            self._forget(number)

    @property
    def pid(self) -> int:
        return self._launched.process.pid

    async def turned(self) -> None:
        """Wait until this process is lost or worn and another one is due."""
        await self._turned.wait()

    async def retire(self) -> None:
        """Let running jobs end, then close; where it is cancelled, close at once."""
        try:
            await self._idle.wait()
        finally:
            await self.close()

    async def close(self) -> None:
        try:
            if hasattr(self, "_listening"):
                self._listening.cancel()
                self._writer.close()
                await asyncio.gather(self._listening, return_exceptions=True)
        finally:
            await self._launched.end()

    async def _connect(self) -> None:
        reader, self._writer = await asyncio.open_unix_connection(sock=self._launched.socket)
        self._listening = asyncio.create_task(self._listen(reader, ready := asyncio.Event()))
        await ready.wait()
        if self.lost:
            status = await self._launched.process.wait()
            raise LinkLost(f"it ended during its start (status {status})")
        if "unfit" in self._said:
            raise SandboxUnavailable(str(self._said["unfit"]))
        self.boundary = boundary_of(self._said.get("ready"))

    async def _listen(self, reader: asyncio.StreamReader, ready: asyncio.Event) -> None:
        """The only reader of the socket."""
        try:
            self._said, _ = await _frame(reader)
            ready.set()
            while True:
                self._answer(*await _frame(reader))
        except (OSError, asyncio.IncompleteReadError, frames.FrameError):
            pass
        finally:
            self._end()
            ready.set()

    def _answer(self, head: Head, body: bytes) -> None:
        number, memory = head.get("id"), head.get("memory")
        answer = self._waiting.get(number) if isinstance(number, int) else None
        if answer and not answer.done():
            answer.set_result((head, body))
        self._jobs += 1
        if isinstance(memory, int):
            self._memory_at_first = self._memory_at_first or memory
            grown = memory - self._memory_at_first > _WORN_BY_BYTES
            if grown or self._jobs >= _WORN_AFTER_JOBS:
                self._turned.set()

    def _end(self) -> None:
        if self.lost:
            return
        self.lost = True
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_result(None)
        self._turned.set()
        self._when_lost(self)

    def _forget(self, number: int) -> None:
        del self._waiting[number]
        if not self._waiting:
            self._idle.set()


async def _frame(reader: asyncio.StreamReader) -> Frame:
    head, body = frames.sizes(await reader.readexactly(frames.SIZES.size))
    return frames.read_head(await reader.readexactly(head)), await reader.readexactly(body)


def _claim(answer: Frame | None) -> Claim:
    if answer is None:
        raise LinkLost
    head, body = answer
    if "broken" in head:
        raise SandboxUnavailable(str(head["broken"]))
    with suppress(claims.ClaimError):
        return replace(claims.parse(body), milliseconds=_milliseconds(head))
    text = "The code's process gave a result that cannot be read."
    return Claim(Stage.CREATE, fault=Fault("ClaimError", text, Blame.CODE), milliseconds=_milliseconds(head))


def _milliseconds(head: Head) -> float:
    value = head.get("milliseconds")
    return value if isinstance(value, float) else 0.0
