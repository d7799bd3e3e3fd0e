"""What is planted outside of the sandbox, to see whether an attack reaches it."""

import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

VARIABLE = "FLOWASSIST_TEST_CANARY"
NOBODY = 65534
PLANTED = ("/tmp/flowassist-planted", "/dev/shm/flowassist-planted", "/etc/cron.d/flowassist-planted")


class Canaries:
    """A variable of the server, files, listening sockets and a process of the children's user. Use `planted`."""

    def __init__(self, room: Path) -> None:
        self.token = f"canary:{secrets.token_hex(16)}"
        self._room = room
        room.chmod(0o777)
        self._file("secret", 0o600)
        self._file("open", 0o644)
        self._file("shared", 0o666)
        self._sockets = [*_internet(), *_unix(room)]
        os.environ[VARIABLE] = self.token
        user = NOBODY if os.geteuid() == 0 else None
        self._process = psutil.Popen(["sleep", "3600"], user=user, cwd="/")

    @property
    def targets(self) -> Mapping[str, str]:
        """By the names that attacks have for them."""
        room = self._room
        return {
            "VARIABLE": VARIABLE,
            "SECRET": str(room / "secret"),
            "OPEN": str(room / "open"),
            "SHARED": str(room / "shared"),
            "ROOM": str(room),
            "TCP": str(self._sockets[0].getsockname()[1]),
            "UDP": str(self._sockets[2].getsockname()[1]),
            "UNIX": str(room / "stream"),
            "DGRAM": str(room / "dgram"),
            "ABSTRACT": room.name,
            "PID": str(self._process.pid),
            "SERVER": str(os.getpid()),
        }

    def disturbed(self) -> list[str]:
        """Everything that somebody reached."""
        return [*self._changed_files(), *self._heard(), *(path for path in PLANTED if Path(path).exists())]

    def remove(self) -> None:
        del os.environ[VARIABLE]
        for one in self._sockets:
            one.close()
        self._process.kill()
        self._process.wait()

    def _file(self, name: str, mode: int) -> None:
        path = self._room / name
        path.write_text(self.token)
        path.chmod(mode)

    def _changed_files(self) -> Iterator[str]:
        names = {path.name for path in self._room.iterdir()}
        yield from names ^ {"secret", "open", "shared", "stream", "dgram"}
        for name, mode in (("secret", 0o600), ("open", 0o644), ("shared", 0o666)):
            path = self._room / name
            if path.read_text() != self.token or path.stat().st_mode & 0o7777 != mode or path.stat().st_nlink != 1:
                yield name
        if self._process.poll() is not None or self._process.nice() != 0:
            yield "the process"

    def _heard(self) -> Iterator[str]:
        for one in self._sockets:
            try:
                said = one.recv(99) if one.type == socket.SOCK_DGRAM else one.accept()
            except BlockingIOError:
                continue
            yield f"{one.getsockname()} heard {said!r}"


def _internet() -> Iterator[socket.socket]:
    """TCP on both, then UDP on both, each pair on one port."""
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        four = _bound(socket.AF_INET, kind, ("127.0.0.1", 0))
        yield four
        yield _bound(socket.AF_INET6, kind, ("::1", four.getsockname()[1]))


def _unix(room: Path) -> Iterator[socket.socket]:
    yield _bound(socket.AF_UNIX, socket.SOCK_STREAM, str(room / "stream"))
    yield _bound(socket.AF_UNIX, socket.SOCK_DGRAM, str(room / "dgram"))
    yield _bound(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{room.name}")
    yield _bound(socket.AF_UNIX, socket.SOCK_DGRAM, f"\0{room.name}-dgram")
    for name in ("stream", "dgram"):
        (room / name).chmod(0o777)


def _bound(family: int, kind: int, address: object) -> socket.socket:
    one = socket.socket(family, kind)
    one.setblocking(False)
    one.bind(address)  # type: ignore[arg-type]
    if kind == socket.SOCK_STREAM:
        one.listen()
    return one


@contextmanager
def planted() -> Iterator[Canaries]:
    """In a folder that every user can reach."""
    room = Path(tempfile.mkdtemp(prefix="flowassist-canaries-"))
    one = Canaries(room)
    try:
        yield one
    finally:
        one.remove()
        shutil.rmtree(room)
