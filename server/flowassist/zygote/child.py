"""A single-use child, seen from the zygote: started with an order, heard, ended, buried."""

import os
import secrets
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field

from flowassist.zygote import folders, frames
from flowassist.zygote.confine import Cell, Confinement
from flowassist.zygote.forkserver import ForkServer
from flowassist.zygote.life import LOOK_BEFORE_THE_END

_MAX_FILES, _MAX_BYTES = 500, 32 << 20


@dataclass(slots=True)
class Child:
    """`nonce` and `farewell` (its exit status) are told to it alone."""

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
        return time.monotonic() >= self.deadline - LOOK_BEFORE_THE_END

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

    def bury(self, server: ForkServer) -> int:
        """Reap it, which must have ended or been killed, and remove its folder. Returns the wait status."""
        status = server.reap(self.pid)
        os.close(self.pidfd)
        os.close(self.pipe)
        folders.remove(self.cell.folder)
        return status

    def wrote_too_much(self) -> bool:
        """Whether its folder outgrew what a child may keep; the kernel limits single files only."""
        return folders.outgrown(self.cell.folder, _MAX_FILES, _MAX_BYTES)


def start(
    server: ForkServer, confinement: Confinement, root: str, place: int, wall_seconds: float, asked: bytes
) -> Child:
    """A child that is asked this, in a folder of its own below `root`. Raises OSError and Lost."""
    cell = Cell(place, tempfile.mkdtemp(prefix=f"{place}-", dir=root), wall_seconds)
    if confinement.identity.own_user:
        os.chown(cell.folder, confinement.identity.uid(place), -1)
    nonce, farewell, began = secrets.token_hex(16), 1 + secrets.randbelow(250), time.monotonic()
    ours, theirs = os.pipe2(os.O_CLOEXEC)
    order = _unnamed(frames.pack({"nonce": nonce, "farewell": farewell, "deadline": began + wall_seconds}, asked))
    try:
        pid = server.fork(cell, order, theirs)
    except OSError:
        os.close(ours)
        folders.remove(cell.folder)
        raise
    finally:
        os.close(theirs)
        os.close(order)
    os.set_blocking(ours, False)
    return Child(pid, os.pidfd_open(pid), ours, cell, nonce, farewell, began)


def _unnamed(content: bytes) -> int:
    """The descriptor of a file that only who has it can read."""
    descriptor = os.memfd_create("order")
    while content:
        content = content[os.write(descriptor, content) :]
    return descriptor
