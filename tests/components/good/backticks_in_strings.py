import re

from lfx.custom import Component
from lfx.io import MultilineInput, Output
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message

FENCE = "```"


class ExtractCodeBlocks(Component):
    display_name = "Extract Code Blocks"
    description = "Finds fenced code in Markdown, as ```python ... ```."
    icon = "code"
    inputs = [MultilineInput(name="markdown", display_name="Markdown")]
    outputs = [
        Output(name="blocks", display_name="Blocks", method="find_blocks"),
        Output(name="wrapped", display_name="Wrapped", method="wrap"),
    ]

    def find_blocks(self) -> DataFrame:
        found = re.findall(r"```(\w*)\n(.*?)```", self.markdown, flags=re.DOTALL)
        return DataFrame([{"language": language, "code": code} for language, code in found])

    def wrap(self) -> Message:
        return Message(
            text=f"""{FENCE}text
{self.markdown}
{FENCE}"""
        )
