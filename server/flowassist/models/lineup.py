"""The models that a turn may ask."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from flowassist.models.model import Model


class Lineup:
    """Models of one provider in the order in which they are tried: what was chosen, then what may stand in for it.

    It moves on when a model cannot be had, and never back. Not to be shared by turns.
    """

    def __init__(self, provider: str, names: Iterable[str], open_model: Callable[[str], Model]) -> None:
        """`provider` is its id; `names` may repeat, and the first one is opened at once."""
        self.provider = provider
        self._waiting = list(dict.fromkeys(names))
        self._open = open_model
        self.tried: list[str] = []
        self.model = self._next()

    def move_on(self) -> bool:
        """Take the next model; False if there is none."""
        if not self._waiting:
            return False
        self.model = self._next()
        return True

    def _next(self) -> Model:
        name = self._waiting.pop(0)
        self.tried.append(name)
        return self._open(name)


@dataclass(frozen=True, slots=True)
class Lineups:
    """A turn's models: `main` for what it writes, `intent` for the classification. They may be one and the same.

    `repair` takes over where `main` makes the same fault again and again, if the operator named one.
    """

    main: Lineup
    intent: Lineup
    repair: Lineup | None = None
