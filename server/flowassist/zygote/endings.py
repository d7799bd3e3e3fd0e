"""How a child ended, told as a claim."""

import json
import os
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from flowassist.zygote import blame, frames
from flowassist.zygote.blame import CODE, LIMITS, Source
from flowassist.zygote.child import Child
from flowassist.zygote.frames import Head

MAX_CLAIM = 1 << 20
_MOST_FRAMES = 32  # a child says its stages and its result: more are not worth reading
_STAGES = ("create", "instantiate", "template", "run")
_NAMES = {int(one): one.name for one in signal.Signals}
_PLACE = re.compile(rb'File "<string>", line (\d{1,7})')


@dataclass(frozen=True, slots=True)
class Ending:
    """`body` is a claim in JSON; `broken` is not empty where the boundary could not be put up."""

    body: bytes
    broken: str = ""


def judge(child: Child, status: int, killed: str, source: Source) -> Ending:
    """`status` is that of wait(2); `killed` says why we ended the child, empty where it ended itself."""
    spoken = _spoken(bytes(child.heard))
    broken = _broken(spoken)
    body = _result(spoken, child.nonce)
    said_farewell = os.WIFEXITED(status) and os.WEXITSTATUS(status) == child.farewell
    if not killed and body is not None and said_farewell:
        return Ending(body) if len(body) <= MAX_CLAIM else _ended(spoken, *_too_large())
    killed = killed or _hung(child, status, said_farewell=said_farewell)
    line = _hanging_line(child, source) if killed else None
    return Ending(_ended(spoken, *_cause(status, killed), line).body, broken)


def _hung(child: Child, status: int, *, said_farewell: bool) -> str:
    """The look at a child that hangs reads frames while they change, and may crash it: that is still its time-out.

    So is a result that comes behind what was written down then.
    """
    crashed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSEGV
    return child.unfinished if (crashed or said_farewell) and child.looked_at() else ""


def _broken(spoken: list[tuple[Head, bytes]]) -> str:
    """Why the boundary could not be put up. A stage is told before any generated code runs, so what comes behind one
    may be its word, and does not count."""
    first = spoken[0][0] if spoken else {}
    return str(first.get("broken", ""))


def _spoken(heard: bytes) -> list[tuple[Head, bytes]]:
    """The frames at the beginning of what a child wrote; it may have written anything behind them."""
    unpacker, found = frames.Unpacker(max_head=256), list[tuple[Head, bytes]]()
    try:
        found.extend(islice(unpacker.feed(heard), _MOST_FRAMES))
    except frames.FrameError:
        return found
    return found


def _result(spoken: list[tuple[Head, bytes]], nonce: str) -> bytes | None:
    return next((body for head, body in spoken if head.get("nonce") == nonce), None)


def _cause(status: int, killed: str) -> tuple[str, str, str]:
    """Type, sentence and blame."""
    if killed:
        return "LimitError", killed, LIMITS
    if os.WIFSIGNALED(status):
        return _signalled(os.WTERMSIG(status))
    return "ProcessExit", f"The code ended its process (status {os.WEXITSTATUS(status)}) without a result.", CODE


def _signalled(number: int) -> tuple[str, str, str]:
    name = _NAMES.get(number, f"signal {number}")
    match number:
        case signal.SIGXCPU:
            return name, "The code used more processor time than the sandbox gives.", LIMITS
        case signal.SIGKILL:
            return name, "The code was ended by the system, for want of memory or processor time.", LIMITS
        case signal.SIGXFSZ:
            return name, "The code wrote a larger file than the sandbox allows.", LIMITS
        case signal.SIGSYS:
            return name, "The code made a system call that the sandbox forbids (SIGSYS).", CODE
    return name, f"The code crashed the interpreter ({name}).", CODE


def _too_large() -> tuple[str, str, str]:
    return "LimitError", "The results are larger than the sandbox accepts.", LIMITS


def _ended(spoken: list[tuple[Head, bytes]], kind: str, sentence: str, whose: str, line: int | None = None) -> Ending:
    stages = [str(head["stage"]) for head, _ in spoken if head.get("stage") in _STAGES]
    claim: Mapping[str, object] = {
        "stage": stages[-1] if stages else "create",
        "fault": blame.made(kind, sentence, whose, line),
    }
    return Ending(json.dumps(claim).encode())


def _hanging_line(child: Child, source: Source) -> int | None:
    """Where the interpreter said it was, just before the end."""
    found = (source.line(int(number)) for number in _PLACE.findall(bytes(child.heard)))
    return next((line for line in found if line), None)
