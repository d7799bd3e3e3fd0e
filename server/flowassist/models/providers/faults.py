"""From what a provider or its SDK says to the kinds of trouble: one table each for codes, statuses and words.

A provider's own code decides first, then the HTTP status, then, only for statuses that can mean anything, words in
the text. `ModelError.usage` is zero where the provider cannot have worked on the request.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from flowassist.models.model import UNKNOWN, ModelError, Trouble, Usage
from flowassist.secret import Secret

MAX_TEXT = 500

CODES: Mapping[str, Trouble] = {
    "invalid_api_key": Trouble.AUTHENTICATION,
    "authentication_error": Trouble.AUTHENTICATION,
    "account_deactivated": Trouble.AUTHENTICATION,
    "insufficient_quota": Trouble.QUOTA,
    "billing_error": Trouble.QUOTA,
    "billing_not_active": Trouble.QUOTA,
    "billing_hard_limit_reached": Trouble.QUOTA,
    "rate_limit_exceeded": Trouble.RATE_LIMITED,
    "rate_limit_error": Trouble.RATE_LIMITED,
    "model_not_found": Trouble.NOT_AVAILABLE,
    "unsupported_country_region_territory": Trouble.NOT_AVAILABLE,
    "overloaded_error": Trouble.OVERLOADED,
    "server_error": Trouble.OVERLOADED,
    "api_error": Trouble.OVERLOADED,
    "internal_error": Trouble.OVERLOADED,
    "engine_overloaded": Trouble.OVERLOADED,
    "slow_down": Trouble.OVERLOADED,
    "conflict_error": Trouble.OVERLOADED,
    "timeout_error": Trouble.TIMEOUT,
    "context_length_exceeded": Trouble.CONTEXT_TOO_LONG,
    "exceed_context_size_error": Trouble.CONTEXT_TOO_LONG,
    "request_too_large": Trouble.CONTEXT_TOO_LONG,
    "content_filter": Trouble.REFUSED,
    "content_policy_violation": Trouble.REFUSED,
}

STATUSES: Mapping[int, Trouble] = {
    401: Trouble.AUTHENTICATION,
    402: Trouble.QUOTA,
    408: Trouble.TIMEOUT,
    409: Trouble.OVERLOADED,
    413: Trouble.CONTEXT_TOO_LONG,
    429: Trouble.RATE_LIMITED,
    504: Trouble.TIMEOUT,
}

_PHRASES: Mapping[Trouble, tuple[str, ...]] = {
    Trouble.NOT_AVAILABLE: (
        "model_not_found",
        "(?:does not have|no) access to (?:the )?model",
        r"model:? ?[`'\"]?[\w./:@-]{0,100}[`'\"]? (?:is |was )?(?:not found|not available|does not exist)",
        "requires a subscription",
        "unsupported model",
    ),
    Trouble.CONTEXT_TOO_LONG: (
        "context (?:length|window|size|limit)",
        "context_length_exceeded",
        "maximum context",
        "prompt is too long",
        "too many (?:input )?tokens",
    ),
    Trouble.QUOTA: (
        "credit balance",
        "insufficient[ _](?:credits?|funds|balance|quota)",
        "billing",
        "exceeded your current quota",
    ),
    Trouble.RATE_LIMITED: ("rate[ _-]?limit(?:s|ed|_exceeded)?", "too many requests", "consumption_limit"),
    Trouble.AUTHENTICATION: (
        "(?:invalid|incorrect|missing) (?:x-)?api[ _-]?key",
        "api[ _-]?key (?:is )?(?:not valid|invalid)",
        "unauthorized",
        "authentication",
    ),
    Trouble.REFUSED: ("content (?:filter|policy|management policy)", "safety (?:filter|system|policy)"),
    Trouble.OVERLOADED: ("overloaded", "internal server error", "bad gateway", "service unavailable"),
    Trouble.TIMEOUT: ("timed out", "timeout"),
    Trouble.UNREACHABLE: ("connection (?:refused|reset|error)",),
}
WORDS = {trouble: re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE) for trouble, phrases in _PHRASES.items()}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is known of a failed call: HTTP status (200 inside a stream), the provider's codes, its text."""

    text: str
    status: int | None = None
    codes: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    param: str = ""

    def trouble(self) -> Trouble:
        by_code = (CODES[code] for code in self.codes if code in CODES)
        return next(by_code, None) or self._by_status() or self._by_words() or self._otherwise()

    def _by_status(self) -> Trouble | None:
        known = STATUSES.get(self.status or 0)
        return known or (Trouble.OVERLOADED if (self.status or 0) >= 500 else None)

    def _by_words(self) -> Trouble | None:
        if self.status == 404 and "not_found_error" in self.codes:
            return Trouble.NOT_AVAILABLE
        return next((trouble for trouble, pattern in WORDS.items() if pattern.search(self.text)), None)

    def _otherwise(self) -> Trouble:
        """A bare 404 is a wrong address; an error inside a stream that began well is the provider's own."""
        return {403: Trouble.AUTHENTICATION, 404: Trouble.UNREACHABLE, 200: Trouble.OVERLOADED}.get(
            self.status or 0, Trouble.BAD_REQUEST
        )

    def error(self, key: Secret, usage: Usage = UNKNOWN) -> ModelError:
        text = key.hidden_in(self.text)[:MAX_TEXT]
        return ModelError(
            self.trouble(),
            text,
            status=self.status,
            code=next(iter(self.codes), ""),
            param=self.param,
            said=text if self.codes else "",
            retry_after=retry_after(self.headers),
            usage=usage,
        )


