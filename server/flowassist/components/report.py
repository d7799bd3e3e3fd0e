"""What was checked of a component, and what came out."""

from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is one of extract, static, security, create, instantiate, template, run:<output>."""

    name: str
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """`line` counts in the user's code, from 1; a warning does not fail a component."""

    rule: str
    message: str
    remedy: str
    line: int | None = None
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """`boundary` is empty where nothing ran."""

    checks: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()
    boundary: str = ""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """`error` is one clean sentence with the line in the user's code; empty when `ok`.

    `node` is Langflow's JSON of the component with this code in it; empty unless `ok`.
    """

    ok: bool
    code: str
    class_name: str
    error: str
    report: Report
    node: str = ""
