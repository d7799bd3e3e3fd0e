from langchain_core.tools import StructuredTool
from pydantic import BaseModel, Field

from lfx.custom import Component
from lfx.field_typing import Tool
from lfx.io import IntInput, Output


class DiceArguments(BaseModel):
    sides: int = Field(default=6, description="How many sides the die has")


class DiceTool(Component):
    display_name = "Dice Tool"
    description = "A tool that rolls a die."
    icon = "dice-5"

    inputs = [IntInput(name="seed", display_name="Seed", value=1)]
    outputs = [Output(name="tool", display_name="Tool", method="build_tool")]

    def build_tool(self) -> Tool:
        import random

        source = random.Random(self.seed)

        def roll(sides: int = 6) -> int:
            """Roll a die."""
            return source.randint(1, sides)

        return StructuredTool.from_function(
            func=roll, name="roll_dice", description="Rolls a die.", args_schema=DiceArguments
        )
