from lfx.custom import Component
from lfx.io import BoolInput, DataInput, Output
from lfx.schema.data import Data


class MergeDataComponent(Component):
    display_name = "Merge Data"
    description = "Merges two data objects into one."
    icon = "merge"

    inputs = [
        DataInput(name="first", display_name="First", required=True),
        DataInput(name="second", display_name="Second"),
        BoolInput(name="deep", display_name="Deep", value=True),
    ]
    outputs = [Output(name="merged", display_name="Merged", method="merge")]

    def merge(self) -> Data:
        one = self.first.data if self.first else {}
        two = self.second.data if self.second else {}
        return Data(data=self._deep(one, two) if self.deep else {**one, **two})

    def _deep(self, one: dict, two: dict) -> dict:
        merged = dict(one)
        for key, value in two.items():
            both = isinstance(merged.get(key), dict) and isinstance(value, dict)
            merged[key] = self._deep(merged[key], value) if both else value
        return merged
