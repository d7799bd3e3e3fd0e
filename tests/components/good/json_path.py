import json
from typing import Any

from lfx.custom import Component
from lfx.io import MessageTextInput, MultilineInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class PathError(LookupError):
    """The path leads nowhere."""


class JsonPathComponent(Component):
    display_name = "JSON Path"
    description = "Reads a value from JSON by a dotted path."
    icon = "braces"

    inputs = [
        MultilineInput(name="json_text", display_name="JSON", value='{"user": {"name": "Ada", "tags": ["x", "y"]}}'),
        MessageTextInput(name="path", display_name="Path", value="user.tags.0"),
    ]
    outputs = [
        Output(name="value", display_name="Value", method="get_value"),
        Output(name="document", display_name="Document", method="get_document"),
    ]

    def get_value(self) -> Message:
        try:
            found = self._walk(json.loads(self.json_text), self.path.split("."))
        except (json.JSONDecodeError, PathError) as error:
            self.status = f"{type(error).__name__}: {error}"
            return Message(text="")
        return Message(text=found if isinstance(found, str) else json.dumps(found))

    def get_document(self) -> Data:
        try:
            parsed = json.loads(self.json_text)
        except json.JSONDecodeError as error:
            return Data(data={"error": str(error)})
        return Data(data=parsed if isinstance(parsed, dict) else {"items": parsed})

    @staticmethod
    def _walk(value: Any, parts: list[str]) -> Any:
        for part in parts:
            if isinstance(value, list) and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            elif isinstance(value, dict) and part in value:
                value = value[part]
            else:
                raise PathError(part)
        return value
