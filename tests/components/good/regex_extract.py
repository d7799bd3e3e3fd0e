import re

from lfx.custom import Component
from lfx.io import BoolInput, MessageTextInput, MultilineInput, Output
from lfx.schema.data import Data
from lfx.schema.dataframe import DataFrame
from lfx.schema.message import Message

EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+", re.IGNORECASE)


class RegexExtractor(Component):
    display_name = "Regex Extractor"
    description = "Finds what a pattern matches."
    icon = "regex"

    inputs = [
        MultilineInput(name="text", display_name="Text"),
        MessageTextInput(name="pattern", display_name="Pattern", value=r"(\w+)@(\w+)"),
        BoolInput(name="ignore_case", display_name="Ignore Case", value=False),
    ]
    outputs = [
        Output(name="matches", display_name="Matches", method="find_matches"),
        Output(name="first", display_name="First", method="find_first"),
        Output(name="emails", display_name="E-Mails", method="find_emails"),
    ]

    def find_matches(self) -> DataFrame:
        try:
            pattern = re.compile(self.pattern, re.IGNORECASE if self.ignore_case else 0)
        except re.error as error:
            self.status = f"Bad pattern: {error}"
            return DataFrame([])
        return DataFrame([{"match": m.group(0), "start": m.start()} for m in pattern.finditer(self.text)])

    def find_first(self) -> Message:
        return Message(text=match.group(0) if (match := re.search(self.pattern, self.text)) else "")

    def find_emails(self) -> Data:
        return Data(data={"emails": EMAIL.findall(self.text)})
