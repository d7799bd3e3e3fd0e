from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class WithArguments(Component):
    display_name = "With Arguments"
    description = "Hands on whatever it is made with."
    icon = "wrench"
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="told", display_name="Told", method="tell")]

    def __init__(self, *args, **kwargs) -> None:
        super(WithArguments, self).__init__(*args, **kwargs)
        self._marks = {"start": "<", "end": ">"}

    def tell(self) -> Message:
        return Message(text="{start}{text}{end}".format(text=self.text, **self._marks))
