from urllib.parse import parse_qs, quote, urlencode, urljoin, urlsplit

from lfx.custom import Component
from lfx.io import DictInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class UrlParts(Component):
    display_name = "URL Parts"
    description = "Takes an address apart, or builds one."
    icon = "link"

    inputs = [
        MessageTextInput(name="url", display_name="URL"),
        DictInput(name="params", display_name="Parameters", value={}),
    ]
    outputs = [
        Output(name="parts", display_name="Parts", method="take_apart"),
        Output(name="built", display_name="Built", method="build_url"),
    ]

    def take_apart(self) -> Data:
        parts = urlsplit(self.url)
        return Data(data={"host": parts.hostname, "path": parts.path, "query": parse_qs(parts.query)})

    def build_url(self) -> Message:
        query = urlencode(self.params or {}, quote_via=quote)
        joined = urljoin(self.url, "search")
        return Message(text=f"{joined}?{query}" if query else joined)
