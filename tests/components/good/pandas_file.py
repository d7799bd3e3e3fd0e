# not checked: preview: a file
import pandas as pd
from lfx.custom import Component
from lfx.io import FileInput, IntInput, Output
from lfx.schema.dataframe import DataFrame


class SpreadsheetPreview(Component):
    display_name = "Spreadsheet Preview"
    description = "First rows of an uploaded CSV file."
    icon = "sheet"
    inputs = [
        FileInput(name="sheet", display_name="Sheet", file_types=["csv"]),
        IntInput(name="rows", display_name="Rows", value=5),
    ]
    outputs = [Output(name="preview", display_name="Preview", method="preview_rows")]

    def preview_rows(self) -> DataFrame:
        return DataFrame(pd.read_csv(self.sheet).head(self.rows))
