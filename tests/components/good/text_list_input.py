from lfx.custom import Component
from lfx.io import BoolInput, DropdownInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class ListTools(Component):
    display_name = "List Tools"
    description = "Sorts, shortens and joins lists of texts."
    icon = "list"

    inputs = [
        MessageTextInput(name="items", display_name="Items", is_list=True),
        DropdownInput(name="order", display_name="Order", options=["as is", "ascending", "descending"], value="as is"),
        BoolInput(name="unique", display_name="Unique", value=False),
    ]
    outputs = [
        Output(name="joined", display_name="Joined", method="join_items"),
        Output(name="listed", display_name="Listed", method="list_items"),
    ]

    def _prepared(self) -> list[str]:
        items = [item for item in (self.items or []) if item]
        if self.unique:
            items = list(dict.fromkeys(items))
        if self.order != "as is":
            items = sorted(items, reverse=self.order == "descending")
        return items

    def join_items(self) -> Message:
        return Message(text=", ".join(self._prepared()))

    def list_items(self) -> list[Data]:
        return [Data(data={"position": i, "text": item}) for i, item in enumerate(self._prepared(), start=1)]
