import numpy as np

from lfx.custom import Component
from lfx.io import MessageTextInput, Output, SliderInput
from lfx.field_typing.range_spec import RangeSpec
from lfx.schema.data import Data


class PercentileComponent(Component):
    display_name = "Percentile"
    description = "Percentile of a list of numbers."
    icon = "percent"

    inputs = [
        MessageTextInput(name="numbers", display_name="Numbers", info="Separated by commas."),
        SliderInput(
            name="percentile",
            display_name="Percentile",
            value=90,
            range_spec=RangeSpec(min=0, max=100, step=1, step_type="int"),
        ),
    ]
    outputs = [Output(name="figures", display_name="Figures", method="compute")]

    def compute(self) -> Data:
        numbers = []
        for part in self.numbers.replace(";", ",").split(","):
            try:
                numbers.append(float(part))
            except ValueError:
                continue
        if not numbers:
            return Data(data={"error": "no numbers"})
        values = np.array(numbers)
        return Data(
            data={
                "percentile": float(np.percentile(values, self.percentile)),
                "mean": float(values.mean()),
                "std": float(values.std()),
            }
        )
