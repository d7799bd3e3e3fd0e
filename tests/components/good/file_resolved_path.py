# not checked: rows: a file
import csv

from lfx.custom import Component
from lfx.io import FileInput, IntInput, Output
from lfx.schema.dataframe import DataFrame


class UploadedCsv(Component):
    display_name = "Uploaded CSV"
    description = "Loads an uploaded CSV file as a table."
    icon = "table"

    inputs = [
        FileInput(name="csv_file", display_name="CSV File", file_types=["csv"], info="A CSV file with a header."),
        IntInput(name="limit", display_name="Limit", value=100, advanced=True),
    ]
    outputs = [Output(name="rows", display_name="Rows", method="load_rows")]

    def load_rows(self) -> DataFrame:
        if not self.csv_file:
            raise ValueError("Please upload a CSV file.")
        resolved = self.resolve_path(self.csv_file)
        with open(resolved, newline="", encoding="utf-8") as handle:
            rows = list(csv.DictReader(handle))
        self.status = f"{len(rows)} rows"
        return DataFrame(rows[: self.limit])
