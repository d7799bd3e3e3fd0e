import base64
import binascii

from lfx.custom import Component
from lfx.io import DropdownInput, MessageTextInput, Output
from lfx.schema.message import Message


class Base64Component(Component):
    display_name = "Base64"
    description = "Encodes and decodes Base64."
    icon = "binary"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        DropdownInput(name="direction", display_name="Direction", options=["Encode", "Decode"], value="Decode"),
    ]
    outputs = [Output(name="coded", display_name="Coded", method="code_text")]

    def code_text(self) -> Message:
        if self.direction == "Encode":
            return Message(text=base64.b64encode(self.text.encode()).decode())
        try:
            return Message(text=base64.b64decode(self.text, validate=True).decode("utf-8"))
        except (binascii.Error, UnicodeDecodeError) as error:
            self.status = str(error)
            return Message(text=f"Error: not valid Base64 ({error})")
