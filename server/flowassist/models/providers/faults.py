"""From what a provider or its SDK says to the kinds of trouble.

A provider's own code decides first, then the HTTP status, then, only where both leave it open, words in the text.
`ModelError.usage` is zero where the provider cannot have worked on the request.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from flowassist.models.model import UNKNOWN, ModelError, Trouble, Usage
from flowassist.models.providers import bodies, codes, retry, words
from flowassist.secret import Secret

MAX_TEXT = 500
MAX_CAUSES = 10

WAITING = frozenset({Trouble.RATE_LIMITED, Trouble.OVERLOADED})
"""What a provider may say in words how long to wait for."""

UNMADE = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError"})
"""Errors of HTTP clients where no request was made."""

LATE = frozenset({"ReadTimeout", "WriteTimeout"})


@dataclass(frozen=True, slots=True)
class Fault:
    """What is known of a failed call: HTTP status (200 inside a stream), the provider's codes, its text.

    `said` is the message of the provider's body; `wait` the seconds that the body asks for.
    """

    text: str
    status: int | None = None
    codes: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    param: str = ""
    said: str = ""
    wait: float | None = None

    def trouble(self) -> Trouble:
        clear = codes.by_code(self.codes, self.status) or codes.STATUSES.get(self.status or 0)
        return clear or self._by_words() or codes.otherwise(self.codes, self.status)

    def _by_words(self) -> Trouble | None:
        """A server that says that it failed is asked only what the model could not do."""
        status = self.status or 0
        if status > 500:
            return None
        failed = status == 500 or any(codes.BROAD.get(code) is Trouble.OVERLOADED for code in self.codes)
        return words.by_words(self.text, words.OF_THE_MODEL if failed else words.ALL)

    def retry_after(self, trouble: Trouble) -> float | None:
        """Seconds: of the headers, else of the body, else of its words."""
        told = retry.retry_after(self.headers)
        told = self.wait if told is None else told
        return retry.asked_for(self.text) if told is None and trouble in WAITING else told

    def error(self, key: Secret, usage: Usage = UNKNOWN) -> ModelError:
        trouble, text = self.trouble(), key.hidden_in(self.text)[:MAX_TEXT]
        return ModelError(
            trouble,
            text,
            status=self.status,
            code=next(iter(self.codes), ""),
            param=self.param,
            said=key.hidden_in(self.said)[:MAX_TEXT] or (text if self.codes else ""),
            retry_after=self.retry_after(trouble),
            usage=usage,
        )


def fault_in(body: object, status: int | None, text: str = "", headers: Mapping[str, str] | None = None) -> Fault:
    """Read an error body of any provider's form; `text` stands in for a message. A status inside a stream counts."""
    told = bodies.read(body)
    status = told.status if told.status and status in {None, 200} else status
    return Fault(told.said or told.page or text, status, told.codes, headers or {}, told.param, told.said, told.wait)


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
    name = type(cause).__name__
    trouble = Trouble.TIMEOUT if name in LATE else Trouble.UNREACHABLE
    return ModelError(trouble, _named(cause, key), usage=Usage() if name in UNMADE else UNKNOWN)


def cut(cause: BaseException, key: Secret) -> ModelError:
    """A stream that was torn while it was read."""
    return ModelError(Trouble.BROKEN_OFF, _named(cause, key))


def _named(cause: BaseException, key: Secret) -> str:
    """For the log: what happened below the HTTP client, and its own words."""
    return key.hidden_in(f"{_what(cause)}{type(cause).__name__}: {cause}")[:MAX_TEXT]


def _what(cause: BaseException) -> str:
    for error in _causes(cause):
        if isinstance(error, socket.gaierror):
            return "the address's host name is not known: "
        if isinstance(error, ssl.SSLCertVerificationError):
            return "the server's certificate is not trusted: "
        if isinstance(error, ssl.SSLError):
            return "no TLS connection could be made: "
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """`error` and those behind it."""
    for _ in range(MAX_CAUSES):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
