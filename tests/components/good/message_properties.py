from datetime import datetime, timezone

from lfx.custom import Component
from lfx.io import BoolInput, MessageInput, MessageTextInput, Output
from lfx.schema.message import Message


class StampMessage(Component):
    display_name = "Stamp Message"
    description = "Adds a sender and a time to a message."
    icon = "clock"

    inputs = [
        MessageInput(name="message", display_name="Message"),
        MessageTextInput(name="sender_label", display_name="Sender", value="Bot"),
        BoolInput(name="with_time", display_name="With Time", value=False),
    ]
    outputs = [Output(name="stamped", display_name="Stamped", method="stamp")]

    def stamp(self) -> Message:
        text = self.message.text if self.message else ""
        if self.with_time:
            text = f"[{datetime.now(timezone.utc).isoformat()}] {text}"
        return Message(text=text, sender="Machine", sender_name=self.sender_label)
