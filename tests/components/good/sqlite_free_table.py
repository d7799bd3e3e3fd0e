from lfx.custom import Component
from lfx.io import BoolInput, DataFrameInput, MultilineInput, Output, StrInput
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message


class JoinTables(Component):
    display_name = "Join Tables"
    description = "Joins two tables on a column and prints the result as Markdown."
    icon = "combine"
    inputs = [
        DataFrameInput(name="left", display_name="Left"),
        DataFrameInput(name="right", display_name="Right"),
        StrInput(name="on_column", display_name="On", value="name"),
        BoolInput(name="outer", display_name="Outer", value=False),
        MultilineInput(name="caption", display_name="Caption", value=""),
    ]
    outputs = [
        Output(name="joined", display_name="Joined", method="join_tables"),
        Output(name="markdown", display_name="Markdown", method="print_table"),
    ]

    def join_tables(self) -> DataFrame:
        if self.on_column not in self.left.columns or self.on_column not in self.right.columns:
            return DataFrame([])
        how = "outer" if self.outer else "inner"
        return DataFrame(self.left.merge(self.right, on=self.on_column, how=how, suffixes=("", "_right")))

    def print_table(self) -> Message:
        table = self.join_tables()
        header = "| " + " | ".join(map(str, table.columns)) + " |"
        rule = "|" + " --- |" * len(table.columns)
        rows = ["| " + " | ".join(str(value) for value in row) + " |" for row in table.itertuples(index=False)]
        return Message(text="\n".join([self.caption, header, rule, *rows]).strip())
