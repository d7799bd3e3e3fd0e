import csv
import io

from lfx.custom import Component
from lfx.io import BoolInput, DropdownInput, MultilineInput, Output
from lfx.schema.dataframe import DataFrame


class CSVParserComponent(Component):
    display_name = "CSV Parser"
    description = "Parses CSV text into a table."
    icon = "table"
    name = "CSVParser"

    inputs = [
        MultilineInput(name="csv_text", display_name="CSV Text", required=True),
        DropdownInput(name="delimiter", display_name="Delimiter", options=[",", ";", "|"], value=","),
        BoolInput(name="has_header", display_name="Has Header", value=True),
    ]
    outputs = [Output(name="dataframe", display_name="DataFrame", method="parse_csv")]

    def parse_csv(self) -> DataFrame:
        reader = csv.reader(io.StringIO(self.csv_text), delimiter=self.delimiter)
        rows = [row for row in reader if row]
        if not rows:
            self.status = "No rows"
            return DataFrame([])
        header = rows.pop(0) if self.has_header else [f"column_{i}" for i in range(len(rows[0]))]
        return DataFrame([dict(zip(header, row, strict=False)) for row in rows])
