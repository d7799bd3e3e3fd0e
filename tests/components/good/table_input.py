from lfx.custom import Component
from lfx.io import MessageTextInput, Output, TableInput
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class ReplaceByTable(Component):
    display_name = "Replace by Table"
    description = "Replaces words as a table says."
    icon = "replace"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        TableInput(
            name="replacements",
            display_name="Replacements",
            table_schema=[
                {"name": "old", "display_name": "Old", "type": "str", "description": "What to replace"},
                {"name": "new", "display_name": "New", "type": "str"},
                {"name": "whole_word", "display_name": "Whole Word", "type": "boolean", "default": False},
            ],
            value=[{"old": "Hello", "new": "Goodbye", "whole_word": False}],
        ),
    ]
    outputs = [
        Output(name="replaced", display_name="Replaced", method="replace_words"),
        Output(name="rules", display_name="Rules", method="list_rules"),
    ]

    def replace_words(self) -> Data:
        text, done = self.text, 0
        for row in self.replacements or []:
            done += text.count(row.get("old", ""))
            text = text.replace(row.get("old", ""), row.get("new", ""))
        return Data(data={"text": text, "replaced": done})

    def list_rules(self) -> DataFrame:
        return DataFrame(self.replacements or [])
