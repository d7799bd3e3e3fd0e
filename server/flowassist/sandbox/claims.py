"""What a sandboxed child says of itself. It is a claim: nothing here is believed beyond its shape and size."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from flowassist.sandbox import nodes


class Stage(StrEnum):
    """How far the child came; the stage that failed, or DONE."""

    CREATE = "create"
    INSTANTIATE = "instantiate"
    TEMPLATE = "template"
    RUN = "run"
    DONE = "done"


class Blame(StrEnum):
    """Whose fault a failure is: the code's, or only that the boundary has no outside (such a part is not checked).

    LIMITS is the code's as well: it took more time, memory or space than it may.
    """

    CODE = "code"
    BOUNDARY = "boundary"
    LIMITS = "limits"


@dataclass(frozen=True, slots=True)
class Fault:
    """`line` counts in the user's code, from 1."""

    type: str
    message: str
    blame: Blame
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    method: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One output run on one sample. `sample` and `preview` are for people; `result` is JSON, cut at the size cap."""

    output: str
    sample: str
    observed: str = ""
    preview: str = ""
    result: str = ""
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """`node` is Langflow's JSON of the component, without its code; every claim that is done has one."""

    stage: Stage
    class_name: str = ""
    display_name: str = ""
    description: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[Output, ...] = ()
    runs: tuple[Run, ...] = ()
    fault: Fault | None = None
    milliseconds: float = 0.0
    node: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """Code to create, instantiate and run. `values` replaces the samples for inputs of these names."""

    code: str
    class_name: str
    values: Mapping[str, object] = field(default_factory=dict)
    wall_seconds: float = 10.0


class ClaimError(ValueError):
    """What the child said has not the shape of a claim."""


_NAME, _SENTENCE, _TEXT, _RESULT = 200, 1000, 4000, 64 << 10  # characters
_MOST_INPUTS, _MOST_OUTPUTS, _MOST_RUNS, _MOST_TYPES = 200, 64, 256, 32
_LAST_LINE = 1_000_000
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

Part = TypeVar("Part")


def parse(raw: bytes | Mapping[str, object]) -> Claim:
    """Read a claim as UTF-8 JSON or as its object. Raises ClaimError.

    Texts are cut to their limits and lose control characters and lone surrogates; wrong types, unknown fields and
    lists over their limits are refused, and so is a claim that contradicts itself.
    """
    entry = _Fields(raw if isinstance(raw, Mapping) else _loads(raw))
    claim = Claim(
        stage=entry.member("stage", Stage),
        class_name=entry.text("class_name", _NAME),
        display_name=entry.text("display_name", _NAME),
        description=entry.text("description", _TEXT),
        inputs=entry.each("inputs", _name, _MOST_INPUTS),
        outputs=entry.each("outputs", _output, _MOST_OUTPUTS),
        runs=entry.each("runs", _run, _MOST_RUNS),
        fault=entry.optional("fault", _fault),
        milliseconds=entry.number("milliseconds"),
        node=entry.node(),
    )
    entry.end()
    if claim.node and not _fits(claim):
        raise ClaimError("a claim must tell the same as its node")
    if claim.stage is Stage.DONE and not claim.node:
        raise ClaimError("a claim that is done must have its node")
    if (claim.stage is Stage.DONE) == (claim.fault is not None):
        raise ClaimError("a claim must either be done or name its fault")
    return claim


def _loads(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise ClaimError("a claim that is no JSON") from None


class _Fields:
    """The fields of one object, each taken once."""

    def __init__(self, entry: object) -> None:
        if not isinstance(entry, Mapping):
            raise ClaimError("an object is missing")
        self._left = dict(entry)

    def text(self, name: str, limit: int) -> str:
        return _clean(self._left.pop(name, ""), limit)

    def number(self, name: str) -> float:
        value = self._left.pop(name, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
            raise ClaimError(f"{name} is no number")
        return float(value)

    def node(self) -> str:
        if not (text := self._left.pop("node", "")):
            return ""
        try:
            return nodes.read(text)
        except nodes.NodeError as error:
            raise ClaimError(str(error)) from None

    def line(self) -> int | None:
        value = self._left.pop("line", None)
        if value is None or (type(value) is int and 1 <= value <= _LAST_LINE):
            return value
        raise ClaimError("line is no line number")

    def member(self, name: str, kind: Callable[[Any], Part]) -> Part:
        try:
            return kind(self._left.pop(name, None))
        except ValueError:
            raise ClaimError(f"{name} is none of its values") from None

    def optional(self, name: str, read: Callable[[object], Part]) -> Part | None:
        value = self._left.pop(name, None)
        return None if value is None else read(value)

    def each(self, name: str, read: Callable[[object], Part], most: int) -> tuple[Part, ...]:
        values = self._left.pop(name, [])
        if not isinstance(values, list | tuple) or len(values) > most:
            raise ClaimError(f"{name} is no list of at most {most}")
        return tuple(read(value) for value in values)

    def end(self) -> None:
        if self._left:
            raise ClaimError("unknown fields")


def _clean(value: object, limit: int) -> str:
    if not isinstance(value, str):
        raise ClaimError("a text is missing")
    return _UNPRINTABLE.sub("", value[: 2 * limit])[:limit]


def _fits(claim: Claim) -> bool:
    """Whether the inputs and outputs that are compared with the code are those of the node."""
    inputs, outputs = nodes.names(claim.node)
    told = [(output.name, output.method) for output in claim.outputs]
    return set(map(_name, inputs)) == set(claim.inputs) and [(_name(n), _name(m)) for n, m in outputs] == told


def _name(value: object) -> str:
    return _clean(value, _NAME)


def _output(value: object) -> Output:
    entry = _Fields(value)
    output = Output(
        entry.text("name", _NAME), entry.text("method", _NAME), types=entry.each("types", _name, _MOST_TYPES)
    )
    entry.end()
    return output


def _run(value: object) -> Run:
    entry = _Fields(value)
    run = Run(
        output=entry.text("output", _NAME),
        sample=entry.text("sample", _NAME),
        observed=entry.text("observed", _NAME),
        preview=entry.text("preview", _SENTENCE),
        result=entry.text("result", _RESULT),
        fault=entry.optional("fault", _fault),
    )
    entry.end()
    return run


def _fault(value: object) -> Fault:
    entry = _Fields(value)
    fault = Fault(
        type=entry.text("type", _NAME),
        message=entry.text("message", _SENTENCE),
        blame=entry.member("blame", Blame),
        line=entry.line(),
    )
    entry.end()
    return fault
