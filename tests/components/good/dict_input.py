from lfx.custom import Component
from lfx.io import DictInput, NestedDictInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class DictTools(Component):
    display_name = "Dict Tools"
    description = "Flattens and prints dictionaries."
    icon = "braces"

    inputs = [
        DictInput(name="pairs", display_name="Pairs", is_list=True, value={"a": "1"}),
        NestedDictInput(name="nested", display_name="Nested", value={}),
    ]
    outputs = [
        Output(name="flat", display_name="Flat", method="flatten_all"),
        Output(name="printed", display_name="Printed", method="print_all"),
    ]

    def flatten_all(self) -> Data:
        return Data(data={**(self.pairs or {}), **dict(self._flat(self.nested or {}))})

    def print_all(self) -> Message:
        return Message(text="\n".join(f"{k} = {v!r}" for k, v in self._flat(self.nested or {})))

    def _flat(self, value, prefix=""):
        for key, inner in value.items():
            name = f"{prefix}.{key}" if prefix else str(key)
            if isinstance(inner, dict):
                yield from self._flat(inner, name)
            else:
                yield name, inner
