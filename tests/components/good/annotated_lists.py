from typing import ClassVar

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class ReverseText(Component):
    display_name: str = "Reverse Text"
    description: str = "Reverses a text, or the order of its words."
    icon: str = "arrow-left-right"
    name: str = "ReverseText"
    SEPARATOR: ClassVar[str] = " "

    inputs: list = [
        MessageTextInput(name="text", display_name="Text"),
        MessageTextInput(name="mode_name", display_name="Mode", value="letters"),
    ]
    outputs: list[Output] = [
        Output(name="reversed_text", display_name="Reversed", method="reverse"),
    ]

    def reverse(self) -> Message:
        if self.mode_name == "words":
            return Message(text=self.SEPARATOR.join(reversed(self.text.split())))
        return Message(text=self.text[::-1])
