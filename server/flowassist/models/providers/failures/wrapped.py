"""Errors that reach us as text alone: of runs, frameworks and SDKs that wrap what a provider said.

Error building Component Agent: Error code: 404 - {'error': {'message': 'The model `x` does not exist', …}}
"""

import ast
import json
import re
from dataclasses import replace

from flowassist.models.model import Trouble
from flowassist.models.providers.failures import codes, words
from flowassist.models.providers.failures.fault import Fault, fault_of_body

MAX_WRAPPERS = 10
MAX_TEXT = 10_000

_WRAPPER = re.compile(
    r"\s*(?:\w*(?:Error|Exception): )?error (?:building component|running graph|running flow|executing flow)\b"
    r"[^:\n]*:\s*(?P<cause>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = r"(?P<{name}>[45]\d\d)\b(?!\s*(?:tokens?|characters|bytes|ms|s|seconds)\b)"
_STATUS = re.compile(
    r"\b(?:error|status|http(?:/\d(?:\.\d)?)?)(?:[ _]?(?:code|error|status))?\s*[:=]?\s*\(?"
    + _NUMBER.format(name="named")
    + r"|^\s*"
    + _NUMBER.format(name="first"),
    re.IGNORECASE,
)
_LITERAL = re.compile(r"\[?\s*\{")
_AT_THE_END = re.compile(r"\(status code: ([45]\d\d)\)")
_MESSAGE = re.compile(
    r"""['"](?:message|error|msg)['"]\s*:\s*(?:'(?P<one>(?:[^'\\]|\\.)+)'|"(?P<two>(?:[^"\\]|\\.)+)")"""
)


def fault_of_text(text: str) -> Fault:
    """The deepest cause that says something: its status and codes where the text has them. `said` is a body's only."""
    inner = unwrapped(text[:MAX_TEXT])
    status, start = _status_in(inner), _LITERAL.search(inner)
    head = inner[: start.start()] if start else inner
    if words.by_words(head, frozenset({Trouble.MALFORMED})):
        return Fault(inner, status)
    if start and (fault := fault_of_body(_body_in(inner[start.start() :]), status)).text:
        return _deepest(fault)
    said = _message_in(inner)
    return Fault(said or inner, status, _codes_in(inner), said=said)


def deepest(fault: Fault) -> Fault:
    """`fault`, or what it is wrapped around where its text is one of another error; what only it knows stays."""
    text = fault.text.strip()[:MAX_TEXT]
    inner, start = unwrapped(text), _LITERAL.search(text)
    if inner == text and not (start and _body_in(text[start.start() :])):
        return fault
    cause = fault_of_text(text)
    return replace(
        fault,
        text=cause.text,
        said=cause.said or cause.text,
        status=cause.status or fault.status,
        codes=tuple(dict.fromkeys(cause.codes + fault.codes)),
        param=cause.param or fault.param,
        wait=cause.wait or fault.wait,
    )


def unwrapped(text: str) -> str:
    """`text` without the names of the components and graphs that it came through; a wrapper of nothing stays."""
    for _ in range(MAX_WRAPPERS):
        wrapper = _WRAPPER.match(text)
        if not wrapper:
            break
        text = wrapper["cause"]
    return text.strip()


def _status_in(text: str) -> int | None:
    """A number is a status only where the text says so."""
    found = _STATUS.search(text.partition("{")[0]) or _AT_THE_END.search(text)
    return int(next(filter(None, found.groups()))) if found else None


def _body_in(literal: str) -> object:
    """The JSON or Python literal at the beginning of `literal` if it is an error's body, else None."""
    body = _json(literal) or _python(literal[: max(literal.rfind("}"), literal.rfind("]")) + 1])
    return body if _is_error(body) else None


def _deepest(fault: Fault) -> Fault:
    """Some write another error's body into their message."""
    start = _LITERAL.search(fault.text)
    inner = fault_of_body(_body_in(fault.text[start.start() :]), fault.status) if start else None
    return _deepest(replace(inner, codes=inner.codes + fault.codes)) if inner and inner.text else fault


def _codes_in(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.findall(r"\b[A-Za-z]+(?:_[A-Za-z]+)+\b", text) if word in codes.CODES)


def _is_error(body: object) -> bool:
    first = body[0] if isinstance(body, list) and body else body
    if not isinstance(first, dict):
        return False
    return bool(first.keys() & {"error", "errors", "detail"} or {"message", "code"} <= first.keys())


def _json(literal: str) -> object:
    try:
        return json.JSONDecoder().raw_decode(literal)[0]
    except (ValueError, RecursionError):
        return None


def _python(literal: str) -> object:
    try:
        return ast.literal_eval(literal)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _message_in(text: str) -> str:
    """The last message in a text that was cut, or is no literal as a whole."""
    found = [match["one"] or match["two"] for match in _MESSAGE.finditer(text)]
    return re.sub(r"\\(['\"])", r"\1", found[-1]) if found else ""
