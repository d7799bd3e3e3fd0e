# not checked: page: network
import requests
from bs4 import BeautifulSoup

from lfx.custom import Component
from lfx.io import BoolInput, MessageTextInput, Output
from lfx.schema.message import Message


class PageTitle(Component):
    display_name = "Page Text"
    description = "Text of a web page."
    icon = "globe"

    inputs = [
        MessageTextInput(name="url", display_name="URL", required=True),
        BoolInput(name="only_title", display_name="Only Title", value=False),
    ]
    outputs = [Output(name="page", display_name="Page", method="read_page")]

    def read_page(self) -> Message:
        session = requests.Session()
        session.headers.update({"User-Agent": "langflow-component/1.0"})
        try:
            response = session.get(self.url, timeout=15)
            response.raise_for_status()
        except requests.RequestException as error:
            msg = f"Cannot read {self.url}: {error}"
            raise ValueError(msg) from error
        soup = BeautifulSoup(response.text, "html.parser")
        title = soup.title.string if soup.title else ""
        return Message(text=title if self.only_title else soup.get_text(" ", strip=True))
