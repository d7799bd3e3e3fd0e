"""What a model said about a message, read as leniently as the specification asks for."""

import json
import re
from collections.abc import Mapping

from flowassist.assistant.intended import Intended, Kind

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_PAIR = re.compile(r'"intent"\s*:\s*"(\w+)"')
_WORD = re.compile("|".join(rf"\b{kind.value}\b" for kind in Kind))


def read_intent(answer: str, text: str) -> Intended:
    """The intent in `answer`: JSON, fenced JSON, an object inside text, a quoted pair, or exactly one intent's name.
    Anything else is a question, and degraded; `text` stands in for a missing translation."""
    for found in (_object(answer), *map(_object, _FENCE.findall(answer)), _embedded(answer)):
        if found is not None:
            return _from_object(found, text)
    named = _PAIR.findall(answer) or sorted(set(_WORD.findall(answer)))
    if len(named) == 1 and (kind := _kind(named[0])):
        return Intended(kind, text)
    return Intended(Kind.QUESTION, text, degraded=True)


def _from_object(found: Mapping[str, object], text: str) -> Intended:
    kind = _kind(found.get("intent"))
    translation, model = found.get("translation"), found.get("requested_model")
    return Intended(
        kind or Kind.QUESTION,
        translation.strip() if isinstance(translation, str) and translation.strip() else text,
        degraded=kind is None,
        requested_model=model.strip() if isinstance(model, str) else "",
    )


def _kind(name: object) -> Kind | None:
    return next((kind for kind in Kind if kind.value == name), None)


def _object(text: str) -> Mapping[str, object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _embedded(text: str) -> Mapping[str, object] | None:
    """The first JSON object inside other text that has an intent."""
    decoder = json.JSONDecoder()
    for brace in re.finditer(r"\{", text):
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and "intent" in found:
            return found
    return None
