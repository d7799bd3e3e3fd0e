from itertools import chain, groupby, zip_longest
from operator import itemgetter

from lfx.custom import Component
from lfx.io import DataFrameInput, MessageTextInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class PivotRows(Component):
    display_name = "Pivot Rows"
    description = "Groups rows by a column."
    icon = "table-2"

    inputs = [
        DataFrameInput(name="frame", display_name="Frame"),
        MessageTextInput(name="key", display_name="Key", value="name"),
    ]
    outputs = [
        Output(name="grouped", display_name="Grouped", method="group_rows"),
        Output(name="columns_table", display_name="Columns", method="list_columns"),
    ]

    def group_rows(self) -> Data:
        records = self.frame.to_dict(orient="records")
        if any(self.key not in record for record in records):
            return Data(data={"error": f"no column {self.key}"})
        ordered = sorted(records, key=itemgetter(self.key))
        grouped = {str(key): [dict(row) for row in rows] for key, rows in groupby(ordered, key=itemgetter(self.key))}
        values = set(chain.from_iterable(record.values() for record in records))
        return Data(data={"groups": grouped, "different": len(values)})

    def list_columns(self) -> DataFrame:
        types = [str(kind) for kind in self.frame.dtypes]
        pairs = zip_longest(self.frame.columns, types, fillvalue="")
        return DataFrame([{"column": name, "type": kind} for name, kind in pairs])
