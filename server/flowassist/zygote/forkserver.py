"""The process that children are forked from: it holds lfx, and nothing of what any job asks or answers.

A child finds in its memory all that its parent had there. So the parent hears only where a child shall live; what the
child is to do passes it by, in a file without a name.
"""

import json
import os
import signal
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import NoReturn

from flowassist.zygote import kernel
from flowassist.zygote.confine import Cell, Confinement
from flowassist.zygote.life import Work, live

_LONGEST = 4096  # bytes of a question or an answer


class Lost(Exception):
    """The fork server is gone, and its children with it."""


class ForkServer:
    """Forks itself from this process when made; ends, with its children, when this process does or closes it.

    `foreign` are descriptors that it must not hold. One question at a time: not for several threads.
    """

    def __init__(self, work: Work, confinement: Confinement, foreign: tuple[int, ...] = ()) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._pid = os.fork()
            if not self._pid:
                _Server(theirs, work, confinement).serve((self._line.fileno(), *foreign))

    def fileno(self) -> int:
        """Readable when it is gone."""
        return self._line.fileno()

    def fork(self, cell: Cell, order: int, pipe: int) -> int:
        """The pid of a new child that has these two descriptors. Raises OSError and Lost."""
        answer = self._ask({"fork": asdict(cell)}, (order, pipe))
        if "error" in answer:
            raise OSError(answer["error"])
        return int(answer["pid"])

    def reap(self, pid: int) -> int:
        """The wait status of a child that has ended or been killed. Raises Lost."""
        return int(self._ask({"reap": pid})["status"])

    def close(self) -> None:
        """Returns when it and all its children are gone."""
        self._line.close()
        os.waitpid(self._pid, 0)

    def _ask(self, question: Mapping[str, object], descriptors: tuple[int, ...] = ()) -> dict[str, str]:
        try:
            socket.send_fds(self._line, [json.dumps(question).encode()], descriptors)
            answer = self._line.recv(_LONGEST)
        except OSError as error:
            raise Lost(str(error)) from error
        if not answer:
            raise Lost("the fork server has ended")
        return dict(json.loads(answer))


class _Server:
    """The other side, in the process of its own."""

    def __init__(self, line: socket.socket, work: Work, confinement: Confinement) -> None:
        self._line, self._work, self._confinement = line, work, confinement
        self._children: set[int] = set()

    def serve(self, foreign: tuple[int, ...]) -> NoReturn:
        try:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # also while it is stopped and reads nothing
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for descriptor in foreign:
                os.close(descriptor)
            while asked := self._asked():
                self._line.send(json.dumps(asked).encode())
            self._end()
        finally:
            os._exit(0)

    def _asked(self) -> Mapping[str, object] | None:
        """The answer to the next question; None when nobody asks any more."""
        question, descriptors, _, _ = socket.recv_fds(self._line, _LONGEST, 2)
        if not question:
            return None
        asked = json.loads(question)
        return self._reaped(asked["reap"]) if "reap" in asked else self._forked(Cell(**asked["fork"]), *descriptors)

    def _forked(self, cell: Cell, order: int, pipe: int) -> Mapping[str, object]:
        own = os.getpid()
        try:
            if not (pid := os.fork()):
                live(self._work, self._confinement, cell, order, pipe, own)
        except OSError as error:
            return {"error": str(error)}
        finally:
            os.close(order)
            os.close(pipe)
        self._children.add(pid)
        return {"pid": pid}

    def _reaped(self, pid: int) -> Mapping[str, object]:
        self._children.discard(pid)
        return {"status": os.waitpid(pid, 0)[1]}

    def _end(self) -> None:
        for pid in self._children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in self._children:
            os.waitpid(pid, 0)
