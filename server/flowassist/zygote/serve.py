"""The zygote's one loop: jobs come in over a socket, children are forked for them, answers go out."""

import selectors
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from resource import getpagesize

from flowassist.zygote import child, endings, frames, job
from flowassist.zygote.blame import Source
from flowassist.zygote.child import Child
from flowassist.zygote.confine import Confinement
from flowassist.zygote.forkserver import ForkServer
from flowassist.zygote.frames import Head
from flowassist.zygote.job import Job
from flowassist.zygote.life import Told, Work

_GLANCE_SECONDS = 0.1  # how often the folders of long-lived children are looked at


@dataclass(slots=True)
class Running:
    """A job in its child; `killed` says why we ended it."""

    number: int
    child: Child
    source: Source
    killed: str = ""
    cancelled: bool = False

    def end(self, why: str) -> None:
        self.killed = self.killed or why
        self.child.kill()


class Zygote:
    """Serves until the other side of `line` is gone."""

    def __init__(self, line: socket.socket, confinement: Confinement, root: str, lines_before: int) -> None:
        self._line, self._confinement, self._root, self._lines_before = line, confinement, root, lines_before
        self._server = ForkServer(partial(validate, lines_before), confinement, foreign=(line.fileno(),))
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, Running] = {}
        self._unpacker = frames.Unpacker()
        self._open = True
        self._glanced = 0.0

    def serve(self) -> None:
        """Raises Lost."""
        self._selector.register(self._line, selectors.EVENT_READ, self._hear)
        self._selector.register(self._server, selectors.EVENT_READ, self._lose)
        try:
            while self._open:
                self._step()
        finally:
            self._server.close()

    def tell(self, head: Mapping[str, object], body: bytes = b"") -> None:
        try:
            self._line.sendall(frames.pack(head, body))
        except OSError:
            self._open = False

    def _step(self) -> None:
        for key, _ in self._selector.select(_GLANCE_SECONDS if self._running else None):
            react: Callable[[], None] = key.data
            react()
        now = time.monotonic()
        for running in self._running.values():
            if now >= running.child.deadline:
                running.end(running.child.unfinished)
        if now - self._glanced >= _GLANCE_SECONDS:
            self._glanced = now
            self._glance()

    def _glance(self) -> None:
        for running in self._running.values():
            if not running.killed and running.child.wrote_too_much():
                running.end("The code wrote more files than the sandbox allows.")

    def _hear(self) -> None:
        data = self._line.recv(1 << 16)
        if not data:
            self._open = False
        for head, body in self._unpacker.feed(data):
            if "cancel" in head:
                self._cancel(head["cancel"])
            else:
                self._begin(head, body)

    def _lose(self) -> None:
        """Nothing can be run any more: the server will start another process."""
        self._open = False

    def _cancel(self, number: object) -> None:
        for running in self._running.values():
            if running.number == number:
                running.cancelled = True
                running.end("cancelled")

    def _begin(self, head: Head, body: bytes) -> None:
        asked = Job(**frames.read_head(body))  # type: ignore[arg-type]  # the server wrote it
        source = Source(asked.code, self._lines_before)
        place = next(n for n in range(len(self._running) + 1) if n not in self._running)
        try:
            new = child.start(self._server, self._confinement, self._root, place, asked.wall_seconds, body)
        except OSError as error:
            self.tell({"id": head["id"], "broken": f"no child could be started: {error}"})
            return
        self._running[place] = Running(int(str(head["id"])), new, source)
        self._selector.register(new.pipe, selectors.EVENT_READ, partial(self._listen, place))
        self._selector.register(new.pidfd, selectors.EVENT_READ, partial(self._finish, place))

    def _listen(self, place: int) -> None:
        running = self._running.get(place)
        if running and not running.child.listen():
            self._selector.unregister(running.child.pipe)
            if len(running.child.heard) > frames.MAX_BODY:
                running.end("The code said more than the sandbox accepts.")

    def _finish(self, place: int) -> None:
        running = self._running.pop(place)
        running.child.listen()
        for descriptor in (running.child.pipe, running.child.pidfd):
            with suppress(KeyError):
                self._selector.unregister(descriptor)
        milliseconds = (time.monotonic() - running.child.began) * 1000
        ending = endings.judge(running.child, running.child.bury(self._server), running.killed, running.source)
        head: dict[str, object] = {"id": running.number, "milliseconds": milliseconds, "memory": memory_bytes()}
        if ending.broken:
            head["broken"] = ending.broken
        self.tell(head | {"cancelled": running.cancelled}, ending.body)


def memory_bytes() -> int:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()


def validate(lines_before: int, asked: bytes, told: Told) -> Mapping[str, object]:
    """What a child does: `asked` is a Job in JSON."""
    return job.validate(Job(**frames.read_head(asked)), lines_before, told)  # type: ignore[arg-type]


def trial(work: Work, confinement: Confinement, root: str, wall_seconds: float) -> tuple[Child, int]:
    """Run `work` in a child and wait for it; the child and its wait status. Raises OSError and Lost."""
    server = ForkServer(work, confinement)
    try:
        return _tried(child.start(server, confinement, root, 0, wall_seconds, b""), server, wall_seconds)
    finally:
        server.close()


def _tried(one: Child, server: ForkServer, wall_seconds: float) -> tuple[Child, int]:
    selector = selectors.DefaultSelector()
    selector.register(one.pidfd, selectors.EVENT_READ)
    ended = selector.select(wall_seconds)
    selector.close()
    if not ended:
        one.kill()
    one.listen()
    status = one.bury(server)
    if not ended:
        raise TimeoutError("the trial child did not end")
    return one, status
