import functools
import time

from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.data import Data


def retried(times: int):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except ValueError:
                    if attempt == times - 1:
                        raise
                    time.sleep(0.001)

        return wrapper

    return decorate


class FlakyParser(Component):
    display_name = "Flaky Parser"
    description = "Reads a number, and tries again if it fails."
    icon = "refresh-cw"
    inputs = [
        MessageTextInput(name="number", display_name="Number"),
        IntInput(name="fallback", display_name="Fallback", value=0),
    ]
    outputs = [Output(name="parsed", display_name="Parsed", method="parse_number")]

    @retried(2)
    def _parse(self) -> float:
        return float(self.number)

    def parse_number(self) -> Data:
        try:
            return Data(data={"number": self._parse()})
        except ValueError:
            return Data(data={"number": self.fallback, "note": "fallback"})
