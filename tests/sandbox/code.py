"""Writes component code for the tests, with the method's body at a known line."""

import textwrap

HEAD = """\
from lfx.custom import Component
from lfx.io import *
from lfx.schema import Data, DataFrame, Message
"""
IMPORTS = """\
import os
from lfx.custom import Component
from lfx.io import {inputs}, Output
from lfx.schema import Data, DataFrame, Message
"""
TEXT = 'MessageTextInput(name="text", display_name="Text")'
RESULT = 'Output(name="result", display_name="Result", method="build_result")'


def component(
    body: str = "return Message(text=self.text.upper())",
    *,
    returns: str = " -> Message",
    inputs: str = TEXT,
    outputs: str = RESULT,
    before: str = "",
    inside: str = "",
    more: str = "",
) -> str:
    """A class Sample; `before` stands before the class, `inside` in its body, `more` behind the first method."""
    kinds = sorted({part.split("(")[0].split()[-1].strip("[,") for part in inputs.split("Input(")[:-1]})
    lines = IMPORTS.format(inputs=", ".join(f"{kind}Input" for kind in kinds) or "MessageTextInput")
    lines += f"{before}\n\n\nclass Sample(Component):\n"
    lines += '    display_name = "Sample"\n    description = "A sample."\n'
    lines += f"    inputs = [{inputs}]\n    outputs = [{outputs}]\n"
    lines += textwrap.indent(inside, "    ") + "\n" if inside else ""
    lines += f"\n    def build_result(self){returns}:\n{textwrap.indent(textwrap.dedent(body), ' ' * 8)}\n"
    return lines + (textwrap.indent(textwrap.dedent(more), "    ") if more else "")


def line_of(code: str, piece: str) -> int:
    """The line, from 1, on which `piece` first stands."""
    return code[: code.index(piece)].count("\n") + 1
