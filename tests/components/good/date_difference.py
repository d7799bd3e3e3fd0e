from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from lfx.custom import Component
from lfx.io import MessageTextInput, Output, StrInput
from lfx.schema.data import Data
from lfx.schema.message import Message


class DateDifference(Component):
    display_name = "Date Difference"
    description = "Days between two dates, and the time in a zone."
    icon = "calendar"

    inputs = [
        MessageTextInput(name="start_date", display_name="Start Date", required=True),
        MessageTextInput(name="end_date", display_name="End Date", value="2025-01-01"),
        StrInput(name="zone", display_name="Time Zone", value="UTC", advanced=True),
    ]
    outputs = [
        Output(name="difference", display_name="Difference", method="compare_dates"),
        Output(name="now", display_name="Now", method="current_time"),
    ]

    def compare_dates(self) -> Data:
        try:
            start, end = date.fromisoformat(self.start_date), date.fromisoformat(self.end_date)
        except ValueError as error:
            return Data(data={"error": str(error)})
        span: timedelta = end - start
        return Data(data={"days": span.days, "weeks": span.days // 7, "weekday": start.strftime("%A")})

    def current_time(self) -> Message:
        now = datetime.now(timezone.utc).astimezone(ZoneInfo(self.zone or "UTC"))
        return Message(text=f"{now:%Y-%m-%d %H:%M} ({now.tzname()})")
