from lfx.custom import Component
from lfx.io import BoolInput, MessageTextInput, Output
from lfx.schema.data import Data


class Settings:
    def __init__(self, label: str, loud: bool) -> None:
        self.label = label
        self.loud = loud


class Describe(Component):
    display_name = "Describe"
    description = "Describes its own settings."
    icon = "info"

    inputs = [
        MessageTextInput(name="label", display_name="Label"),
        BoolInput(name="loud", display_name="Loud", value=False),
    ]
    outputs = [Output(name="described", display_name="Described", method="describe")]

    def describe(self) -> Data:
        settings = Settings(self.label, self.loud)
        extra = getattr(self, "extra_label", None) or "none"
        facts = {"kind": self.__class__.__name__, "extra": extra, **settings.__dict__, **vars(settings)}
        facts["module"] = settings.__module__
        facts["has_label"] = hasattr(self, "label")
        return Data(data=facts)
