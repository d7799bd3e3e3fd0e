import csv
from io import StringIO

from lfx.custom import Component
from lfx.io import DataFrameInput, Output
from lfx.schema import DataFrame
from lfx.schema.message import Message


class TableToCsv(Component):
    display_name = "Table to CSV"
    description = "Writes a table as CSV text."
    icon = "file-text"

    inputs = [DataFrameInput(name="table", display_name="Table", required=True)]
    outputs = [Output(name="csv", display_name="CSV", method="write_csv")]

    def write_csv(self) -> Message:
        table: DataFrame = self.table
        buffer = StringIO()
        writer = csv.DictWriter(buffer, fieldnames=list(table.columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table.to_dict(orient="records"))
        return Message(text=buffer.getvalue())
