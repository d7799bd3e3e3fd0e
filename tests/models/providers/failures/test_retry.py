from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from flowassist.models.providers.failures.retry import asked_for, duration, retry_after


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "99999999999"}, 99999999999.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 99 Oct 99999 07:28:00 GMT"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_a_date() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    seconds = retry_after({"retry-after": date})
    assert seconds is not None
    assert 28 < seconds <= 30


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("17s", 17.0),
        ("3.002899s", 3.002899),
        ("1m30s", 90.0),
        ("750ms", 0.75),
        (2, 2.0),
        (1.5, 1.5),
        (0, 0.0),
        ("17", None),
        ("17 sheep", None),
        ("s", None),
        ("", None),
        (None, None),
        (True, None),
        (-1, None),
        (float("nan"), None),
        (["17s"], None),
    ],
)
def test_a_duration(value: object, seconds: float | None) -> None:
    assert duration(value) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000. Please try again in 1.2s. Visit …", 1.2),
        ("Please try again in 6m0.5s.", 360.5),
        ("Please try again in 20ms.", 0.02),
        ("Please retry in 17.8s.", 17.8),
        ("Please retry after 86400 seconds.", 86400.0),
        ("Try again in 2 minutes", 120.0),
        ("try again in 1 hour", 3600.0),
        ("try again in 1h2m3s", 3723.0),
        ("Please try again later.", None),
        ("try again in 5 sheep", None),
        ("retry in 30", None),
        ("We never retry in 4290 tokens", None),
        ("", None),
    ],
)
def test_a_wish_in_words(text: str, seconds: float | None) -> None:
    assert asked_for(text) == seconds
