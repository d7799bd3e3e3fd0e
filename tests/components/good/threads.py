import threading
from concurrent.futures import ThreadPoolExecutor

from lfx.custom import Component
from lfx.io import IntInput, MultilineInput, Output
from lfx.schema.dataframe import DataFrame


class ParallelLines(Component):
    display_name = "Parallel Lines"
    description = "Measures lines with several threads."
    icon = "split"

    inputs = [
        MultilineInput(name="text", display_name="Text"),
        IntInput(name="workers", display_name="Workers", value=2, advanced=True),
    ]
    outputs = [Output(name="measured", display_name="Measured", method="measure_lines")]

    def measure_lines(self) -> DataFrame:
        lock, rows = threading.Lock(), []

        def measure(line: str) -> None:
            row = {"line": line, "length": len(line)}
            with lock:
                rows.append(row)

        with ThreadPoolExecutor(max_workers=max(1, min(self.workers, 4))) as pool:
            list(pool.map(measure, self.text.splitlines()))
        return DataFrame(sorted(rows, key=lambda row: row["length"]))
