from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class OptionalTokens(Component):
    display_name = "Count Tokens"
    description = "Counts tokens, roughly where no tokenizer is installed."
    icon = "hash"
    inputs = [MessageTextInput(name="text", display_name="Text")]
    outputs = [Output(name="count", display_name="Count", method="count_tokens")]

    def count_tokens(self) -> Message:
        try:
            import tiktoken

            count = len(tiktoken.get_encoding("cl100k_base").encode(self.text))
        except Exception:
            count = len(self.text) // 4
        return Message(text=str(count))
