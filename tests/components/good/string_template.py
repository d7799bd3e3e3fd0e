import string
from string import Template

from lfx.custom import Component
from lfx.io import DictInput, MultilineInput, Output
from lfx.schema.message import Message


class FillTemplate(Component):
    display_name = "Fill Template"
    description = "Fills $placeholders from a dictionary."
    icon = "file-text"

    inputs = [
        MultilineInput(name="letter", display_name="Letter", value="Dear $name, you owe $$ $value."),
        DictInput(name="replacements", display_name="Variables", value={"name": "Ada"}),
    ]
    outputs = [
        Output(name="filled", display_name="Filled", method="fill"),
        Output(name="caps", display_name="Capitals", method="capitals"),
    ]

    def fill(self) -> Message:
        return Message(text=Template(self.letter).safe_substitute(self.replacements or {}))

    def capitals(self) -> Message:
        return Message(text=string.capwords(self.letter))
