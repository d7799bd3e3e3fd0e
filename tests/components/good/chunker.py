import itertools
import textwrap
from collections.abc import Iterator

from lfx.custom import Component
from lfx.io import IntInput, MultilineInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class ChunkText(Component):
    display_name = "Chunk Text"
    description = "Splits text into chunks that overlap."
    icon = "scissors"

    inputs = [
        MultilineInput(name="text", display_name="Text"),
        IntInput(name="size", display_name="Words per Chunk", value=50),
        IntInput(name="overlap", display_name="Overlap", value=5),
    ]
    outputs = [
        Output(name="chunks", display_name="Chunks", method="split_text"),
        Output(name="table", display_name="Table", method="as_table"),
    ]

    def _windows(self) -> Iterator[list[str]]:
        words = self.text.split()
        step = max(1, self.size - self.overlap)
        for start in itertools.count(0, step):
            if start >= len(words):
                return
            yield words[start : start + max(1, self.size)]

    def split_text(self) -> list[Data]:
        return [Data(data={"text": " ".join(window), "chunk": n}) for n, window in enumerate(self._windows())]

    def as_table(self) -> DataFrame:
        return DataFrame([{"chunk": textwrap.shorten(" ".join(w), 200, placeholder="…")} for w in self._windows()])
