import bisect
import heapq
import re
from fractions import Fraction

from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.data import Data


class RankNumbers(Component):
    display_name = "Rank Numbers"
    description = "The largest numbers of a list, and where a new one would stand."
    icon = "trophy"
    inputs = [
        MessageTextInput(name="numbers", display_name="Numbers"),
        IntInput(name="new_number", display_name="New Number", value=2),
        IntInput(name="top", display_name="Top", value=2),
    ]
    outputs = [Output(name="ranking", display_name="Ranking", method="rank")]

    def rank(self) -> Data:
        numbers = sorted(float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", self.numbers))
        share = Fraction(bisect.bisect(numbers, self.new_number), len(numbers)) if numbers else Fraction(0)
        return Data(data={"largest": heapq.nlargest(self.top, numbers), "share": str(share)})
