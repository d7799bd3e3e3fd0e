# not checked: label: a language model
from lfx.base.models.unified_models import get_llm
from lfx.custom import Component
from lfx.io import MessageTextInput, ModelInput, Output, SecretStrInput
from lfx.schema.message import Message


class Classify(Component):
    display_name = "Classify"
    description = "Sorts a text into one of several labels."
    icon = "tags"

    inputs = [
        ModelInput(name="model", display_name="Language Model", required=True),
        SecretStrInput(name="api_key", display_name="API Key", advanced=True),
        MessageTextInput(name="text", display_name="Text"),
        MessageTextInput(name="labels", display_name="Labels", value="good, bad"),
    ]
    outputs = [Output(name="label", display_name="Label", method="classify")]

    def classify(self) -> Message:
        llm = get_llm(model=self.model, user_id=self.user_id, api_key=self.api_key)
        answer = llm.invoke(f"Answer with one of {self.labels}.\n\n{self.text}")
        return Message(text=str(answer.content).strip())
