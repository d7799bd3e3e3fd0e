"""From what a provider or its SDK says to the kinds of trouble.

A provider's own code decides first, then the HTTP status, then, only where both leave it open, words in the text.
`ModelError.usage` is zero where the provider cannot have worked on the request.
"""

import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from flowassist.models.model import UNKNOWN, ModelError, Trouble, Usage
from flowassist.models.providers.failures import wrapped
from flowassist.models.providers.failures.fault import MAX_TEXT, Fault, fault_of_body
from flowassist.secret import Hides

MAX_CAUSES = 10

UNMADE = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError"})
"""Errors of HTTP clients where no request was made."""

LATE = frozenset({"ReadTimeout", "WriteTimeout"})


def fault_in(body: object, status: int | None, text: str = "", headers: Mapping[str, str] | None = None) -> Fault:
    """Read an error body of any provider's form, down to its deepest cause."""
    return wrapped.deepest(fault_of_body(body, status, text, headers))


class Sdk(Protocol):
    """The exceptions that the openai and the anthropic package have in common."""

    @property
    def APIStatusError(self) -> type[Exception]: ...  # noqa: N802

    @property
    def APIConnectionError(self) -> type[Exception]: ...  # noqa: N802


@contextmanager
def translated(sdk: Sdk, key: Hides) -> Iterator[None]:
    """An SDK's exceptions for a call that got no stream, as ModelError."""
    try:
        yield
    except sdk.APIStatusError as error:
        raise _of_status(error, key) from None
    except sdk.APIConnectionError as error:
        raise unsent(error.__cause__ or error, key) from None


def _of_status(error: Any, key: Hides) -> ModelError:
    return fault_in(error.body, error.status_code, str(error), error.response.headers).error(key, Usage())


def unsent(cause: BaseException, key: Hides) -> ModelError:
    """A connection that gave no answer; the provider may have read the request unless it was never made."""
    name = type(cause).__name__
    trouble = Trouble.TIMEOUT if name in LATE else Trouble.UNREACHABLE
    return ModelError(trouble, _named(cause, key), usage=Usage() if name in UNMADE else UNKNOWN)


def cut(cause: BaseException, key: Hides) -> ModelError:
    """A stream that was torn while it was read."""
    return ModelError(Trouble.BROKEN_OFF, _named(cause, key))


def _named(cause: BaseException, key: Hides) -> str:
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
