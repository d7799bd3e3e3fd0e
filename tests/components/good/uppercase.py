from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class UppercaseComponent(Component):
    display_name = "Uppercase"
    description = "Converts text to upper case."
    icon = "type"
    name = "Uppercase"

    inputs = [MessageTextInput(name="text", display_name="Text", tool_mode=True)]
    outputs = [Output(display_name="Result", name="result", method="to_upper")]

    def to_upper(self) -> Message:
        return Message(text=self.text.upper())
