"""Who a confined child is: a user of its own where we may choose, never with more rights than it needs."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from flowassist.zygote import kernel
from flowassist.zygote.syscalls import Machine

_FIRST_UID = 60600  # a range that neither distributions nor systemd give away
_DAC_READ_SEARCH = 1 << 2
# to give a child its uid and folder, to end it, and to clean up behind it
_CHOWN, _DAC_OVERRIDE, _KILL, _SETGID, _SETUID = 1 << 0, 1 << 1, 1 << 5, 1 << 6, 1 << 7
_TO_RULE_ANOTHER = _CHOWN | _DAC_OVERRIDE | _KILL | _SETGID | _SETUID


@dataclass(frozen=True, slots=True)
class Identity:
    """`own_user`: each place has its own uid. `kept` is the bit set of capabilities that stay."""

    own_user: bool
    kept: int

    def uid(self, place: int) -> int:
        return _FIRST_UID + place if self.own_user else os.getuid()

    def assume(self, machine: Machine, place: int) -> None:
        """Become it for ever. Raises OSError. Needs no_new_privs before and clears the death signal."""
        if self.own_user:
            kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
            uid = self.uid(place)
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        kernel.set_capabilities(machine.numbers["capset"], self.kept)


def choose(importable: Iterable[str]) -> Identity:
    """The least identity that can still read the folders that Python imports from.

    A Python below a home of mode 0700 is readable to another uid only with CAP_DAC_READ_SEARCH; Landlock stays the
    boundary for files. Where that capability is missing too, the uid stays and every capability goes.
    """
    have = _capabilities()
    hidden = not all(_open_to_all(Path(path)) for path in importable)
    kept = have & _DAC_READ_SEARCH if hidden else 0
    may_change = os.geteuid() == 0 and have & _TO_RULE_ANOTHER == _TO_RULE_ANOTHER
    return Identity(own_user=may_change and (bool(kept) or not hidden), kept=kept)


def _capabilities() -> int:
    """The effective set of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0


def _open_to_all(path: Path) -> bool:
    with suppress(OSError):
        real = path.resolve(strict=True)
        return all(folder.stat().st_mode & 0o001 for folder in real.parents) and bool(real.stat().st_mode & 0o004)
    return True
