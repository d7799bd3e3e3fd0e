from lfx.custom.custom_component.component import Component
from lfx.inputs.inputs import DataInput, IntInput
from lfx.schema.data import Data
from lfx.template.field.base import Output


class PickItem(Component):
    display_name = "Pick Item"
    description = "Picks one item of a list in the data."
    icon = "mouse-pointer"
    beta = True
    legacy = False
    field_order = ["data", "position"]

    inputs = [
        DataInput(name="data", display_name="Data"),
        IntInput(name="position", display_name="Position", value=0),
    ]
    outputs = [Output(name="item", display_name="Item", method="pick_item")]

    def pick_item(self) -> Data:
        values = list((self.data.data if self.data else {}).values())
        if not values:
            return Data(data={})
        value = values[self.position % len(values)]
        return Data(data=value if isinstance(value, dict) else {"value": value})
