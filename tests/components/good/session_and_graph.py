from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data


class WhereAmI(Component):
    display_name = "Where am I"
    description = "What the component knows of its run."
    icon = "map-pin"
    inputs = [
        MessageTextInput(name="session_id", display_name="Session ID", value="", advanced=True),
        MessageTextInput(name="note", display_name="Note"),
    ]
    outputs = [Output(name="context", display_name="Context", method="tell_context")]

    def tell_context(self) -> Data:
        return Data(
            data={
                "session": self.session_id or "none",
                "component": self._id if hasattr(self, "_id") else "",
                "name": self.display_name,
                "note": self.note,
            }
        )
