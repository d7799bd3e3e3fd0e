from lfx.custom import Component
from lfx.io import HandleInput, MessageTextInput, Output
from lfx.schema import Data, DataFrame
from lfx.schema.message import Message


class AnythingToText(Component):
    display_name = "Anything to Text"
    description = "Turns messages, data and tables into text."
    icon = "type"

    inputs = [
        HandleInput(name="anything", display_name="Anything", input_types=["Message", "Data", "DataFrame"]),
        MessageTextInput(name="heading", display_name="Heading", advanced=True),
    ]
    outputs = [Output(name="text", display_name="Text", method="to_text")]

    def to_text(self) -> Message:
        value = self.anything
        if isinstance(value, Message):
            body = value.text
        elif isinstance(value, DataFrame):
            body = value.to_string(index=False)
        elif isinstance(value, Data):
            body = "\n".join(f"{key}: {item}" for key, item in value.data.items())
        else:
            body = str(value)
        return Message(text=f"{self.heading}\n{body}" if self.heading else body)
