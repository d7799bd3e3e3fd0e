from lfx.custom import Component
from lfx.io import HandleInput, IntInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class BatchRows(Component):
    display_name = "Batch Rows"
    description = "Groups the rows of a table into batches."
    icon = "package"
    inputs = [
        HandleInput(name="rows_in", display_name="Rows", input_types=["DataFrame"]),
        IntInput(name="batch_size", display_name="Batch Size", value=2),
    ]
    outputs = [
        Output(name="batches", display_name="Batches", method="make_batches", cache=False),
        Output(name="last", display_name="Last", method="last_batch", selected="Data", types=["Data"], hidden=True),
    ]

    def make_batches(self) -> DataFrame:
        rows = self.rows_in.to_dict(orient="records") if self.rows_in is not None else []
        size = max(1, self.batch_size)
        return DataFrame([{"batch": n // size, "rows": rows[n : n + size]} for n in range(0, len(rows), size)])

    def last_batch(self) -> Data:
        batches = self.make_batches().to_dict(orient="records")
        return Data(data=batches[-1] if batches else {})
