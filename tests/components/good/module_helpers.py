import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum

from lfx.custom import Component
from lfx.io import DropdownInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message

MAX_LENGTH = 80
STOP_WORDS: frozenset[str] = frozenset({"a", "an", "and", "of", "the"})


class Style(str, Enum):
    KEBAB = "kebab"
    SNAKE = "snake"


@dataclass
class Slug:
    text: str
    words: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.words = [word for word in _words(self.text) if word not in STOP_WORDS]

    def joined(self, style: Style) -> str:
        return ("-" if style is Style.KEBAB else "_").join(self.words)[:MAX_LENGTH]


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^\w\s]", " ", plain.lower()).split()


class SlugifyComponent(Component):
    display_name = "Slugify"
    description = "Makes a slug of a title."
    icon = "link"

    inputs = [
        MessageTextInput(name="title", display_name="Title", tool_mode=True),
        DropdownInput(name="style", display_name="Style", options=[s.value for s in Style], value=Style.KEBAB.value),
    ]
    outputs = [
        Output(name="slug", display_name="Slug", method="make_slug"),
        Output(name="parts", display_name="Parts", method="list_parts"),
    ]

    def make_slug(self) -> Message:
        return Message(text=Slug(self.title).joined(Style(self.style)))

    def list_parts(self) -> list[Data]:
        return [Data(data={"word": word}) for word in Slug(self.title).words]
