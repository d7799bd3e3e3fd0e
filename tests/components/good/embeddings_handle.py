# not checked: similarity: an embedding model
import math

from lfx.custom import Component
from lfx.io import HandleInput, MessageTextInput, Output
from lfx.schema.data import Data


def cosine(one: list[float], two: list[float]) -> float:
    dot = sum(a * b for a, b in zip(one, two, strict=True))
    return dot / (math.hypot(*one) * math.hypot(*two) or 1.0)


class Similarity(Component):
    display_name = "Similarity"
    description = "How near two texts are."
    icon = "equal-approximately"

    inputs = [
        HandleInput(name="embedding", display_name="Embedding", input_types=["Embeddings"], required=True),
        MessageTextInput(name="first_text", display_name="First"),
        MessageTextInput(name="second_text", display_name="Second"),
    ]
    outputs = [Output(name="similarity", display_name="Similarity", method="compare")]

    def compare(self) -> Data:
        one, two = self.embedding.embed_documents([self.first_text, self.second_text])
        return Data(data={"cosine": cosine(one, two)})
