"""A single-use child: forked with everything imported, confined, asked one thing, and gone."""

import faulthandler
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from flowassist.zygote import confine, folders, frames
from flowassist.zygote.confine import RESULT_FD, Cell, Confinement

Told = Callable[[str], None]
Work = Callable[[Told], Mapping[str, object]]

_LOOK_BEFORE_THE_END = 0.1  # seconds; time to write down where the code hangs
_MAX_FILES, _MAX_BYTES = 500, 32 << 20


@dataclass(slots=True)
class Child:
    """A running child, seen from the zygote. `nonce` and `farewell` (its exit status) are told to it alone."""

    pid: int
    pidfd: int
    pipe: int
    cell: Cell
    nonce: str
    farewell: int
    began: float = field(default_factory=time.monotonic)
    heard: bytearray = field(default_factory=bytearray)

    @property
    def deadline(self) -> float:
        return self.began + self.cell.wall_seconds

    @property
    def unfinished(self) -> str:
        return f"The code did not finish within {self.cell.wall_seconds:g} s."

    def looked_at(self) -> bool:
        """Whether its time was so nearly up that it was made to write down where it hangs."""
        return time.monotonic() >= self.deadline - _LOOK_BEFORE_THE_END

    def listen(self) -> bool:
        """Take what the pipe holds; False at its end."""
        with suppress(BlockingIOError):
            while data := os.read(self.pipe, 1 << 16):
                self.heard += data
                if len(self.heard) > frames.MAX_BODY:
                    return False
            return False
        return True

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, 9)

    def bury(self) -> int:
        """Reap it, which must have ended or been killed, and remove its folder. Returns the wait status."""
        _, status, _ = os.wait4(self.pid, 0)
        os.close(self.pidfd)
        os.close(self.pipe)
        folders.remove(self.cell.folder)
        return status

    def wrote_too_much(self) -> bool:
        """Whether its folder outgrew what a child may keep; the kernel limits single files only."""
        return folders.outgrown(self.cell.folder, _MAX_FILES, _MAX_BYTES)


def start(work: Work, confinement: Confinement, root: str, place: int, wall_seconds: float) -> Child:
    """Fork a child that does `work` in a folder of its own below `root`. Raises OSError."""
    cell = Cell(place, tempfile.mkdtemp(prefix=f"{place}-", dir=root), wall_seconds)
    if confinement.identity.own_user:
        os.chown(cell.folder, confinement.identity.uid(place), -1)
    nonce, farewell = secrets.token_hex(16), 1 + secrets.randbelow(250)
    ours, theirs = os.pipe2(os.O_CLOEXEC)
    began = time.monotonic()
    if not (pid := os.fork()):
        _live(work, confinement, cell, theirs, (nonce, farewell, began + wall_seconds))
    os.close(theirs)
    os.set_blocking(ours, False)
    return Child(pid, os.pidfd_open(pid), ours, cell, nonce, farewell, began)


def _live(work: Work, confinement: Confinement, cell: Cell, pipe: int, secret: tuple[str, int, float]) -> NoReturn:
    """The whole life of the child; never returns into the zygote's stack."""
    nonce, farewell, deadline = secret
    try:
        try:
            confine.enter(confinement, cell, pipe)
        except OSError as error:
            _tell_broken(pipe, error)
            os._exit(1)
        _watch(deadline)
        body = json.dumps(work(_tell_stage)).encode(errors="replace")
        faulthandler.cancel_dump_traceback_later()
        _write(RESULT_FD, frames.pack({"nonce": nonce}, body))
        os._exit(farewell)
    finally:
        os._exit(1)


def _watch(deadline: float) -> None:
    """Shortly before the end, have the place where the code hangs written down."""
    left = deadline - time.monotonic() - _LOOK_BEFORE_THE_END
    if left > 0:
        faulthandler.dump_traceback_later(left, file=RESULT_FD)


def _tell_broken(pipe: int, error: OSError) -> None:
    """Over whichever descriptor the pipe has at that point."""
    for descriptor in (pipe, RESULT_FD):
        with suppress(OSError):
            _write(descriptor, frames.pack({"broken": str(error)}))
            return


def _tell_stage(stage: str) -> None:
    _write(RESULT_FD, frames.pack({"stage": stage}))


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
