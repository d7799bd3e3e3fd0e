import uuid
from datetime import datetime

from lfx.custom import Component
from lfx.io import Output
from lfx.schema.data import Data


class RunStamp(Component):
    display_name = "Run Stamp"
    description = "An identifier and the time of a run."
    icon = "stamp"
    name = "RunStamp"
    inputs = []
    outputs = [Output(name="stamp", display_name="Stamp", method="make_stamp")]

    def make_stamp(self) -> Data:
        return Data(data={"id": uuid.uuid4().hex, "time": datetime.now().isoformat(timespec="seconds")})
