import logging

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message

logger = logging.getLogger(__name__)


class LogText(Component):
    display_name = "Log Text"
    description = "Logs a text and hands it on."
    icon = "scroll"

    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="text_out", display_name="Text", method="hand_on")]

    def hand_on(self) -> Message:
        logger.info("Got %d characters", len(self.text))
        self.log(f"Got {len(self.text)} characters", name="Length")
        if not self.text:
            logger.warning("The text is empty")
        message = Message(text=self.text)
        self.status = message
        return message
