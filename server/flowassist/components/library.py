"""Langflow's own component types: lfx's index of them, read as data. lfx itself is not imported."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import structlog

from flowassist.components.described import ComponentType, Description, describe

_INDEX = Path("_assets", "component_index.json")

logger = structlog.get_logger("flowassist")


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """`node` is Langflow's JSON, the code in it."""

    type: ComponentType
    node: str

    def describe(self) -> Description:
        return describe(self.type.name, self.type.category, self.node)


@dataclass(frozen=True, slots=True)
class Index:
    """`version` is lfx's; `problem` says in one sentence why there are no types."""

    types: Mapping[str, BuiltIn] = field(default_factory=dict)
    version: str = ""
    problem: str = ""


class Library:
    """The index of the installed lfx, or of another `file`. It is read once, when it is first asked for."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._index: Index | None = None
        self._reading = asyncio.Lock()

    async def index(self) -> Index:
        """Empty where there is none that can be read."""
        async with self._reading:
            if self._index is None:
                self._index = await asyncio.to_thread(_read, self._file)
        return self._index


def _read(file: Path | None) -> Index:
    try:
        raw = json.loads((file or _installed()).read_bytes())
        return Index({entry.type.name: entry for entry in _entries(raw)}, str(raw["version"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        problem = f"lfx's index of components cannot be read ({type(error).__name__}: {error})."
        logger.warning("components.index_unreadable", reason=problem)
        return Index(problem=problem)


def _installed() -> Path:
    """Raises FileNotFoundError."""
    found = find_spec("lfx")
    if found is None or not found.submodule_search_locations:
        raise FileNotFoundError("lfx is not installed")
    return Path(found.submodule_search_locations[0]) / _INDEX


def _entries(raw: Any) -> Iterator[BuiltIn]:
    for category, types in raw["entries"]:
        for name, node in types.items():
            text = json.dumps(node)
            yield BuiltIn(describe(name, category, text).type, text)
