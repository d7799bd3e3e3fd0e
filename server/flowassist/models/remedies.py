"""From what a provider refuses to another way of asking: by the parameter that it names, else by its words."""

import re
from collections.abc import Mapping

from flowassist.models.model import ModelError, Remedy

STATUSES = frozenset({200, 400, 404, 422})
"""Where a request is refused for what it holds; 200 is an error inside a stream."""

CODES = frozenset(
    {
        "unsupported_parameter",
        "unsupported_value",
        "unknown_parameter",
        "unrecognized_parameter",
        "extra_forbidden",
        "value_error.extra",
        "invalid_json_schema",
    }
)

PARAMETERS: Mapping[str, Remedy] = {
    "temperature": Remedy.NO_TEMPERATURE,
    "max_tokens": Remedy.NEW_LIMIT,
    "max_completion_tokens": Remedy.OLD_LIMIT,
    "response_format": Remedy.NO_SCHEMA,
    "json_schema": Remedy.NO_SCHEMA,
    "text.format": Remedy.NO_SCHEMA,
    "output_config": Remedy.NO_SCHEMA,
    "stream_options": Remedy.NO_USAGE,
}

_FORMAT = r"(?:structured outputs?|output formats?|json[_ ]schema|json mode|response[_ ](?:format|schema))"
_SIGNATURES: Mapping[Remedy, tuple[str, ...]] = {
    Remedy.RESPONSES: (
        r"function tools with reasoning_effort are not supported\b",
        r"\buse function tools, use /?v1/responses\b",
        r"\bnot a chat model\b.{0,80}\bv1/chat/completions\b",
        r"\bonly (?:supported|available) (?:in|with|via|through) (?:the )?(?:/?v1/responses|responses api)\b",
    ),
    Remedy.NO_TEMPERATURE: (r"\btemperature\W{1,3}may only be set to 1\b",),
    Remedy.NEW_LIMIT: (r"\buse \W?max_completion_tokens\W{1,2}instead\b",),
    Remedy.OLD_LIMIT: (r"\buse \W?max_tokens\W{1,2}instead\b",),
    Remedy.NO_SCHEMA: (
        r"\bresponse_format\b.{0,40}\b(?:unavailable|unsupported|not (?:supported|available|implemented))\b",
        r"\bresponse_format\.type\b.{0,20}\bmust be\b",
        r"\binvalid (?:json )?schema for response_format\b",
        rf"\b(?:does not|doesn't|do not) support (?:\w+ ){{0,2}}{_FORMAT}\b",
        rf"\b{_FORMAT} (?:is|are) (?:unsupported|not (?:supported|available|enabled))\b",
        r"\bjson_schema is enabled only for\b",
        r"\bwith a response mime type\b.{0,40}\bunsupported\b",
        r"\boutput_config\.format\b",
    ),
}
SIGNATURES = {remedy: re.compile("|".join(words), re.IGNORECASE | re.DOTALL) for remedy, words in _SIGNATURES.items()}

_REFUSED = r"(?:not supported|unsupported|deprecated|not (?:permitted|allowed)|no longer supported)"
_THING = r"(?:parameter|argument|field|name|keyword|property|input)s?"
_PATTERNS = (
    r"\b(?:unsupported|unrecognized|unknown|unexpected|extra)(?: request)? {thing}(?: supplied)?[:\s]+{quote}{name}\b",
    r"['\"`]{name}['\"`] (?:(?:is|are) {refused}|(?:does not|doesn't) support)\b",
    r"\b{name} (?:is|are) {refused}(?=[.;]?\s*$| (?:for|with|by|on) (?:this|the) (?:model|endpoint|api|provider)\b)",
    r"\b{name} (?:does not|doesn't) support (?:\d|the value)",
)
_UNKNOWN = r"extra (?:inputs|fields) (?:are )?not permitted"
_EXTRA = re.compile(rf"\b(?:extra_forbidden|value_error\.extra|{_UNKNOWN})\b", re.IGNORECASE)


def _refused(name: str) -> re.Pattern[str]:
    """Text that refuses the parameter `name`; quotation marks make it a parameter where the word has other senses."""
    quote = r"['\"`]?"
    parts = (part.format(name=re.escape(name), quote=quote, refused=_REFUSED, thing=_THING) for part in _PATTERNS)
    return re.compile("|".join(parts), re.IGNORECASE)


REFUSED = {name: _refused(name) for name in PARAMETERS}


def remedy_of(error: ModelError) -> Remedy | None:
    """How to ask so that this would not be refused again; None if that is not known."""
    if error.status not in STATUSES:
        return None
    return _by_parameter(error) or _by_words(str(error))


def _by_parameter(error: ModelError) -> Remedy | None:
    if error.code not in CODES:
        return None
    return next((remedy for name, remedy in PARAMETERS.items() if _names(error.param, name)), None)


def _names(param: str, name: str) -> bool:
    """`stream_options.include_usage` is a part of `stream_options`."""
    return param == name or param.startswith(f"{name}.")


def _by_words(text: str) -> Remedy | None:
    by_signature = (remedy for remedy, words in SIGNATURES.items() if words.search(text))
    by_name = (remedy for name, remedy in PARAMETERS.items() if REFUSED[name].search(text))
    return next(by_signature, None) or next(by_name, None) or _by_extra(text)


def _by_extra(text: str) -> Remedy | None:
    """A list of fields that the endpoint does not know, as pydantic writes it."""
    if not _EXTRA.search(text):
        return None
    return next((PARAMETERS[name] for name in PARAMETERS if re.search(rf"\b{re.escape(name)}\b", text)), None)
