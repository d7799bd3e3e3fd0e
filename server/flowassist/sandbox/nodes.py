"""A component's node, as a sandboxed child tells it: Langflow's JSON, bounded, and fit to be kept and sent."""

import json
import math
from collections.abc import Mapping
from typing import Any

from flowassist.text import clean
from flowassist.zygote.frames import MAX_NODE

CODE = "code"
_DEEPEST = 28  # protobuf reads a hundred levels, and a Struct takes three of them for each of ours


class NodeError(ValueError):
    """What was told has not the shape of a node."""


def read(text: object) -> str:
    """The node in ASCII JSON: its texts are clean, and numbers that JSON does not have are null. Raises NodeError."""
    if not isinstance(text, str) or len(text) > MAX_NODE:
        raise NodeError("a node that is no text, or too long")
    try:
        node = _plain(json.loads(text), _DEEPEST)
    except (ValueError, RecursionError):
        raise NodeError("a node that is no JSON, or too deep") from None
    if not _is_node(node):
        raise NodeError("a node without template and outputs")
    if len(told := json.dumps(node, separators=(",", ":"))) > MAX_NODE:
        raise NodeError("a node that is too long in ASCII")
    return told


def names(text: str) -> tuple[set[str], list[tuple[str, str]]]:
    """Of a node that was read: its inputs' names; names and methods of its outputs, in their order."""
    node = json.loads(text)
    inputs = {name for name, entry in node["template"].items() if isinstance(entry, dict)} - {CODE}
    return inputs, [(output["name"], output.get("method") or "") for output in node["outputs"]]


def with_code(text: str, code: str) -> str:
    """A node that was read, holding this code."""
    node = json.loads(text)
    node["template"][CODE]["value"] = clean(code)
    return json.dumps(node, separators=(",", ":"))


def _is_node(node: Any) -> bool:
    if not isinstance(node, Mapping):
        return False
    template, outputs = node.get("template"), node.get("outputs")
    return (
        isinstance(template, Mapping)
        and isinstance(template.get(CODE), Mapping)
        and isinstance(outputs, list)
        and all(isinstance(output, Mapping) and _is_named(output) for output in outputs)
    )


def _is_named(output: Mapping[str, Any]) -> bool:
    return isinstance(output.get("name"), str) and isinstance(output.get("method"), str | None)


def _plain(value: Any, levels: int) -> Any:
    """Raises ValueError where `levels` are not enough."""
    match value:
        case str():
            return clean(value)
        case float() | int():
            return value if _is_finite(value) else None
        case dict() | list() if not levels:
            raise ValueError
        case dict():
            return {clean(name): _plain(entry, levels - 1) for name, entry in value.items()}
        case list():
            return [_plain(entry, levels - 1) for entry in value]
    return value


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:
        return False
