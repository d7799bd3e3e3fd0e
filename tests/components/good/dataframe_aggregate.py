import numpy as np
import pandas as pd

from lfx.custom import Component
from lfx.io import DataFrameInput, MultiselectInput, Output, StrInput
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame


class AggregateComponent(Component):
    display_name = "Aggregate"
    description = "Aggregates the numeric columns of a table."
    icon = "calculator"

    inputs = [
        DataFrameInput(name="table", display_name="Table"),
        StrInput(name="group_by", display_name="Group By", value="name"),
        MultiselectInput(
            name="functions",
            display_name="Functions",
            options=["sum", "mean", "min", "max"],
            value=["sum", "mean"],
        ),
    ]
    outputs = [
        Output(name="grouped", display_name="Grouped", method="group_table"),
        Output(name="totals", display_name="Totals", method="total"),
    ]

    def group_table(self) -> DataFrame:
        frame = pd.DataFrame(self.table)
        if frame.empty or self.group_by not in frame:
            return DataFrame(frame)
        numeric = frame.select_dtypes(include=np.number).columns.tolist()
        grouped = frame.groupby(self.group_by)[numeric].agg(self.functions)
        grouped.columns = ["_".join(pair) for pair in grouped.columns]
        return DataFrame(grouped.reset_index())

    def total(self) -> Data:
        frame = pd.DataFrame(self.table).select_dtypes(include=np.number)
        return Data(data={column: float(frame[column].sum()) for column in frame.columns})
