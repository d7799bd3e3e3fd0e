"""The processes of the sandbox, seen from outside."""

from contextlib import suppress

import psutil


def jobs(pid: int | None) -> list[psutil.Process]:
    """Those in which code runs. `pid` is the sandbox's process, which has them forked by one of its own."""
    if pid is None:
        return []
    with suppress(psutil.NoSuchProcess):
        return [job for server in psutil.Process(pid).children() for job in server.children()]
    return []
