import json

from lfx.custom import Component
from lfx.io import MessageTextInput, MultilineInput, Output
from lfx.schema.data import Data


class InvalidRecord(ValueError):
    def __init__(self, missing: list[str]) -> None:
        super().__init__(f"Missing fields: {', '.join(missing)}")
        self.missing = missing


class CheckRecord(Component):
    display_name = "Check Record"
    description = "Raises an error if required fields are missing."
    icon = "check"

    inputs = [
        MultilineInput(name="record_json", display_name="Record JSON", required=True),
        MessageTextInput(name="required_fields", display_name="Required", value="name, value"),
    ]
    outputs = [Output(name="record", display_name="Record", method="check_record")]

    def check_record(self) -> Data:
        try:
            record = json.loads(self.record_json)
        except json.JSONDecodeError as error:
            raise ValueError(f"Invalid JSON: {error.msg} at {error.pos}") from error
        wanted = [field.strip() for field in self.required_fields.split(",") if field.strip()]
        if missing := [field for field in wanted if field not in record]:
            raise InvalidRecord(missing)
        return Data(data=record)
