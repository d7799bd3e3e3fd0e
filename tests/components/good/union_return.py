from lfx.custom import Component
from lfx.io import DropdownInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class MessageOrData(Component):
    display_name = "Message or Data"
    description = "Gives one kind of result or the other."
    icon = "shuffle"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        DropdownInput(name="kind", display_name="Kind", options=["message", "data"], value="message"),
    ]
    outputs = [
        Output(name="either", display_name="Either", method="make_either"),
        Output(name="typed", display_name="Typed", method="make_typed", types=["Message"]),
    ]

    def make_either(self) -> Message | Data:
        return Message(text=self.text) if self.kind == "message" else Data(data={"text": self.text})

    def make_typed(self):
        return Message(text=self.text)
