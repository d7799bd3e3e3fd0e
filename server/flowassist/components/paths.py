"""Which capability a dotted path has."""

import re

from flowassist.components.capabilities import CAPABILITIES, ESCAPES, FINE, HARMLESS, Capability

OWNERS = {path: capability for capability in CAPABILITIES for path in capability.paths}
ATTRIBUTES = {name: capability for capability in CAPABILITIES for name in capability.attributes}
LITERAL = "'"
"""What the path of a text begins with."""


def denied(path: str) -> Capability | None:
    """The capability that a dotted path has, if any."""
    path = re.sub(r"^langflow\.", "lfx.", path)
    if path in FINE or path.startswith(LITERAL):
        return None
    parts = path.split(".")
    if parts[0] != "self":
        parts = _without_underscore(parts)
        start = max((at for at, part in enumerate(parts) if part in ESCAPES), default=0)
        parts = parts[start:]
    for length in range(len(parts), 0, -1):
        if length > 1 and parts[length - 1] in HARMLESS.get(".".join(parts[: length - 1]), ()):
            return None
        if capability := OWNERS.get(".".join(parts[:length])):
            return capability
    return None


def _without_underscore(parts: list[str]) -> list[str]:
    """A module's private name of another is that other: random._os is os."""
    return [part.lstrip("_") if part.lstrip("_") in ESCAPES else part for part in parts]
