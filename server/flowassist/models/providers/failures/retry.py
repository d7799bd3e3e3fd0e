"""How long a provider wants to be left alone, in seconds."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_LONGEST = 20  # characters of a header's number
_UNITS: Mapping[str, float] = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), 0.001),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
_PART = rf"({_NUMBER})\s*({'|'.join(sorted(_UNITS, key=len, reverse=True))})(?![a-z])"
_SPAN = rf"(?:{_PART}\s*)+"
_WISH = re.compile(rf"\b(?:try again|retry)(?: again)? (?:in|after)\s+(?P<span>{_SPAN})", re.IGNORECASE)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Of RFC 9110 section 10.2.3 (seconds or a date), and OpenAI's milliseconds."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(?:\.\d+)?", value[:_LONGEST]):
            return float(value[:_LONGEST]) * scale
    return _until(headers.get("retry-after", ""))


def duration(value: object) -> float | None:
    """Of `17s`, `1.5s`, `1m30s` (google.rpc.RetryInfo writes the first two), or a number of seconds."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) and value >= 0 else None
    text = value.strip() if isinstance(value, str) else ""
    return _sum(text) if re.fullmatch(_SPAN, text, re.IGNORECASE) else None


def asked_for(text: str) -> float | None:
    """Of a sentence such as `Please try again in 1m2.5s`."""
    wish = _WISH.search(text)
    return _sum(wish["span"]) if wish else None


def _sum(span: str) -> float:
    return sum(float(number) * _UNITS[unit.lower()] for number, unit in re.findall(_PART, span, re.IGNORECASE))


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
