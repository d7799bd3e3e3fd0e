import difflib

from lfx.custom import Component
from lfx.io import MultilineInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class DiffTexts(Component):
    display_name = "Diff Texts"
    description = "Compares two texts."
    icon = "git-compare"

    inputs = [
        MultilineInput(name="old_text", display_name="Old"),
        MultilineInput(name="new_text", display_name="New", value="Hello there"),
    ]
    outputs = [
        Output(name="diff", display_name="Diff", method="make_diff", group_outputs=True),
        Output(name="similarity", display_name="Similarity", method="measure_similarity", group_outputs=True),
    ]

    def make_diff(self) -> Message:
        lines = difflib.unified_diff(self.old_text.splitlines(), self.new_text.splitlines(), "old", "new", lineterm="")
        return Message(text="\n".join(lines))

    def measure_similarity(self) -> Data:
        ratio = difflib.SequenceMatcher(None, self.old_text, self.new_text).ratio()
        return Data(data={"ratio": round(ratio, 3), "equal": self.old_text == self.new_text})
