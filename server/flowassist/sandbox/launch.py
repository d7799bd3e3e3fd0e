"""Starting the process that holds lfx, with nothing of the server's in it."""

import asyncio
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from flowassist.zygote import folders

COMMAND = (sys.executable, "-P", "-m", "flowassist.zygote")
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - its folders are of mode 0700
_INHERITED = ("PYTHONPATH", "LD_LIBRARY_PATH")  # needed to find Python and ourselves; no place for secrets
_LAST_SECONDS, _PAUSE = 2.0, 0.02


@dataclass(slots=True)
class Launched:
    """A started process, our end of its socket, and the folder that is its home."""

    process: asyncio.subprocess.Process
    socket: socket.socket
    folder: str

    async def end(self) -> None:
        """Wait for it to leave, which it does once our end of the socket is closed; or end it. Remove its folder.

        A cancel ends the process at once; the folder goes all the same, before it is raised again.
        """
        ending = asyncio.ensure_future(self._end())
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            self.kill()
            await ending
            raise

    async def _end(self) -> None:
        self.socket.close()
        try:
            async with asyncio.timeout(_LAST_SECONDS):
                await self.process.wait()
        except TimeoutError:
            self.kill()
            await self.process.wait()
        await asyncio.to_thread(_remove, self.folder)

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()


async def launch(command: tuple[str, ...], *, unconfined: bool) -> Launched:
    """Raises OSError."""
    folder = await asyncio.to_thread(_new_folder)
    ours, theirs = socket.socketpair()
    flags = ["--unconfined"] if unconfined else []
    nothing = asyncio.subprocess.DEVNULL
    with theirs:
        async with _nothing_left_on_failure(ours, folder):
            process = await asyncio.create_subprocess_exec(
                *command,
                *(str(theirs.fileno()), folder, *flags),
                pass_fds=(theirs.fileno(),),
                cwd=folder,
                env=_environment(folder),
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
            )
    return Launched(process, ours, folder)


@asynccontextmanager
async def _nothing_left_on_failure(ours: socket.socket, folder: str) -> AsyncIterator[None]:
    """A process that did start leaves when nobody holds our end."""
    try:
        yield
    except BaseException:
        ours.close()
        await asyncio.to_thread(folders.remove, folder)
        raise


def _remove(folder: str) -> None:
    """Children of a process that was killed end a moment after it, and may write until then."""
    until = time.monotonic() + _LAST_SECONDS
    folders.remove(folder)
    while Path(folder).exists() and time.monotonic() < until:
        time.sleep(_PAUSE)
        folders.remove(folder)


def _new_folder() -> str:
    return tempfile.mkdtemp(prefix="flowassist-", dir=_IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None)


def _environment(folder: str) -> dict[str, str]:
    """All that it gets: no key of the server is in it."""
    own = {
        "HOME": folder,
        "TMPDIR": folder,
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "LANGFLOW_CONFIG_DIR": folder,
        "DO_NOT_TRACK": "true",
        "OPENBLAS_NUM_THREADS": "1",  # forking needs a process of one thread
        "OMP_NUM_THREADS": "1",
    }
    return own | {name: os.environ[name] for name in _INHERITED if name in os.environ}
