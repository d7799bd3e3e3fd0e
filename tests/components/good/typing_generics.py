from __future__ import annotations

from collections import defaultdict, deque
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.data import Data

T = TypeVar("T")
Groups = dict[str, list[str]]


class Pair(NamedTuple):
    key: str
    words: list[str]


class Row(TypedDict, total=False):
    key: str
    count: int


class Window(Generic[T]):
    def __init__(self, size: int) -> None:
        self.held: deque[T] = deque(maxlen=size)

    def add(self, item: T) -> None:
        self.held.append(item)


class GroupWords(Component):
    display_name = "Group Words"
    description = "Groups words by their first letter."
    icon = "group"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        IntInput(name="window", display_name="Window", value=20),
    ]
    outputs = [Output(name="groups", display_name="Groups", method="group_words")]

    def group_words(self) -> Data:
        window: Window[str] = Window(max(1, self.window))
        for word in self.text.split():
            window.add(word)
        groups: Groups = defaultdict(list)
        for word in window.held:
            groups[word[0].lower()].append(word)
        pairs = [Pair(key, words) for key, words in sorted(groups.items())]
        rows: list[Row] = [Row(key=pair.key, count=len(pair.words)) for pair in pairs]
        result: dict[str, Any] = {"groups": dict(groups), "rows": rows}
        return Data(data=result)
