from lfx.custom import Component
from lfx.io import BoolInput, FloatInput, MessageTextInput, Output
from lfx.schema.data import Data


class BodyMassIndex(Component):
    display_name = "Body Mass Index"
    description = "Computes the body mass index of a person. Use it when weight and height are known."
    icon = "activity"
    name = "BodyMassIndex"

    inputs = [
        FloatInput(name="weight", display_name="Weight (kg)", value=70.0, tool_mode=True),
        FloatInput(name="height", display_name="Height (cm)", value=175.0, tool_mode=True),
        MessageTextInput(name="person", display_name="Person", tool_mode=True),
        BoolInput(name="rounded", display_name="Rounded", value=True),
    ]
    outputs = [Output(name="bmi", display_name="BMI", method="compute_bmi", tool_mode=True)]

    def compute_bmi(self) -> Data:
        if not self.height or self.height <= 0:
            return Data(data={"error": "Height must be above zero."})
        value = self.weight / (self.height / 100) ** 2
        label = next(text for limit, text in ((18.5, "low"), (25, "normal"), (float("inf"), "high")) if value < limit)
        return Data(data={"person": self.person, "bmi": round(value, 1) if self.rounded else value, "label": label})
