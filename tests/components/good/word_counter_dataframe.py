import re
from collections import Counter

from lfx.custom import Component
from lfx.io import BoolInput, IntInput, MultilineInput, Output
from lfx.schema.dataframe import DataFrame


class WordFrequencyComponent(Component):
    display_name = "Word Frequency"
    description = "Counts how often each word occurs."
    icon = "bar-chart"
    name = "WordFrequency"

    inputs = [
        MultilineInput(name="text", display_name="Text", tool_mode=True),
        IntInput(name="top_n", display_name="Top N", value=10),
        BoolInput(name="ignore_case", display_name="Ignore Case", value=True),
    ]
    outputs = [Output(display_name="Frequencies", name="frequencies", method="count_words")]

    def count_words(self) -> DataFrame:
        text = self.text.lower() if self.ignore_case else self.text
        words = re.findall(r"\b\w+\b", text)
        rows = [{"word": word, "count": n} for word, n in Counter(words).most_common(self.top_n)]
        self.log(f"Found {len(rows)} different words")
        return DataFrame(rows)
