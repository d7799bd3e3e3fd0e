# not checked: answer: a language model
from lfx.custom import Component
from lfx.io import HandleInput, MessageTextInput, MultilineInput, Output
from lfx.schema.message import Message


class SummarizeComponent(Component):
    display_name = "Summarize"
    description = "Summarises a text with a language model."
    icon = "sparkles"

    inputs = [
        HandleInput(name="llm", display_name="Language Model", input_types=["LanguageModel"], required=True),
        MultilineInput(name="text", display_name="Text"),
        MessageTextInput(name="style", display_name="Style", value="one sentence"),
    ]
    outputs = [Output(name="answer", display_name="Answer", method="summarize")]

    async def summarize(self) -> Message:
        prompt = f"Summarise in {self.style}:\n\n{self.text}"
        response = await self.llm.ainvoke(prompt)
        content = response.content if hasattr(response, "content") else str(response)
        self.status = content
        return Message(text=content)
