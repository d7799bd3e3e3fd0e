from lfx.custom import Component
from lfx.io import DropdownInput, MessageTextInput, Output
from lfx.schema.message import Message


class BaseTextComponent(Component):
    """What the text tools here have in common."""

    icon = "type"
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="result", display_name="Result", method="run_tool")]

    def transform(self, text: str) -> str:
        raise NotImplementedError

    def run_tool(self) -> Message:
        result = self.transform(self.text)
        self.status = result
        return Message(text=result)


class Indent(BaseTextComponent):
    display_name = "Indent"
    description = "Indents each line of a text."
    inputs = [
        *BaseTextComponent.inputs,
        DropdownInput(name="width", display_name="Width", options=["2", "4", "8"], value="4"),
    ]

    def transform(self, text: str) -> str:
        return "\n".join(" " * int(self.width) + line for line in text.splitlines())
