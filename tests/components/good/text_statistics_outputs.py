import statistics

from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message


class TextStatistics(Component):
    display_name = "Text Statistics"
    description = "Several views on the length of words."
    icon = "sigma"

    inputs = [MessageTextInput(name="content", display_name="Content")]
    outputs = [
        Output(display_name="Summary", name="summary", method="build_summary"),
        Output(display_name="Figures", name="figures", method="build_figures"),
        Output(display_name="Table", name="table", method="build_table"),
        Output(display_name="Count", name="count", method="build_count"),
    ]

    def _lengths(self) -> list[int]:
        return [len(word) for word in self.content.split()]

    def build_figures(self) -> Data:
        lengths = self._lengths() or [0]
        return Data(
            data={
                "words": len(self.content.split()),
                "mean": round(statistics.mean(lengths), 2),
                "median": statistics.median(lengths),
                "stdev": statistics.pstdev(lengths),
            }
        )

    def build_summary(self) -> Message:
        figures = self.build_figures().data
        return Message(text="{words} words, {mean} letters on average".format(**figures))

    def build_table(self) -> DataFrame:
        return DataFrame([{"word": w, "length": n} for w, n in zip(self.content.split(), self._lengths(), strict=True)])

    def build_count(self) -> int:
        return len(self.content)
