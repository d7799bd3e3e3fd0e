from functools import cached_property

from lfx.custom import Component
from lfx.io import MultilineInput, Output
from lfx.schema.data import Data


class LineTools(Component):
    display_name = "Line Tools"
    description = "Facts about the lines of a text."
    icon = "align-left"

    COMMENT = "#"
    inputs = [MultilineInput(name="text", display_name="Text")]
    outputs = [Output(name="facts", display_name="Facts", method="build_facts")]

    @property
    def lines(self) -> list[str]:
        return [line for line in self.text.splitlines() if not self.is_comment(line)]

    @cached_property
    def widths(self) -> list[int]:
        return [len(line) for line in self.lines]

    @classmethod
    def is_comment(cls, line: str) -> bool:
        return line.lstrip().startswith(cls.COMMENT)

    @staticmethod
    def widest(widths: list[int]) -> int:
        return max(widths, default=0)

    def build_facts(self) -> Data:
        return Data(data={"lines": len(self.lines), "widest": self.widest(self.widths)})
