# warns: several-components
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class Encode(Component):
    display_name = "Rot13 Encode"
    description = "Encodes a text with ROT13."
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="encoded", display_name="Encoded", method="encode_text")]

    def encode_text(self) -> Message:
        import codecs

        return Message(text=codecs.encode(self.text, "rot13"))


class Decode(Component):
    display_name = "Rot13 Decode"
    description = "Decodes a text from ROT13."
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="decoded", display_name="Decoded", method="decode_text")]

    def decode_text(self) -> Message:
        import codecs

        return Message(text=codecs.decode(self.text, "rot13"))
