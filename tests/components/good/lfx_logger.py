from loguru import logger

from lfx.custom.custom_component.component import Component
from lfx.inputs import HandleInput, IntInput
from lfx.schema.dataframe import DataFrame
from lfx.template.field.base import Output


class HeadRows(Component):
    display_name = "Head Rows"
    description = "First rows of a table or of a list of data."
    icon = "table"

    inputs = [
        HandleInput(name="source", display_name="Source", input_types=["DataFrame", "Data"], required=True),
        IntInput(name="count", display_name="Count", value=3),
    ]
    outputs = [Output(name="head", display_name="Head", method="take_head")]

    def take_head(self) -> DataFrame:
        source = self.source
        frame = source if isinstance(source, DataFrame) else DataFrame([source.data])
        logger.debug(f"{len(frame)} rows")
        return DataFrame(frame.head(self.count))
