"""`python -m flowassist.zygote FD FOLDER [--unconfined]`: serve the socket FD, keeping files below FOLDER."""

import os
import signal
import socket
import sys
from typing import NoReturn

from flowassist.zygote import folders, frames, kernel


def main(descriptor: int, root: str, *, unconfined: bool) -> None:
    """Returns when the server is gone. Tells it {"ready": facts} or {"unfit": reason} first."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGTERM)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    signal.signal(signal.SIGTERM, _leave)
    line = socket.socket(fileno=descriptor)
    line.set_inheritable(False)
    try:
        _prepare_and_serve(line, root, unconfined=unconfined)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it comes with the server's death, while we clean up for it
        folders.remove(root)


def _prepare_and_serve(line: socket.socket, root: str, *, unconfined: bool) -> None:
    try:
        from flowassist.zygote import boot  # noqa: PLC0415 - the one import that takes seconds and can fail
    except ImportError as error:
        line.sendall(frames.pack({"unfit": f"lfx cannot be imported: {error}"}))
        return
    boot.serve(line, root, unconfined=unconfined)


def _leave(_signal: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(0)


if __name__ == "__main__":
    os.umask(0o077)
    main(int(sys.argv[1]), sys.argv[2], unconfined="--unconfined" in sys.argv[3:])
