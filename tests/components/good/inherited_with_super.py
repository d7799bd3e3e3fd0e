from lfx.custom import Component
from lfx.io import BoolInput, MessageTextInput, Output
from lfx.schema.data import Data


class RecordComponent(Component):
    display_name = "Record"
    inputs = [MessageTextInput(name="title", display_name="Title")]
    outputs = [Output(name="record", display_name="Record", method="build_record")]

    def build_record(self) -> Data:
        return Data(data={"title": self.title})


class StampedRecordComponent(RecordComponent):
    display_name = "Stamped Record"
    description = "A record with its class and length."
    inputs = RecordComponent.inputs + [BoolInput(name="with_length", display_name="With Length", value=True)]

    def build_record(self) -> Data:
        record = super().build_record()
        record.data["made_by"] = self.__class__.__name__
        if self.with_length:
            record.data["length"] = len(self.title)
        return record
