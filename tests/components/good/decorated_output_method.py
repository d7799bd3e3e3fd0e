from functools import wraps

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


def logged(method):
    @wraps(method)
    def inner(self):
        result = method(self)
        self.log(f"{method.__name__} gave {len(result.text)} characters")
        return result

    return inner


class LoggedTitle(Component):
    display_name = "Logged Title"
    description = "Title case, with a log line."
    icon = "heading"
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="titled", display_name="Titled", method="make_title")]

    @logged
    def make_title(self) -> Message:
        return Message(text=self.text.title())
