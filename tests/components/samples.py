"""Components that the tests of this room share."""

from flowassist.components.reading import Reading, read

UPPERCASE = """\
from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class UppercaseComponent(Component):
    display_name = "Uppercase"
    description = "Turns text into capitals."
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="result", display_name="Result", method="build_result")]

    def build_result(self) -> Message:
        return Message(text=self.text.upper())
"""

INPUT = 'MessageTextInput(name="text", display_name="Text")'
OUTPUT = 'Output(name="result", display_name="Result", method="build_result")'
METHOD = """
def build_result(self) -> Message:
    return Message(text=self.description)
"""
INHERITED = UPPERCASE + "\n\nclass Louder(UppercaseComponent):\n    display_name = 'Louder'\n"

HEAD = """\
from lfx.custom import Component
from lfx.io import FileInput, IntInput, MessageTextInput, Output
from lfx.schema import Data, DataFrame
from lfx.schema.message import Message


"""


def component(body: str, *, name: str = "Sample", head: str = HEAD) -> str:
    """A component whose class body is `body`, written at any indentation."""
    lines = body.strip("\n").splitlines()
    width = len(lines[0]) - len(lines[0].lstrip())
    return f"{head}class {name}(Component):\n" + "\n".join(f"    {line[width:]}".rstrip() for line in lines) + "\n"


def with_method(statements: str, *, annotation: str = " -> Message", head: str = HEAD) -> str:
    """A component with a text input and one output, whose method consists of `statements`."""
    indented = "\n".join(f"    {line}" for line in statements.strip("\n").splitlines())
    body = f"""\
inputs = [MessageTextInput(name="text", display_name="Text")]
outputs = [Output(name="result", display_name="Result", method="build_result")]

def build_result(self){annotation}:
{indented}
"""
    return component(body, head=head)


def rules(code: str) -> list[str]:
    """The rules that the code breaks."""
    return [finding.rule for finding in read(code).errors]


def outline(reading: Reading) -> tuple[list[str], list[tuple[str, str]]]:
    """Names of the inputs; names and methods of the outputs."""
    assert reading.anatomy
    inputs = [entry.name for entry in reading.anatomy.inputs.entries]
    return inputs, [(entry.name, entry.method) for entry in reading.anatomy.outputs.entries]
