from abc import ABC, abstractmethod

from lfx.custom import Component
from lfx.io import DropdownInput, MessageTextInput, Output
from lfx.schema.message import Message


class Cipher(ABC):
    @abstractmethod
    def encode(self, text: str) -> str: ...


class Caesar(Cipher):
    def __init__(self, shift: int = 3):
        self.shift = shift

    def encode(self, text: str) -> str:
        return "".join(self._shifted(letter) for letter in text)

    def _shifted(self, letter: str) -> str:
        if not letter.isascii() or not letter.isalpha():
            return letter
        first = ord("A" if letter.isupper() else "a")
        return chr((ord(letter) - first + self.shift) % 26 + first)


class Mirror(Cipher):
    def encode(self, text: str) -> str:
        return text[::-1]


CIPHERS: dict[str, Cipher] = {"caesar": Caesar(), "mirror": Mirror()}


class EncodeText(Component):
    display_name = "Encode Text"
    description = "Encodes a text with a toy cipher."
    icon = "lock"
    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        DropdownInput(name="cipher", display_name="Cipher", options=["caesar", "mirror"], value="caesar"),
    ]
    outputs = [Output(name="encoded", display_name="Encoded", method="encode_text")]

    def encode_text(self) -> Message:
        return Message(text=CIPHERS[self.cipher].encode(self.text))
