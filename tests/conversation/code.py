"""Components as a model might write them."""

GOOD = """\
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class TextUppercase(Component):
    display_name = "Text Uppercase"
    description = "Converts text to uppercase."
    icon = "type"
    name = "TextUppercase"

    inputs = [MessageTextInput(name="text", display_name="Text", tool_mode=True)]
    outputs = [Output(display_name="Uppercase", name="uppercase", method="convert")]

    def convert(self) -> Message:
        return Message(text=(self.text or "").upper())
"""

BAD = GOOD.replace("(self.text or", "(self.txt_typo or")

LOOPING = GOOD.replace(
    '    display_name = "Text Uppercase"', '    spin = [0 for _ in iter(int, 1)]\n    display_name = "Text Uppercase"'
)


def answer(code: str) -> str:
    """As the prompt asks for it."""
    return f"This component works on text.\n\n```python\n{code}```\n"
