"""What a sandboxed run's claim says about a component, held against what its code says."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from flowassist.components.anatomy import Anatomy, Declared
from flowassist.components.report import Check, Finding, Outcome
from flowassist.sandbox.claims import Blame, Claim, Fault, Run, Stage

STAGES = (Stage.CREATE, Stage.INSTANTIATE, Stage.TEMPLATE)
_ORDER = (*STAGES, Stage.RUN, Stage.DONE)
_NOT_REACHED = "not reached"
_PREVIEW_CHARACTERS = 120
_REMEDIES = {
    "ModuleNotFoundError": "This package is not installed here: use the standard library or another package.",
    "ImportError": "Import names from where they are: lfx.custom has Component, lfx.io the inputs and Output, "
    "lfx.schema the classes Data and DataFrame, lfx.schema.message the class Message.",
    "NameError": "Import or define the name before it is used.",
    "AttributeError": "Use only names that exist: inputs are read as self.<input name>.",
    "ValidationError": "Give only arguments that the class has, each with a value of its type.",
    "TypeError": "Make the call and the returned value fit what is declared.",
    "SystemExit": "Raise ValueError instead of ending the process.",
}
_MEND = "Change what this line does."
_FASTER = "Bound loops and sizes, so that the output is ready within a second."
_INTO_METHOD = "Do this in the method of the output, not while the class is made."


@dataclass(frozen=True, slots=True)
class Evidence:
    """`node` is what the run told of the component as Langflow's JSON, empty where it came to none."""

    checks: tuple[Check, ...]
    findings: tuple[Finding, ...]
    node: str = ""


def unrun(anatomy: Anatomy | None, why: str) -> tuple[Check, ...]:
    """The checks of a component that was not run."""
    outputs = anatomy.outputs.entries if anatomy else ()
    names = [*(stage.value for stage in STAGES), *(f"run:{output.name}" for output in outputs)]
    return tuple(Check(name, Outcome.NOT_CHECKED, why) for name in names)


def weigh(claim: Claim, anatomy: Anatomy) -> Evidence:
    """Checks and findings of a run. A fault of the boundary is one only where it kept the outputs from being run."""
    checks, findings = [*_stages(claim), *_outputs(claim, anatomy)], [*_faults(claim)]
    if not findings:
        findings += _disagreements(claim, anatomy)
    return Evidence(tuple(checks), tuple(findings), claim.node)


def _stages(claim: Claim) -> Iterator[Check]:
    for stage in STAGES:
        if _ORDER.index(stage) < _ORDER.index(claim.stage):
            yield Check(stage.value, Outcome.PASSED)
        elif stage is claim.stage and claim.fault:
            yield Check(stage.value, _outcome(claim.fault), claim.fault.message)
        else:
            yield Check(stage.value, Outcome.NOT_CHECKED, _NOT_REACHED)


def _outcome(fault: Fault) -> Outcome:
    return Outcome.NOT_CHECKED if fault.blame is Blame.BOUNDARY else Outcome.FAILED


def _outputs(claim: Claim, anatomy: Anatomy) -> Iterator[Check]:
    """One check for each output; what ended the whole run is told at the first output that has none."""
    declared = [output.name for output in anatomy.outputs.entries]
    ended = None if claim.fault in [run.fault for run in claim.runs] else claim.fault
    for name in dict.fromkeys([*declared, *(output.name for output in claim.outputs)]):
        if runs := [run for run in claim.runs if run.output == name]:
            yield _ran(name, runs)
        elif ended and claim.stage is Stage.RUN:
            yield Check(f"run:{name}", _outcome(ended), ended.message)
            ended = None
        else:
            yield Check(f"run:{name}", Outcome.NOT_CHECKED, _NOT_REACHED)


def _ran(name: str, runs: list[Run]) -> Check:
    faults = [run.fault for run in runs if run.fault]
    wrong = next((fault for fault in faults if fault.blame is not Blame.BOUNDARY), None)
    if wrong or faults:
        fault = wrong or faults[0]
        return Check(f"run:{name}", _outcome(fault), fault.message)
    return Check(f"run:{name}", Outcome.PASSED, "; ".join(_seen(run) for run in runs if run.observed))


def _seen(run: Run) -> str:
    """For example "Message from sample 'plain': HELLO"."""
    preview = " ".join(run.preview.split())[:_PREVIEW_CHARACTERS]
    return f"{run.observed} from sample '{run.sample}'" + (f": {preview}" if preview else "")


def _faults(claim: Claim) -> Iterator[Finding]:
    """Every fault that speaks against the component, each once: that of the whole, and those of its runs."""
    raised = [run.fault for run in claim.runs if run.fault and run.fault.blame is not Blame.BOUNDARY]
    rule = f"{claim.stage if claim.stage in STAGES else Stage.RUN}-failed"
    for fault in dict.fromkeys([*([claim.fault] if claim.fault else []), *raised]):
        yield Finding(rule, fault.message, _remedy(fault), fault.line)


def _remedy(fault: Fault) -> str:
    if fault.blame is Blame.BOUNDARY:
        return _INTO_METHOD
    if fault.blame is Blame.LIMITS:
        return _FASTER
    return _REMEDIES.get(fault.type, _MEND)


def _disagreements(claim: Claim, anatomy: Anatomy) -> Iterator[Finding]:
    """A claim that tells of another component than the code does is no evidence of this one."""
    if claim.stage is not Stage.DONE or not _agrees(claim, anatomy):
        message = "The run reported something else than the code says."
        remedy = "Declare inputs and outputs as plain lists in the class, and do not change them while it is made."
        yield Finding("run-disagrees", message, remedy, anatomy.line)


def _agrees(claim: Claim, anatomy: Anatomy) -> bool:
    inputs = {entry.name for entry in anatomy.inputs.entries} - {"code"}
    outputs = {(entry.name, entry.method) for entry in anatomy.outputs.entries}
    claimed = {(output.name, output.method) for output in claim.outputs}
    return (
        claim.class_name == anatomy.name
        and _fits(inputs, set(claim.inputs) - {"code"}, anatomy.inputs)
        and _fits(outputs, claimed, anatomy.outputs)
        and {name for name, _ in claimed} == {run.output for run in claim.runs}
    )


def _fits(read: Set[object], claimed: Set[object], declared: Declared[Any]) -> bool:
    return read == claimed if declared.whole else read <= claimed
