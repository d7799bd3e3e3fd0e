import time
from contextlib import contextmanager, suppress
from functools import lru_cache, partial, reduce

from lfx.custom import Component
from lfx.io import IntInput, Output
from lfx.schema.data import Data


@lru_cache(maxsize=256)
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@contextmanager
def timed(figures: dict):
    began = time.perf_counter()
    try:
        yield
    finally:
        figures["seconds"] = round(time.perf_counter() - began, 6)


class Fibonacci(Component):
    display_name = "Fibonacci"
    description = "A Fibonacci number and the time it took."
    icon = "infinity"

    inputs = [IntInput(name="n", display_name="N", value=10, tool_mode=True)]
    outputs = [Output(name="figures", display_name="Figures", method="compute")]

    def compute(self) -> Data:
        figures = {}
        with timed(figures), suppress(RecursionError):
            figures["value"] = fibonacci(max(0, min(self.n, 300)))
        figures["digits"] = reduce(lambda total, digit: total + int(digit), str(figures["value"]), 0)
        figures["doubled"] = partial(pow, 2)(3)
        return Data(data=figures)
