from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data


class WithConstructor(Component):
    display_name = "With Constructor"
    description = "Keeps a list of its own."
    icon = "wrench"

    inputs = [MessageTextInput(name="entry", display_name="Entry")]
    outputs = [Output(name="entries", display_name="Entries", method="collect")]

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._entries: list[str] = []

    def collect(self) -> Data:
        self._entries.append(self.entry)
        return Data(data={"entries": list(self._entries), "class": type(self).__name__})
