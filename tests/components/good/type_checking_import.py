# warns: dropped-statement
from __future__ import annotations

from typing import TYPE_CHECKING

from lfx.custom import Component
from lfx.io import IntInput, MultilineInput, Output
from lfx.schema.data import Data

if TYPE_CHECKING:
    from collections.abc import Iterable


class LongLines(Component):
    display_name = "Long Lines"
    description = "The lines of a text that are too long."
    icon = "ruler"
    inputs = [
        MultilineInput(name="text", display_name="Text"),
        IntInput(name="limit", display_name="Limit", value=10),
    ]
    outputs = [Output(name="long_lines", display_name="Long Lines", method="find_long")]

    def find_long(self) -> Data:
        return Data(data={"lines": [line for line in self._lines() if len(line) > self.limit]})

    def _lines(self) -> Iterable[str]:
        yield from self.text.splitlines()
