"""Reading the bodies of failed responses: what they say, their codes, the parameter, and how long to wait.

{"error": {"message", "code", "type", "param"}}                     OpenAI, Groq, Azure, llama.cpp, vLLM
{"type": "error", "error": {"type", "message", "details"}}          Anthropic
[{"error": {"code", "message", "status", "details": [...]}}]        Google
{"error": {"code": 429, "message", "metadata": {"raw": "..."}}}     gateways that pass on what another said
{"errors": [{"code", "message"}]}                                   WatsonX
{"errorCode", "errorMessage"}                                       its token service
{"error": "text"}                                                   Ollama
{"detail": "text"}, {"detail": [{"loc", "msg", "type"}]}            FastAPI
<html>…                                                             proxies
"""

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flowassist.models.providers.failures.retry import duration

MAX_DEPTH = 5
MAX_PAGE = 4_000
_STATUS = re.compile("[45][0-9][0-9]")
_PAGE = re.compile(r"<(?:!doctype html|html|head|body|\?xml)\b", re.IGNORECASE)
_TITLE = re.compile(r"<(title|h1)[^>]*>(.*?)</\1>", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Body:
    """`said` is the message for people, empty where there is none; `wait` is in seconds; `page` is a page's title."""

    said: str = ""
    codes: tuple[str, ...] = ()
    param: str = ""
    status: int | None = None
    wait: float | None = None
    page: str = ""


NOTHING = Body()


def read(body: object, depth: int = 0) -> Body:
    """Any decoded JSON, or text that is none."""
    if depth > MAX_DEPTH:
        return NOTHING
    if isinstance(body, str):
        return _of_text(body.strip(), depth)
    if isinstance(body, list):
        return read(body[0], depth + 1) if body else NOTHING
    return _of_object(body, depth) if isinstance(body, Mapping) else NOTHING


def decoded(text: str) -> object:
    """`text` as JSON, or as it is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _of_text(text: str, depth: int) -> Body:
    """Of a page its title; of JSON in text what it says."""
    if not _PAGE.match(text):
        inner = read(decoded(text), depth + 1) if text.startswith(("{", "[")) else NOTHING
        return inner if inner.said else Body(text)
    text = text[:MAX_PAGE]
    title = _TITLE.search(text)
    return Body(page=" ".join(html.unescape(title[2] if title else re.sub("<[^>]*>", " ", text)).split()))


def _of_object(body: Mapping[str, Any], depth: int) -> Body:
    inner = _inner(body)
    return _of_error(body, depth) if inner is None else _within(body, read(inner, depth + 1))


def _inner(body: Mapping[str, Any]) -> object:
    """The error that an object is wrapped around, or None. Text beside a message is a code (RFC 6749 section 5.2)."""
    for name in ("errors", "error", "detail"):
        inner = body.get(name)
        if inner and (isinstance(inner, Mapping | list) or (isinstance(inner, str) and not _message(body))):
            return inner
    return None


def _within(outer: Mapping[str, Any], inner: Body) -> Body:
    """Some write the status beside the error."""
    return inner if inner.status else replace(inner, status=_first_status(outer, "status_code", "statusCode"))


def _of_error(error: Mapping[str, Any], depth: int) -> Body:
    details = _details(error)
    own = Body(
        said=_message(error),
        codes=tuple(dict.fromkeys(_codes(error, details))),
        param=_param(error),
        status=_first_status(error, "code", "status", "statusCode"),
        wait=next(filter(None, (duration(detail.get("retryDelay")) for detail in details)), None),
    )
    raw = _text(error.get("metadata"), "raw") or (own.said if own.said.startswith("{") else "")
    return _passed_on(own, read(raw, depth + 1)) if raw else own


def _passed_on(own: Body, original: Body) -> Body:
    """A gateway's error with what its upstream said."""
    return replace(
        own,
        said=original.said or own.said,
        codes=own.codes + original.codes,
        param=own.param or original.param,
        wait=own.wait or original.wait,
    )


def _message(error: Mapping[str, Any]) -> str:
    names = ("message", "error_description", "errorMessage", "msg")
    return next(filter(None, (_text(error, name).strip() for name in names)), "")


def _codes(error: Mapping[str, Any], details: list[Mapping[str, Any]]) -> Iterator[str]:
    """The most exact first. Numbers are statuses."""
    named: list[tuple[object, str]] = [(detail, name) for detail in details for name in ("reason", "error_code")]
    named += [(error, name) for name in ("code", "errorCode")]
    named += [(error.get("innererror"), "code"), *((error, name) for name in ("error", "type", "status"))]
    for holder, name in named:
        code = _text(holder, name)
        if code and not code.isdecimal():
            yield code


def _details(error: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    details = error.get("details")
    return [detail for detail in (details if isinstance(details, list) else [details]) if isinstance(detail, Mapping)]


def _param(error: Mapping[str, Any]) -> str:
    """FastAPI tells a path: the first step is `body`."""
    path = error.get("loc")
    if isinstance(path, list | tuple):
        return ".".join(str(step) for step in path[1:])
    return _text(error, "param")


def _first_status(holder: Mapping[str, Any], *names: str) -> int | None:
    values = (str(holder.get(name)) for name in names)
    return next((int(value) for value in values if _STATUS.fullmatch(value)), None)


def _text(holder: object, name: str) -> str:
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return value if isinstance(value, str) else ""
