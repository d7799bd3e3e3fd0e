from lfx.custom import Component
from lfx.io import DataInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message


class DataToText(Component):
    display_name = "Data to Text"
    description = "Renders each data object with a template."
    icon = "message-square"

    inputs = [
        DataInput(name="data", display_name="Data", is_list=True),
        MessageTextInput(name="template_text", display_name="Template", value="- {text}"),
        MessageTextInput(name="sep", display_name="Separator", value="\n", advanced=True),
    ]
    outputs = [
        Output(name="text", display_name="Text", method="render"),
        Output(name="rows", display_name="Rows", method="rows_of"),
    ]

    def _items(self) -> list[Data]:
        if not self.data:
            return []
        return self.data if isinstance(self.data, list) else [self.data]

    def render(self) -> Message:
        lines = []
        for item in self._items():
            line = self.template_text
            for key, value in item.data.items():
                line = line.replace("{" + key + "}", str(value))
            lines.append(line)
        return Message(text=self.sep.join(lines))

    def rows_of(self) -> DataFrame:
        return DataFrame([item.data for item in self._items()])
