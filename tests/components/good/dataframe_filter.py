import pandas as pd
from lfx.custom import Component
from lfx.io import BoolInput, DataFrameInput, DropdownInput, MessageTextInput, Output
from lfx.schema.dataframe import DataFrame


class FilterRowsComponent(Component):
    display_name = "Filter Rows"
    description = "Keeps the rows whose column fits."
    icon = "filter"

    inputs = [
        DataFrameInput(name="df", display_name="DataFrame"),
        MessageTextInput(name="column_name", display_name="Column Name", value="name"),
        DropdownInput(
            name="operator",
            display_name="Operator",
            options=["equals", "contains", "greater than"],
            value="contains",
            real_time_refresh=True,
        ),
        MessageTextInput(name="filter_value", display_name="Value", value="a"),
        BoolInput(name="negate", display_name="Negate", value=False, advanced=True),
    ]
    outputs = [Output(name="filtered", display_name="Filtered", method="filter_rows")]

    def filter_rows(self) -> DataFrame:
        frame = self.df.copy()
        if self.column_name not in frame.columns:
            self.status = f"No column {self.column_name!r}"
            return DataFrame(frame)
        column = frame[self.column_name]
        if self.operator == "equals":
            mask = column.astype(str) == self.filter_value
        elif self.operator == "contains":
            mask = column.astype(str).str.contains(self.filter_value, na=False, regex=False)
        else:
            mask = pd.to_numeric(column, errors="coerce") > float(self.filter_value)
        return DataFrame(frame[~mask if self.negate else mask])
