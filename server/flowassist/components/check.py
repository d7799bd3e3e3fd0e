"""From code to a verdict: read it, scan it, run it in the sandbox, and say what that proves."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowassist.components.anatomy import Anatomy
from flowassist.components.evidence import Evidence, unrun, weigh
from flowassist.components.reading import Reading, read
from flowassist.components.report import Check, Finding, Outcome, Report, Verdict
from flowassist.components.scan import scan
from flowassist.sandbox import nodes
from flowassist.sandbox.claims import Blame, Claim, Fault, Job, Stage
from flowassist.sandbox.supervisor import Sandbox

_INLINE_CHARACTERS = 10_000  # reading so much takes about 10 ms: more goes to a thread
_EXPLAINED, _AROUND = 5, 3
_TEXT_INPUTS = frozenset(
    {"MessageTextInput", "StrInput", "MultilineInput", "MessageInput", "PromptInput", "QueryInput", "CodeInput"}
)
_NUMBER_INPUTS = frozenset({"IntInput", "FloatInput", "SliderInput"})


@dataclass(frozen=True, slots=True)
class _Static:
    """What was found without running anything."""

    reading: Reading
    scanned: tuple[Finding, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.reading.findings, *self.scanned)

    @property
    def checks(self) -> tuple[Check, ...]:
        security = _passed("security", self.scanned) if self.reading.tree else _unread("security")
        return Check("extract", Outcome.PASSED), _passed("static", self.reading.findings), security


async def check(code: str, sandbox: Sandbox, *, owner: str = "", wall_seconds: float = 10.0) -> Verdict:
    """The verdict on a component's code, which runs for at most `wall_seconds`, and only if reading it finds no error.

    Its place in the sandbox is one of `owner`'s. Raises SandboxUnavailable where code cannot be run at all, SandboxBusy
    where too many wait.
    """
    began = time.perf_counter()
    static = await _static(code)
    anatomy = static.reading.anatomy
    if anatomy is None or _errors(static.findings):
        ran, boundary = Evidence(unrun(anatomy, "not run: reading the code found errors"), ()), ""
    else:
        ran = weigh(await sandbox.validate(Job(code, anatomy.name, wall_seconds=wall_seconds), owner), anatomy)
        boundary = sandbox.boundary.describe() if sandbox.boundary else ""
    findings = (*static.findings, *ran.findings)
    report = Report((*static.checks, *ran.checks), findings, boundary, (time.perf_counter() - began) * 1000)
    return _verdict(code, static.reading.class_name, report, ran.node)


async def run_with(code: str, texts: Sequence[str], numbers: Sequence[float], sandbox: Sandbox) -> Claim:
    """Run a component once, with `texts` in its text inputs and `numbers` in its number inputs, in their order.

    Code without a readable component class gives a claim with a fault. Raises SandboxUnavailable.
    """
    reading = (await _static(code)).reading
    if reading.anatomy is None:
        first = reading.findings[0]
        return Claim(Stage.CREATE, fault=Fault(first.rule, first.message, Blame.CODE, first.line))
    values = {**_paired(reading.anatomy, _TEXT_INPUTS, texts), **_paired(reading.anatomy, _NUMBER_INPUTS, numbers)}
    return await sandbox.validate(Job(code, reading.class_name, values))


def explain(verdict: Verdict) -> str:
    """What a model needs to repair the code: each error, its line with the lines around it, and what to do."""
    lines = verdict.code.splitlines()
    errors = _errors(verdict.report.findings)[:_EXPLAINED]
    return "\n\n".join("\n".join(_explained(finding, lines)) for finding in errors)


async def _static(code: str) -> _Static:
    if len(code) <= _INLINE_CHARACTERS:
        return _judged(code)
    return await asyncio.to_thread(_judged, code)


def _judged(code: str) -> _Static:
    reading = read(code)
    return _Static(reading, scan(reading))


def _errors(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if not finding.warning]


def _passed(name: str, findings: Sequence[Finding]) -> Check:
    errors = _errors(findings)
    return Check(name, Outcome.FAILED, _sentence(errors[0])) if errors else Check(name, Outcome.PASSED)


def _unread(name: str) -> Check:
    return Check(name, Outcome.NOT_CHECKED, "the code cannot be parsed")


def _verdict(code: str, class_name: str, report: Report, node: str) -> Verdict:
    if errors := _errors(report.findings):
        return Verdict(ok=False, code=code, class_name=class_name, error=_sentence(errors[0]), report=report)
    return Verdict(ok=True, code=code, class_name=class_name, error="", report=report, node=nodes.with_code(node, code))


def _sentence(finding: Finding) -> str:
    message = finding.message.rstrip(".")
    return f"{message} (line {finding.line})" if finding.line else message


def _paired(anatomy: Anatomy, kinds: frozenset[str], values: Sequence[object]) -> dict[str, object]:
    names = [entry.name for entry in anatomy.inputs.entries if entry.kind in kinds]
    return dict(zip(names, values, strict=False))


def _explained(finding: Finding, lines: Sequence[str]) -> Iterator[str]:
    yield _sentence(finding)
    if finding.line:
        first, last = max(1, finding.line - _AROUND), min(len(lines), finding.line + _AROUND)
        for number in range(first, last + 1):
            yield f"{'>' if number == finding.line else ' '} {number:4} | {lines[number - 1]}".rstrip()
    yield f"What to do: {finding.remedy}"
