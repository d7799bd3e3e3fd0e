# not checked: response, status: network
import httpx

from lfx.custom import Component
from lfx.io import DropdownInput, IntInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class HttpRequestComponent(Component):
    display_name = "HTTP Request"
    description = "Requests an address and returns its JSON."
    icon = "globe"

    inputs = [
        MessageTextInput(name="url", display_name="URL", tool_mode=True),
        DropdownInput(name="verb", display_name="Verb", options=["GET", "HEAD"], value="GET"),
        IntInput(name="timeout", display_name="Timeout", value=10, advanced=True),
    ]
    outputs = [
        Output(name="response", display_name="Response", method="fetch"),
        Output(name="status", display_name="Status", method="fetch_status"),
    ]

    async def fetch(self) -> Data:
        async with httpx.AsyncClient(timeout=self.timeout, follow_redirects=True) as client:
            response = await client.request(self.verb, self.url)
            response.raise_for_status()
            return Data(data=response.json())

    def fetch_status(self) -> Message:
        response = httpx.head(self.url, timeout=self.timeout)
        return Message(text=str(response.status_code))
