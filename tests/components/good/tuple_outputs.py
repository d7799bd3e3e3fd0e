from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.message import Message


class RepeatText(Component):
    display_name = "Repeat Text"
    description = "Repeats a text."
    icon = "repeat"

    inputs = [
        MessageTextInput(name="phrase", display_name="Phrase"),
        IntInput(name="times", display_name="Times", value=2),
    ]
    outputs = (
        Output(name="repeated", display_name="Repeated", method="repeat_phrase"),
        Output(name="length", display_name="Length", method="measure"),
    )

    def repeat_phrase(self) -> Message:
        return Message(text=self.phrase * max(self.times, 0))

    def measure(self) -> Message:
        return Message(text=str(len(self.phrase) * max(self.times, 0)))
