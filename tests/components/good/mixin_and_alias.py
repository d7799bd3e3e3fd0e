from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message as ChatMessage
from lfx.io import MultilineInput as LongText

BaseComponent = Component


class CleaningMixin:
    REPLACEMENTS = {"\u201c": '"', "\u201d": '"', "\u2019": "'", "\u00a0": " "}

    def clean(self, text: str) -> str:
        for old, new in self.REPLACEMENTS.items():
            text = text.replace(old, new)
        return " ".join(text.split())


class QuoteCleaner(CleaningMixin, BaseComponent):
    display_name = "Quote Cleaner"
    description = "Replaces typographic quotes and odd spaces."
    icon = "eraser"

    inputs = [
        LongText(name="text", display_name="Text"),
        MessageTextInput(name="prefix", display_name="Prefix", value="", advanced=True),
    ]
    outputs = [Output(name="cleaned", display_name="Cleaned", method="clean_text")]

    def clean_text(self) -> ChatMessage:
        return ChatMessage(text=f"{self.prefix}{self.clean(self.text)}")
