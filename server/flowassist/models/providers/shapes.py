"""JSON schemas on their way to a provider."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flowassist.models.model import Call


def without(shape: Any, keywords: frozenset[str]) -> Any:
    """A JSON schema without `keywords`; properties that bear such a name stay."""
    if isinstance(shape, list):
        return [without(part, keywords) for part in shape]
    if not isinstance(shape, Mapping):
        return shape
    return {key: _part(key, part, keywords) for key, part in shape.items() if key not in keywords}


def _part(key: str, part: Any, keywords: frozenset[str]) -> Any:
    if key in {"properties", "$defs"}:
        return {name: without(inner, keywords) for name, inner in part.items()}
    return without(part, keywords)


def in_words(call: Call) -> Call:
    """`call` for a model that refuses schemas: its system prompt asks for the JSON instead."""
    if call.schema is None:
        return call
    shape = json.dumps(call.schema.shape)
    wish = f"Answer with one JSON object and nothing else. It must follow this JSON schema: {shape}"
    return replace(call, system=f"{call.system}\n\n{wish}".strip(), schema=None)
