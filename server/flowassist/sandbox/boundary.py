"""What stands around generated code on this machine, and what is said where nothing does."""

from collections.abc import Mapping
from dataclasses import dataclass


class SandboxUnavailable(Exception):
    """No code can be run; str() says why in one clean sentence part."""


class SandboxBusy(Exception):
    """`limit` jobs wait for a place, which is as many as may."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"{limit} jobs wait for the sandbox, which is as many as may")


@dataclass(frozen=True, slots=True)
class Boundary:
    """`landlock` is the kernel's version of the interface; `uid` is the first of those that children run as."""

    confined: bool
    landlock: int
    uid: int

    def describe(self) -> str:
        if not self.confined:
            return "none (allowed by the operator)"
        return f"landlock {self.landlock}, seccomp, rlimits, no_new_privs, uid {self.uid}"


def boundary_of(facts: object) -> Boundary:
    """From what the zygote says of itself. Raises SandboxUnavailable where it says nothing of use."""
    if not isinstance(facts, Mapping):
        raise SandboxUnavailable("the sandbox process does not say how it confines code")
    return Boundary(bool(facts.get("confined")), int(facts.get("landlock", 0)), int(facts.get("uid", -1)))
