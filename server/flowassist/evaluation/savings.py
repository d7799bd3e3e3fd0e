"""How many messages need no model, and how often that is right."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flowassist.assistant.intended import Intended
from flowassist.assistant.intent import certain
from flowassist.evaluation.sets import Message
from flowassist.turns.asked import Asked


@dataclass(frozen=True, slots=True)
class Marks:
    right: int
    of: int


@dataclass(frozen=True, slots=True)
class Decided:
    """A message that was decided without a call."""

    message: Message
    intended: Intended

    @property
    def right(self) -> bool:
        return self.intended.kind is self.message.expected


@dataclass(frozen=True, slots=True)
class Savings:
    """`of` is how many messages there were in all."""

    decided: tuple[Decided, ...]
    of: int

    @property
    def share(self) -> float:
        """Of the messages, from 0 to 1."""
        return len(self.decided) / self.of if self.of else 0.0

    @property
    def precision(self) -> float:
        """Share of what was decided rightly; 1 where nothing was."""
        return self.marks.right / self.marks.of if self.decided else 1.0

    @property
    def marks(self) -> Marks:
        return _marks(self.decided)

    @property
    def by_rule(self) -> Mapping[str, Marks]:
        """In the order of their names."""
        rules = sorted({one.intended.rule for one in self.decided})
        return {rule: _marks(one for one in self.decided if one.intended.rule == rule) for rule in rules}


def savings(messages: tuple[Message, ...]) -> Savings:
    """What the rules alone decide; no model is asked."""
    found = ((message, certain(Asked(message.text, "agentic_eval", new_session=True))) for message in messages)
    return Savings(tuple(Decided(message, intended) for message, intended in found if intended), len(messages))


def _marks(decided: Iterable[Decided]) -> Marks:
    rights = [one.right for one in decided]
    return Marks(sum(rights), len(rights))
