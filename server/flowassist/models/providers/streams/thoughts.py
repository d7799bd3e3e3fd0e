"""Text without the thoughts that a model puts before its answer."""

from collections.abc import Callable

OPENING, CLOSING = "<think>", "</think>"


class Unthinking:
    """Passes text on to `say`, but for one block of thoughts at its beginning and the white space around it.

    A block that never closes is never said. Text that only mentions the marks further on passes as it is.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._held = ""
        self._take: Callable[[str], None] = self._beginning

    def __call__(self, piece: str) -> None:
        self._take(piece)

    def end(self) -> None:
        """No more comes: what might have become a mark is text."""
        if self._take == self._beginning and self._held:
            self._pass_on()

    def _beginning(self, piece: str) -> None:
        self._held += piece
        text = self._held.lstrip()
        if text.startswith(OPENING):
            self._held, self._take = "", self._thinking
            self._thinking(text.removeprefix(OPENING))
        elif not OPENING.startswith(text):
            self._pass_on()

    def _thinking(self, piece: str) -> None:
        _, mark, rest = (self._held + piece).partition(CLOSING)
        self._held = (self._held + piece)[-len(CLOSING) + 1 :]
        if mark:
            self._take = self._after
            self._after(rest)

    def _after(self, piece: str) -> None:
        """The empty lines before the answer."""
        if text := piece.lstrip():
            self._take = self._say
            self._say(text)

    def _pass_on(self) -> None:
        self._take = self._say
        self._say(self._held)
