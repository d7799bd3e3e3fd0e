"""The whole life of a child, from its fork to its end: confined, asked one thing, and gone."""

import faulthandler
import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NoReturn

from flowassist.zygote import confine, frames
from flowassist.zygote.confine import RESULT_FD, Cell, Confinement

Told = Callable[[str], None]
Work = Callable[[bytes, Told], Mapping[str, object]]
"""What children do with their order; it gives a claim."""

LOOK_BEFORE_THE_END = 0.1  # seconds; time to write down where the code hangs


def live(work: Work, confinement: Confinement, cell: Cell, order: int, pipe: int, parent: int) -> NoReturn:
    """`order` holds one frame: the head has the child's nonce, farewell (its exit status) and deadline (monotonic)."""
    try:
        head, asked = frames.read(os.pread(order, frames.MOST, 0))
        try:
            confine.enter(confinement, cell, pipe)
        except OSError as error:
            _tell_broken(pipe, error)
            os._exit(1)
        if os.getppid() != parent:  # it ended before its end could reach us
            os._exit(1)
        _watch(float(str(head["deadline"])))
        body = json.dumps(work(asked, _tell_stage)).encode(errors="replace")
        faulthandler.cancel_dump_traceback_later()
        _write(RESULT_FD, frames.pack({"nonce": head["nonce"]}, body))
        os._exit(int(str(head["farewell"])))
    finally:
        os._exit(1)


def _watch(deadline: float) -> None:
    """Shortly before the end, have the place where the code hangs written down."""
    left = deadline - time.monotonic() - LOOK_BEFORE_THE_END
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
