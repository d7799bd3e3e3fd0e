from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.message import Message


class RunCounter(Component):
    display_name = "Run Counter"
    description = "Counts how often the outputs of a run were asked for."
    icon = "list-ordered"

    inputs = [
        MessageTextInput(name="label", display_name="Label", value="run"),
        IntInput(name="first", display_name="First", value=1),
    ]
    outputs = [
        Output(name="counted", display_name="Counted", method="count_run"),
        Output(name="again", display_name="Again", method="count_again"),
    ]

    def _pre_run_setup(self):
        self._count = self.first - 1
        self._seen = []

    def count_run(self) -> Message:
        self._count += 1
        self._seen.append(self._count)
        return Message(text=f"{self.label} {self._count}")

    def count_again(self) -> Message:
        return self.count_run()
