"""What a provider's stream adds up to, whatever its wire."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from flowassist.models.model import UNKNOWN, Finish, Hear, ModelError, Reply, Spent, ToolCall, Trouble, Usage, uncounted
from flowassist.text import clean

_A_WORD = re.compile(r"[A-Za-z_]{1,40}")
"""Anything else is not repeated: an endpoint may say a key back."""


class Joint:
    """Mends text that arrives in pieces: a character whose halves come in two pieces is passed on with the second."""

    def __init__(self) -> None:
        self._half = ""

    def add(self, piece: str) -> str:
        """What of `piece` can be passed on now."""
        text = self._half + piece
        self._half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return clean(text.removesuffix(self._half) if self._half else text)


@dataclass
class ToolPieces:
    """One tool call, growing."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    signature: str = ""

    @property
    def said(self) -> bool:
        """Whether anything was told of it: some endpoints open calls and leave them empty."""
        return bool(self.name or any(self.arguments))

    def whole(self, position: int) -> ToolCall:
        arguments = clean("".join(self.arguments)).strip() or "{}"
        return ToolCall(self.id or f"call_{position}", clean(self.name), arguments, self.signature)


class Answer:
    """Collects one reply; the vendor's reader writes to it, `reply` closes it."""

    def __init__(self, hear: Hear, spent: Spent = uncounted) -> None:
        self._hear, self._spent = hear, spent
        self._joint = Joint()
        self._text: list[str] = []
        self._tools: dict[int, ToolPieces] = {}
        self.finish: Finish | None = None
        self.ended = False
        self.usage: Usage = UNKNOWN
        self.heard = False

    def say(self, piece: str) -> None:
        text = self._joint.add(piece)
        if text:
            self._text.append(text)
            self.heard = True
            self._hear(text)

    def tool(self, index: int) -> ToolPieces:
        """The pieces of the call at `index`, in the provider's counting."""
        return self._tools.setdefault(index, ToolPieces())

    @property
    def next_tool(self) -> int:
        """An index that no call has yet."""
        return max(self._tools, default=-1) + 1

    def finished(self, known: Mapping[str, Finish], reason: object) -> None:
        """The provider's reason to stop; the first one counts. Raises ModelError for a reason that nobody knows."""
        if not isinstance(reason, str) or reason not in known:
            shown = reason if isinstance(reason, str) and _A_WORD.fullmatch(reason) else "no word"
            raise ModelError(Trouble.BROKEN_OFF, f"the answer stopped for an unknown reason: {shown}")
        self.finish = self.finish or known[reason]

    def reply(self) -> Reply:
        """Raises ModelError (BROKEN_OFF) if the provider gave no reason to stop."""
        if self.finish is None:
            raise ModelError(Trouble.BROKEN_OFF, "the stream ended without a finish reason")
        calls = tuple(pieces.whole(index) for index, pieces in sorted(self._tools.items()) if pieces.said)
        finish = Finish.TOOL if calls and self.finish is Finish.STOP else self.finish
        return Reply("".join(self._text), finish, self.usage, calls)

    def failed(self, error: ModelError) -> ModelError:
        """`error` with what was heard and reported before it."""
        error.heard = self.heard
        error.usage = self.usage
        return error

    def count(self, **numbers: object) -> None:
        """Take over reported token numbers; what is no count stays unknown."""
        known = {name: number for name, number in numbers.items() if type(number) is int and number >= 0}
        self.usage = replace(self.usage, **known)
        self._spent(self.usage)

    def sum(self) -> None:
        """For providers that report no total of their own."""
        read, written = self.usage.input, self.usage.output
        self.usage = replace(self.usage, total=None if read is None or written is None else read + written)
        self._spent(self.usage)
