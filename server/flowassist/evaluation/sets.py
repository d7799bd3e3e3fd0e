"""Evaluation sets: JSON Lines files of messages with what is expected of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from flowassist.assistant.intended import Kind


class SetError(ValueError):
    """A set cannot be read; str() names file, line and field."""


@dataclass(frozen=True, slots=True)
class Message:
    """`before` is the user's turn before it, for follow-ups."""

    text: str
    expected: Kind
    before: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """Values go into the component's text and number inputs in their order; its outputs' JSON is searched."""

    text: str
    texts: tuple[str, ...]
    numbers: tuple[float, ...]
    contains: tuple[str, ...]
    excludes: tuple[str, ...]


def messages(file: Path) -> tuple[Message, ...]:
    """Raises SetError."""
    return tuple(_message(place, entry) for place, entry in _entries(file))


def requests(file: Path) -> tuple[Request, ...]:
    """Raises SetError."""
    return tuple(_request(place, entry) for place, entry in _entries(file))


def _message(place: str, entry: Mapping[str, object]) -> Message:
    try:
        expected = Kind(entry["intent"])
    except (KeyError, ValueError):
        raise SetError(f"{place}: intent must be one of {', '.join(kind.value for kind in Kind)}") from None
    return Message(_text(place, entry), expected, str(entry.get("previous_user_turn", "")))


def _request(place: str, entry: Mapping[str, object]) -> Request:
    texts, contains, excludes = (
        tuple(map(str, _list(place, entry, name))) for name in ("text_values", "result_contains", "result_excludes")
    )
    numbers = _list(place, entry, "number_values")
    if not all(isinstance(number, int | float) for number in numbers):
        raise SetError(f"{place}: number_values must hold numbers")
    return Request(_text(place, entry), texts, tuple(numbers), contains, excludes)  # type: ignore[arg-type]


def _text(place: str, entry: Mapping[str, object]) -> str:
    text = entry.get("message")
    if not isinstance(text, str) or not text:
        raise SetError(f"{place}: message must be a text")
    return text


def _list(place: str, entry: Mapping[str, object], name: str) -> list[object]:
    values = entry.get(name, [])
    if not isinstance(values, list):
        raise SetError(f"{place}: {name} must be a list")
    return values


def _entries(file: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Place and content of each line that is not empty."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SetError(f"{file} cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield f"{file}, line {number}", _object(f"{file}, line {number}", line)


def _object(place: str, line: str) -> Mapping[str, object]:
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise SetError(f"{place} is no JSON: {error}") from None
    if not isinstance(entry, dict):
        raise SetError(f"{place} is no JSON object")
    return entry
