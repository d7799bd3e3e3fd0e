from lfx.custom import Component
from lfx.io import MessageTextInput, Output, SliderInput, TabInput
from lfx.schema.message import Message
from lfx.field_typing.range_spec import RangeSpec


class Shorten(Component):
    display_name = "Shorten"
    description = "Shortens a text to a share of its length."
    icon = "scissors"

    inputs = [
        MessageTextInput(name="text", display_name="Text"),
        TabInput(name="side", display_name="Side", options=["Start", "Middle", "End"], value="End"),
        SliderInput(
            name="share",
            display_name="Share",
            value=0.5,
            range_spec=RangeSpec(min=0, max=1, step=0.05),
            min_label="Nothing",
            max_label="Everything",
        ),
    ]
    outputs = [Output(name="shortened", display_name="Shortened", method="shorten")]

    def shorten(self) -> Message:
        keep = int(len(self.text) * self.share)
        if self.side == "Start":
            return Message(text=self.text[-keep:] if keep else "")
        if self.side == "Middle":
            half = keep // 2
            return Message(text=f"{self.text[:half]}…{self.text[len(self.text) - half :]}")
        return Message(text=self.text[:keep])
