"""What a turn has spent."""

from collections.abc import Mapping
from functools import reduce
from operator import add
from types import MappingProxyType

from flowassist.models.model import Usage


class Meter:
    """Sums tokens by phase over every call of one turn, failed and cancelled ones too.

    A number that one call did not report stays unknown; a known one never decreases.
    """

    def __init__(self) -> None:
        self._phases: dict[str, Usage] = {}

    def add(self, phase: str, usage: Usage) -> None:
        self._phases[phase] = self._phases.get(phase, Usage()) + usage

    @property
    def phases(self) -> Mapping[str, Usage]:
        """By phase, in the order in which they began."""
        return MappingProxyType(self._phases)

    @property
    def total(self) -> Usage:
        return reduce(add, self._phases.values(), Usage())
