# not checked: answer: a language model
from lfx.custom import Component
from lfx.io import HandleInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.message import Message


class AskOrEcho(Component):
    display_name = "Ask or Echo"
    description = "Asks a model if one is connected, and tells the length in any case."
    icon = "help-circle"

    inputs = [
        HandleInput(name="llm", display_name="Model", input_types=["LanguageModel"]),
        MessageTextInput(name="question", display_name="Question"),
    ]
    outputs = [
        Output(name="answer", display_name="Answer", method="ask"),
        Output(name="length", display_name="Length", method="measure"),
    ]

    def ask(self) -> Message:
        if self.llm is None:
            return Message(text=self.question)
        return Message(text=self.llm.invoke(self.question).content)

    def measure(self) -> Data:
        return Data(data={"length": len(self.question)})
