# warns: format-template
from lfx.custom import Component
from lfx.io import DictInput, MultilineInput, Output
from lfx.schema.message import Message


class PromptFiller(Component):
    display_name = "Prompt Filler"
    description = "Fills a prompt's placeholders."
    icon = "terminal"
    inputs = [
        MultilineInput(name="template", display_name="Template", value="Hello {name}"),
        DictInput(name="fields", display_name="Fields", value={"name": "Ada"}),
    ]
    outputs = [Output(name="prompt", display_name="Prompt", method="fill_prompt")]

    def fill_prompt(self) -> Message:
        return Message(text=self.template.format(**(self.fields or {})))
