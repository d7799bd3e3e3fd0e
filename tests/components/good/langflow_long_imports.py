from langflow.custom.custom_component.component import Component
from langflow.inputs.inputs import BoolInput, DropdownInput, MultilineInput
from langflow.schema.message import Message
from langflow.template.field.base import Output


class CaseChanger(Component):
    display_name = "Case Changer"
    description = "Changes the case of a text."
    icon = "case-sensitive"

    inputs = [
        MultilineInput(name="source_text", display_name="Text", required=True),
        DropdownInput(
            name="target_case",
            display_name="Case",
            options=["upper", "lower", "title", "swap"],
            value="title",
        ),
        BoolInput(name="strip", display_name="Strip", value=True, advanced=True),
    ]
    outputs = [Output(display_name="Changed Text", name="changed", method="change_case")]

    def change_case(self) -> Message:
        text = self.source_text.strip() if self.strip else self.source_text
        match self.target_case:
            case "upper":
                changed = text.upper()
            case "lower":
                changed = text.lower()
            case "title":
                changed = text.title()
            case _:
                changed = text.swapcase()
        self.status = changed
        return Message(text=changed)
