import random
import secrets
import string
import uuid

from lfx.custom import Component
from lfx.io import DropdownInput, IntInput, Output
from lfx.schema.message import Message


class IdGenerator(Component):
    display_name = "ID Generator"
    description = "Makes identifiers of several kinds."
    icon = "fingerprint"

    inputs = [
        DropdownInput(name="kind", display_name="Kind", options=["uuid4", "token", "letters"], value="uuid4"),
        IntInput(name="length", display_name="Length", value=16),
    ]
    outputs = [Output(name="identifier", display_name="Identifier", method="make_identifier")]

    def make_identifier(self) -> Message:
        length = max(1, min(self.length, 256))
        made = {
            "uuid4": lambda: str(uuid.uuid4()),
            "token": lambda: secrets.token_urlsafe(length),
            "letters": lambda: "".join(random.choices(string.ascii_letters, k=length)),
        }
        return Message(text=made[self.kind]())
