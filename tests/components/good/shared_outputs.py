from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message

TEXT_INPUT = MessageTextInput(name="text", display_name="Text", tool_mode=True)
COMMON_OUTPUTS = [Output(name="text_result", display_name="Text", method="as_text")]


class SharedOutputs(Component):
    display_name = "Shared Outputs"
    description = "Lists put together from parts."
    icon = "layers"

    _extra = Output(name="data_result", display_name="Data", method="as_data")
    inputs = [TEXT_INPUT]
    outputs = COMMON_OUTPUTS + [_extra]

    def as_text(self) -> Message:
        return Message(text=self.text)

    def as_data(self) -> Data:
        return Data(data={"text": self.text})
