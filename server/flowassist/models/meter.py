"""What a turn has spent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from types import MappingProxyType

from flowassist.models.model import NOTHING, Usage


@dataclass(frozen=True, slots=True)
class Phase:
    """Of one phase: `calls` are requests to models, failed and cancelled ones too."""

    calls: int = 0
    usage: Usage = NOTHING

    def plus(self, usage: Usage) -> "Phase":
        return Phase(self.calls + 1, self.usage + usage)


def _unheard(_phase: str, _usage: Usage) -> None:
    """Tells nobody."""


class Meter:
    """Sums tokens by phase over every call of one turn, failed and cancelled ones too.

    A number that one call did not report stays unknown; a known one never decreases. `heard` is told of each call.
    """

    def __init__(self, heard: Callable[[str, Usage], None] = _unheard) -> None:
        self._phases: dict[str, Phase] = {}
        self._heard = heard

    def add(self, phase: str, usage: Usage) -> None:
        self._heard(phase, usage)
        self._phases[phase] = self._phases.get(phase, Phase()).plus(usage)

    @property
    def phases(self) -> Mapping[str, Phase]:
        """By phase, in the order in which they began."""
        return MappingProxyType(self._phases)

    @property
    def total(self) -> Usage:
        return reduce(add, (phase.usage for phase in self._phases.values()), NOTHING)
