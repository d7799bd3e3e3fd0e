"""What a sandboxed child says of itself. It is a claim: nothing here is believed beyond its shape and size."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Stage(StrEnum):
    """How far the child came; the stage that failed, or DONE."""

    CREATE = "create"
    INSTANTIATE = "instantiate"
    TEMPLATE = "template"
    RUN = "run"
    DONE = "done"


class Blame(StrEnum):
    """Whose fault a failure is."""

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
    stage: Stage
    class_name: str = ""
    display_name: str = ""
    description: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[Output, ...] = ()
    runs: tuple[Run, ...] = ()
    fault: Fault | None = None
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """Code to create, instantiate and run. `values` replaces the samples for inputs of these names."""

    code: str
    class_name: str
    values: Mapping[str, object] = field(default_factory=dict)
    wall_seconds: float = 10.0
