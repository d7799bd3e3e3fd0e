import html
import re
from html.parser import HTMLParser

from lfx.custom import Component
from lfx.io import BoolInput, MultilineInput, Output
from lfx.schema.message import Message


class _TextOnly(HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


class HtmlToText(Component):
    display_name = "HTML to Text"
    description = "Removes tags and entities."
    icon = "code-2"

    inputs = [
        MultilineInput(name="html_text", display_name="HTML"),
        BoolInput(name="collapse", display_name="Collapse Spaces", value=True),
    ]
    outputs = [
        Output(name="plain", display_name="Plain", method="strip_tags"),
        Output(name="escaped", display_name="Escaped", method="escape_text"),
    ]

    def strip_tags(self) -> Message:
        parser = _TextOnly()
        parser.feed(self.html_text)
        text = html.unescape("".join(parser.parts))
        return Message(text=re.sub(r"\s+", " ", text).strip() if self.collapse else text)

    def escape_text(self) -> Message:
        return Message(text=html.escape(self.html_text))
