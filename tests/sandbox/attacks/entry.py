"""What an attack of the corpus is, and the few ways of writing one down."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.sandbox.code import component

HELD = "done: held"
KILLED = r"code: The code made a system call that the sandbox forbids \(SIGSYS\)"
TIMED_OUT = r"limits: The code did not finish within"
MEMORY = r"limits: (MemoryError: The code needs more memory|The code was ended by the system)"
NOTHING_RAN = r"done: (-1|32512)$"  # os.system without a process: -1, or 127 as its exit status
NO_NETWORK = "boundary: It needs the network"

TRIED = """
def tried(*acts):
    worked = []
    for act in acts:
        try:
            worked.append(repr(act()))
        except OSError:
            continue
    if worked:
        raise NameError("worked: " + str(worked))  # of all errors the one that is never laid to the boundary
    return Message(text="held")
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """A component that means harm.

    `refused` is the rule by which reading it refuses it, empty where reading cannot see it. `comes` is a pattern of
    what the sandbox alone makes of it: "blame: message", or "done: text" of its first output.
    """

    name: str
    code: str
    refused: str
    comes: str
    seconds: float = 6.0

    def aimed(self, targets: Mapping[str, str]) -> "Attack":
        """The same with the names of what is planted outside put in for @NAME@."""
        code = self.code
        for name, value in targets.items():
            code = code.replace(f"@{name}@", value)
        return replace(self, code=code)


def method(name: str, refused: str, comes: str, body: str, before: str = "", seconds: float = 6.0) -> Attack:
    """The output's method does it."""
    return Attack(name, component(_text(body), before=TRIED + _text(before)), refused, comes, seconds)


def tries(name: str, refused: str, *acts: str, before: str = "", comes: str = HELD) -> Attack:
    """The method tries each expression, and all of them fail with an OSError."""
    listed = ",\n    ".join(f"lambda: {act}" for act in acts)
    return method(name, refused, comes, f"return tried(\n    {listed},\n)", before)


def in_main(name: str, refused: str, comes: str, body: str, before: str = "", seconds: float = 6.0) -> Attack:
    """An async method does it: lfx runs those in the main thread, others beside it."""
    one = method(name, refused, comes, body, before, seconds)
    return replace(one, code=one.code.replace("    def build_result", "    async def build_result"))


def inside(name: str, refused: str, comes: str, body: str, before: str = "", seconds: float = 6.0) -> Attack:
    """It stands in the body of the class."""
    return Attack(name, component(inside=_text(body), before=_text(before)), refused, comes, seconds)


def _text(code: str) -> str:
    return textwrap.dedent(code).strip("\n") + "\n"
