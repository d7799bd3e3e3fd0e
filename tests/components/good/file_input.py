# not checked: content, lines: a file
from lfx.custom import Component
from lfx.io import DropdownInput, FileInput, Output
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message


class ReadTextFile(Component):
    display_name = "Read Text File"
    description = "Reads an uploaded text file."
    icon = "file"

    inputs = [
        FileInput(name="path", display_name="File", file_types=["txt", "md", "csv"], required=True),
        DropdownInput(name="encoding", display_name="Encoding", options=["utf-8", "latin-1"], value="utf-8"),
    ]
    outputs = [
        Output(name="content", display_name="Content", method="read_content"),
        Output(name="lines", display_name="Lines", method="read_lines"),
    ]

    def read_content(self) -> Message:
        with open(self.path, encoding=self.encoding) as file:
            return Message(text=file.read())

    def read_lines(self) -> DataFrame:
        with open(self.path, "r", encoding=self.encoding) as file:
            return DataFrame([{"number": n, "line": line.rstrip("\n")} for n, line in enumerate(file, 1)])
