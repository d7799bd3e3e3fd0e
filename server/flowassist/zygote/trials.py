"""What the zygote tries before it calls itself ready: that the boundary holds, and that lfx works behind it."""

import fcntl
import gc
import importlib
import json
import os
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from flowassist.zygote import job, pages, serve
from flowassist.zygote.blame import Source
from flowassist.zygote.confine import Confinement
from flowassist.zygote.endings import judge
from flowassist.zygote.job import Job
from flowassist.zygote.library import create_class
from flowassist.zygote.life import Work

_WALL_SECONDS = 20.0
_SELDOM_IMPORTED = ("wave", "colorsys", "sched", "netrc", "filecmp")

COMPONENT = """from lfx.custom import Component
from lfx.io import BoolInput, DataFrameInput, DataInput, DropdownInput, FloatInput, IntInput, MessageTextInput, Output
from lfx.schema import Data, DataFrame, Message


class Trial(Component):
    display_name = "Trial"
    description = "Runs once before anybody waits."
    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        IntInput(name="count", display_name="Count", value=2),
        FloatInput(name="share", display_name="Share"),
        BoolInput(name="loud", display_name="Loud", value=True),
        DropdownInput(name="mode", display_name="Mode", options=["a", "b"]),
        DataInput(name="record", display_name="Record"),
        DataFrameInput(name="table", display_name="Table"),
    ]
    outputs = [
        Output(name="said", display_name="Said", method="say"),
        Output(name="kept", display_name="Kept", method="keep"),
        Output(name="rows", display_name="Rows", method="list_rows"),
    ]

    def say(self) -> Message:
        return Message(text=self.text.upper())

    def keep(self) -> Data:
        return Data(data={"count": self.count})

    async def list_rows(self) -> DataFrame:
        return DataFrame([{"text": self.text}])
"""
_SAY_LINE = COMPONENT[: COMPONENT.index("    def say")].count("\n") + 1


class Unfit(Exception):
    """Code must not be run here; str() says why."""


def lines_before() -> int:
    """How many lines lfx puts before the code that it compiles: measured, as it changes between versions."""
    kind = create_class(COMPONENT, "Trial")
    return int(kind.say.__code__.co_firstlineno) - _SAY_LINE


def warm_up(before: int) -> None:
    """The first validation imports for seconds; later ones only read memory that the children share."""
    for _ in range(2):
        claim = job.validate(Job(COMPONENT, "Trial"), before)
        if claim["stage"] != "done":
            raise Unfit(f"lfx does not validate a plain component: {_message(claim)}")
    gc.collect()
    gc.freeze()
    pages.enlarge()


def prove(confinement: Confinement, root: str, before: int) -> None:
    """Raises Unfit unless a child is confined and can work."""
    prove_works(confinement, root, before)
    if not confinement.landlock:
        raise Unfit("this kernel has no Landlock")
    if not confinement.filter:
        raise Unfit("this kernel has no seccomp filters")
    outside = Path(root, "outside")
    outside.write_text("not for children")
    if leaks := _in_child(confinement, root, before, lambda *_: {"leaks": _leaks(outside)}).get("leaks"):
        raise Unfit(f"the boundary does not hold: {leaks}")


def prove_works(confinement: Confinement, root: str, before: int) -> None:
    """Raises Unfit unless a child can import and validate."""
    lost = _in_child(confinement, root, before, lambda *_: {"lost": _cannot_import()}).get("lost")
    if lost:
        raise Unfit(f"a confined child cannot read Python's own modules: {lost}")
    claim = _in_child(confinement, root, before, lambda _, told: job.validate(Job(COMPONENT, "Trial"), before, told))
    if claim.get("stage") != "done":
        raise Unfit(f"a plain component fails in a confined child: {_message(claim)}")


def _in_child(confinement: Confinement, root: str, before: int, work: Work) -> Mapping[str, object]:
    try:
        one, status = serve.trial(work, confinement, root, _WALL_SECONDS)
    except OSError as error:
        raise Unfit(f"no child can be started: {error}") from error
    ending = judge(one, status, "", Source(COMPONENT, before))
    if ending.broken:
        raise Unfit(f"the boundary cannot be put up: {ending.broken}")
    answer: Mapping[str, object] = json.loads(ending.body)
    if answer.get("fault") and "lost" not in answer and "leaks" not in answer:
        raise Unfit(_message(answer))
    return answer


def _message(claim: Mapping[str, object]) -> str:
    fault = claim.get("fault")
    return str(fault["message"]) if isinstance(fault, dict) else "no reason given"


def _cannot_import() -> str:
    """Empty where a module that is not loaded yet can be imported."""
    name = next(name for name in _SELDOM_IMPORTED if name not in sys.modules)
    try:
        importlib.import_module(name)
    except ImportError as error:
        return str(error)
    return ""


def _leaks(outside: Path) -> list[str]:
    """What a confined child can do and must not."""
    forbidden: dict[str, Callable[[], object]] = {
        "read a file of others": outside.read_text,
        "write beside its folder": lambda: outside.with_name("written").write_text(""),
        "open a socket": socket.socket,
        "send to any address": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
        "have the kernel send a signal": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, os.getppid()),
        "send a signal": lambda: os.kill(os.getppid(), 0),
        "fork": _fork,
    }
    return [what for what, act in forbidden.items() if _works(act)]


def _works(act: Callable[[], object]) -> bool:
    with suppress(OSError):
        act()
        return True
    return False


def _fork() -> None:
    if not os.fork():
        os._exit(0)
