from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from flowassist.models.model import Trouble, Usage
from flowassist.models.providers import faults
from flowassist.models.providers.faults import Fault, fault_in, retry_after
from flowassist.secret import Secret

KEY = Secret("sk-very-secret")

BY_CODE = [
    (401, "invalid_api_key", "Incorrect API key provided", Trouble.AUTHENTICATION),
    (429, "insufficient_quota", "You exceeded your current quota", Trouble.QUOTA),
    (429, "rate_limit_exceeded", "Rate limit reached", Trouble.RATE_LIMITED),
    (403, "model_not_found", "Project does not have access to model `x`", Trouble.NOT_AVAILABLE),
    (404, "model_not_found", "", Trouble.NOT_AVAILABLE),
    (404, "not_found_error", "model: claude-9", Trouble.NOT_AVAILABLE),
    (400, "context_length_exceeded", "", Trouble.CONTEXT_TOO_LONG),
    (400, "exceed_context_size_error", "", Trouble.CONTEXT_TOO_LONG),
    (413, "request_too_large", "", Trouble.CONTEXT_TOO_LONG),
    (400, "content_filter", "", Trouble.REFUSED),
    (200, "overloaded_error", "Overloaded", Trouble.OVERLOADED),
    (529, "overloaded_error", "Overloaded", Trouble.OVERLOADED),
    (500, "api_error", "Internal server error", Trouble.OVERLOADED),
    (402, "billing_error", "", Trouble.QUOTA),
]
BY_STATUS = [
    (400, Trouble.BAD_REQUEST),
    (401, Trouble.AUTHENTICATION),
    (402, Trouble.QUOTA),
    (403, Trouble.AUTHENTICATION),
    (404, Trouble.UNREACHABLE),
    (408, Trouble.TIMEOUT),
    (409, Trouble.OVERLOADED),
    (413, Trouble.CONTEXT_TOO_LONG),
    (422, Trouble.BAD_REQUEST),
    (429, Trouble.RATE_LIMITED),
    (500, Trouble.OVERLOADED),
    (502, Trouble.OVERLOADED),
    (503, Trouble.OVERLOADED),
    (504, Trouble.TIMEOUT),
    (529, Trouble.OVERLOADED),
    (200, Trouble.OVERLOADED),
]
BY_WORDS = [
    ("Error 429: Too many requests", Trouble.RATE_LIMITED),
    ("Invalid api_key", Trouble.AUTHENTICATION),
    ("invalid api key", Trouble.AUTHENTICATION),
    ("API key not valid. Please pass a valid API key.", Trouble.AUTHENTICATION),
    ("Insufficient credits", Trouble.QUOTA),
    ("Your credit balance is too low to access the API", Trouble.QUOTA),
    ("Connection timed out", Trouble.TIMEOUT),
    ("Connection refused", Trouble.UNREACHABLE),
    ("500 Internal Server Error", Trouble.OVERLOADED),
    ("Model gpt-5 not found", Trouble.NOT_AVAILABLE),
    ("The model `gpt-9` does not exist or you do not have access to it.", Trouble.NOT_AVAILABLE),
    ("model 'llama3.3' not found (status code: 404)", Trouble.NOT_AVAILABLE),
    ("this model requires a subscription, upgrade for access", Trouble.NOT_AVAILABLE),
    ("model not available", Trouble.NOT_AVAILABLE),
    ("Content blocked by safety filter", Trouble.REFUSED),
    ("The response was filtered due to Azure's content management policy", Trouble.REFUSED),
    ("prompt is too long: 210000 tokens > 200000 maximum", Trouble.CONTEXT_TOO_LONG),
    ("This model's maximum context length is 8192 tokens", Trouble.CONTEXT_TOO_LONG),
    ("max_tokens 4290 is too large", Trouble.BAD_REQUEST),
    ("Port 5000 in use", Trouble.BAD_REQUEST),
    ("'temperature' does not support 0.5 with this model", Trouble.BAD_REQUEST),
    ("unlimited rates of immodel things", Trouble.BAD_REQUEST),
]


@pytest.mark.parametrize(("status", "code", "text", "trouble"), BY_CODE)
def test_the_providers_code_decides_first(status: int, code: str, text: str, trouble: Trouble) -> None:
    assert Fault(text, status, (code,)).trouble() is trouble


@pytest.mark.parametrize(("status", "trouble"), BY_STATUS)
def test_then_the_status(status: int, trouble: Trouble) -> None:
    assert Fault("no words that say more", status).trouble() is trouble


@pytest.mark.parametrize(("text", "trouble"), BY_WORDS)
def test_then_words_where_the_status_can_mean_anything(text: str, trouble: Trouble) -> None:
    assert Fault(text, 400, ("invalid_request_error",)).trouble() is trouble


def test_words_do_not_overrule_a_clear_status() -> None:
    assert Fault("model gpt-5 not found", 503).trouble() is Trouble.OVERLOADED
    assert Fault("404 page not found", 404).trouble() is Trouble.UNREACHABLE


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "no", "code": "insufficient_quota", "type": "x"}},
        [{"error": {"message": "no", "code": "insufficient_quota", "type": "x"}}],
        {"message": "no", "code": "insufficient_quota", "type": "x"},
    ],
)
def test_wrapped_bodies_are_unwrapped(body: object) -> None:
    fault = fault_in(body, 429)
    assert (fault.text, fault.codes, fault.trouble()) == ("no", ("insufficient_quota", "x"), Trouble.QUOTA)


@pytest.mark.parametrize("body", [None, [], "", 7, [7], {"error": None}, {"error": []}])
def test_a_body_that_says_nothing_leaves_the_sdks_text(body: object) -> None:
    assert fault_in(body, 500, "Error code: 500").text == "Error code: 500"


def test_a_status_inside_a_stream_counts() -> None:
    fault = fault_in({"error": {"code": 429, "message": "slow down"}}, 200)
    assert (fault.status, fault.trouble()) == (429, Trouble.RATE_LIMITED)


def test_the_key_is_never_told() -> None:
    error = Fault("Incorrect API key: sk-very-secret.", 401).error(KEY, Usage())
    assert str(error) == "Incorrect API key: ***."
    assert "sk-very-secret" not in repr(faults.unsent(OSError("sk-very-secret"), KEY))
    assert "sk-very-secret" not in repr(faults.cut(OSError("sk-very-secret"), KEY))


def test_a_page_of_html_is_cut() -> None:
    assert len(str(Fault("<html>" * 1000, 502).error(KEY))) == faults.MAX_TEXT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-1"}, None),
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
