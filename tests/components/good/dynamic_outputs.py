from typing import Any

from lfx.custom import Component
from lfx.io import MessageTextInput, Output, TabInput
from lfx.schema.data import Data
from lfx.schema.message import Message


class DynamicOutputs(Component):
    display_name = "Dynamic Outputs"
    description = "Shows the output that the mode asks for."
    icon = "shuffle"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        TabInput(
            name="kind", display_name="Kind", options=["Message", "Data"], value="Message", real_time_refresh=True
        ),
    ]
    outputs = [Output(name="as_message", display_name="Message", method="build_message")]

    def update_outputs(self, frontend_node: dict, field_name: str, field_value: Any) -> dict:
        if field_name == "kind":
            frontend_node["outputs"] = []
            if field_value == "Data":
                frontend_node["outputs"].append(Output(name="as_data", display_name="Data", method="build_data"))
            else:
                frontend_node["outputs"].append(
                    Output(name="as_message", display_name="Message", method="build_message")
                )
        return frontend_node

    def build_message(self) -> Message:
        return Message(text=self.text)

    def build_data(self) -> Data:
        return Data(data={"text": self.text})
