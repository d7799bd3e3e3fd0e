"""Ollama's errors: a text without a code, and sometimes the JSON error of llama.cpp inside that text."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from flowassist.models.model import UNKNOWN, ModelError, Trouble, Usage
from flowassist.models.providers.failures import bodies, faults
from flowassist.secret import Hides

if TYPE_CHECKING:
    import httpx

UNUSABLE = re.compile(
    r"\bdoes not support (?:chat|generate|completion)\b|\bout of memory\b|\bunable to allocate\b", re.IGNORECASE
)
"""A model that embeds or draws, or that does not fit into this machine: another one may do."""


def of_response(response: "httpx.Response", key: Hides) -> ModelError:
    """The error of a response that was read. It cost nothing. Redirects are not followed: they are wrong addresses."""
    body = _opened(bodies.decoded(response.text))
    text = response.text or response.reason_phrase
    error = faults.fault_in(body, response.status_code, text, response.headers).error(key, Usage())
    if response.is_redirect:
        error.trouble = Trouble.UNREACHABLE
    return _judged(error)


def in_stream(event: Mapping[str, object], key: Hides) -> ModelError:
    """The error in a line of an answer."""
    return _judged(faults.fault_in(_opened(event), 200, str(event)).error(key, UNKNOWN))


def _judged(error: ModelError) -> ModelError:
    """A malformed tool call is quoted in its error, whatever it says."""
    if error.trouble is not Trouble.MALFORMED and UNUSABLE.search(str(error)):
        error.trouble = Trouble.NOT_AVAILABLE
    return error


def _opened(body: object) -> object:
    """`body`, or the JSON that is the text of its error."""
    inner = body.get("error") if isinstance(body, Mapping) else None
    return bodies.decoded(inner) if isinstance(inner, str) and inner.startswith("{") else body
