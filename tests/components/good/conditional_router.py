from lfx.custom import Component
from lfx.io import DropdownInput, MessageInput, MessageTextInput, Output
from lfx.schema.message import Message


class KeywordRouter(Component):
    display_name = "Keyword Router"
    description = "Sends a message one way or the other."
    icon = "split"

    inputs = [
        MessageInput(name="message", display_name="Message", required=True),
        MessageTextInput(name="keyword", display_name="Keyword", value="hello"),
        DropdownInput(name="how", display_name="How", options=["contains", "starts with"], value="contains"),
    ]
    outputs = [
        Output(name="found", display_name="Found", method="route_found", group_outputs=True),
        Output(name="not_found", display_name="Not Found", method="route_not_found", group_outputs=True),
    ]

    def _fits(self) -> bool:
        text = (self.message.text or "").lower()
        keyword = self.keyword.lower()
        return text.startswith(keyword) if self.how == "starts with" else keyword in text

    def route_found(self) -> Message:
        if self._fits():
            return self.message
        self.stop("found")
        return Message(text="")

    def route_not_found(self) -> Message:
        if not self._fits():
            return self.message
        self.stop("not_found")
        return Message(text="")
