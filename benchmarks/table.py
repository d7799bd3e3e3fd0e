"""One row of the result."""

from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True)
class Row:
    """`met` is None where there is no target."""

    measure: str
    figure: str
    target: str = ""
    met: bool | None = None
    remark: str = ""


def table_of(rows: list[Row]) -> Table:
    table = Table("measure", "figure", "target", "met", "remark", title="flowassist, one run")
    for row in rows:
        table.add_row(row.measure, row.figure, row.target, {None: "", True: "yes", False: "NO"}[row.met], row.remark)
    return table
