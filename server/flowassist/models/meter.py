"""What a turn has spent."""

from collections.abc import Callable, Mapping
from functools import reduce
from operator import add
from types import MappingProxyType

from flowassist.models.model import Usage


def _unheard(_phase: str, _usage: Usage) -> None:
    """Tells nobody."""


class Meter:
    """Sums tokens by phase over every call of one turn, failed and cancelled ones too.

    A number that one call did not report stays unknown; a known one never decreases. `heard` is told of each call.
    """

    def __init__(self, heard: Callable[[str, Usage], None] = _unheard) -> None:
        self._phases: dict[str, Usage] = {}
        self._heard = heard

    def add(self, phase: str, usage: Usage) -> None:
        self._heard(phase, usage)
        self._phases[phase] = self._phases.get(phase, Usage()) + usage

    @property
    def phases(self) -> Mapping[str, Usage]:
        """By phase, in the order in which they began."""
        return MappingProxyType(self._phases)

    @property
    def total(self) -> Usage:
        return reduce(add, self._phases.values(), Usage())
