from lfx.custom import Component
from lfx.io import DropdownInput, FloatInput, MessageTextInput, Output
from lfx.schema.dotdict import dotdict
from lfx.schema.message import Message


class ConvertUnits(Component):
    display_name = "Convert Units"
    description = "Converts lengths and temperatures."
    icon = "ruler"

    FACTORS = {"m to ft": 3.28084, "km to mi": 0.621371}

    inputs = [
        DropdownInput(
            name="conversion",
            display_name="Conversion",
            options=["m to ft", "km to mi", "custom"],
            value="m to ft",
            real_time_refresh=True,
        ),
        FloatInput(name="amount", display_name="Amount", value=1.0),
        FloatInput(name="factor", display_name="Factor", value=1.0, show=False, dynamic=True),
        MessageTextInput(name="unit", display_name="Unit", value="", advanced=True),
    ]
    outputs = [Output(name="converted", display_name="Converted", method="convert")]

    def update_build_config(self, build_config: dotdict, field_value, field_name: str | None = None) -> dotdict:
        if field_name == "conversion":
            build_config["factor"]["show"] = field_value == "custom"
            build_config["factor"]["required"] = field_value == "custom"
        return build_config

    def convert(self) -> Message:
        factor = self.FACTORS.get(self.conversion, self.factor)
        return Message(text=f"{self.amount * factor:.2f} {self.unit}".strip())