def fault_in(body: object, status: int, text: str = "", headers: Mapping[str, str] | None = None) -> Fault:
    """Read an error body: {"error": {...}}, [{"error": {...}}], {"error": "text"} or the inner object alone."""
    if isinstance(body, list):
        body = body[0] if body else None
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(inner, Mapping):
        return Fault(inner if isinstance(inner, str) and inner else text, status, headers=headers or {})
    codes = tuple(str(inner[name]) for name in ("code", "type", "status") if inner.get(name))
    if status == 200 and re.fullmatch("[45][0-9][0-9]", codes[0] if codes else ""):
        status = int(codes[0])
    return Fault(str(inner.get("message") or text), status, codes, headers or {}, str(inner.get("param") or ""))


class Sdk(Protocol):
    """The exceptions that the openai and the anthropic package have in common."""

    @property
    def APIStatusError(self) -> type[Exception]: ...  # noqa: N802

    @property
    def APIConnectionError(self) -> type[Exception]: ...  # noqa: N802


@contextmanager
def translated(sdk: Sdk, key: Secret) -> Iterator[None]:
    """An SDK's exceptions for a call that got no stream, as ModelError."""
    try:
        yield
    except sdk.APIStatusError as error:
        raise _of_status(error, key) from None
    except sdk.APIConnectionError as error:
        raise unsent(error.__cause__ or error, key) from None


def _of_status(error: Any, key: Secret) -> ModelError:
    return fault_in(error.body, error.status_code, str(error), error.response.headers).error(key, Usage())


def unsent(cause: BaseException, key: Secret) -> ModelError:
    """A connection that gave no answer; the provider may have read the request unless it was never made."""
    never = type(cause).__name__ in {"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol"}
    return ModelError(Trouble.UNREACHABLE, _named(cause, key), usage=Usage() if never else UNKNOWN)


def cut(cause: BaseException, key: Secret) -> ModelError:
    """A stream that was torn while it was read."""
    return ModelError(Trouble.BROKEN_OFF, _named(cause, key))


def _named(cause: BaseException, key: Secret) -> str:
    return key.hidden_in(f"{type(cause).__name__}: {cause}")[:MAX_TEXT]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until the provider wants to be asked again (RFC 9110 section 10.2.3, and OpenAI's milliseconds)."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
            return float(value) * scale
    return _until(headers.get("retry-after", ""))


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
