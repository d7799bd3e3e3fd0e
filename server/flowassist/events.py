"""The one file that builds protobuf events. The rooms below compute with dataclasses of their own; here they become
what the contract says."""

from collections.abc import Iterable

from flowassist.components.report import Finding, Outcome, Report, Verdict
from flowassist.errors import Reason
from flowassist.models.meter import Meter, Phase
from flowassist.models.model import Usage
from flowassist.text import clean
from flowassist.v1 import events_pb2 as pb

End = pb.Complete | pb.Error | pb.Cancelled


_OUTCOMES = {
    Outcome.PASSED: pb.CHECK_OUTCOME_PASSED,
    Outcome.FAILED: pb.CHECK_OUTCOME_FAILED,
    Outcome.NOT_CHECKED: pb.CHECK_OUTCOME_NOT_CHECKED,
}


def usage(spent: Usage) -> pb.Usage:
    return pb.Usage(input_tokens=spent.input, output_tokens=spent.output, total_tokens=spent.total)


def spent(meter: Meter) -> pb.Usage:
    """Of the whole turn, with its phases."""
    total = usage(meter.total)
    total.phases.extend(_phase(name, phase) for name, phase in meter.phases.items())
    return total


def _phase(name: str, phase: Phase) -> pb.PhaseUsage:
    tokens = phase.usage
    return pb.PhaseUsage(
        phase=name,
        calls=phase.calls,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        total_tokens=tokens.total,
    )


def progress(step: pb.Step, attempt: int = 1, of: int = 1, message: str = "") -> pb.Progress:
    return pb.Progress(step=step, attempt=attempt, max_attempts=of, message=message)


def queued(position: int, of: int) -> pb.Progress:
    return pb.Progress(
        step=pb.STEP_QUEUED,
        attempt=1,
        max_attempts=of,
        message=f"Waiting for {position} earlier request{'s' if position > 1 else ''} of this session",
        queue_position=position,
    )


def validated(verdict: Verdict, attempt: int, of: int) -> pb.Progress:
    said = progress(pb.STEP_VALIDATED, attempt, of, f"{verdict.class_name} passed its checks")
    said.class_name, said.component_code = verdict.class_name, clean(verdict.code)
    return said


def validation_failed(verdict: Verdict, attempt: int, of: int) -> pb.Progress:
    said = progress(pb.STEP_VALIDATION_FAILED, attempt, of, "The component did not pass its checks")
    said.error, said.component_code = clean(verdict.error), clean(verdict.code)
    if verdict.class_name:
        said.class_name = verdict.class_name
    return said


def notice(kind: pb.NoticeKind, message: str) -> pb.Notice:
    return pb.Notice(kind=kind, message=message)


def text(intent: pb.Intent, result: str, notices: Iterable[pb.Notice] = ()) -> pb.Complete:
    """The end of a turn that answers in words."""
    return pb.Complete(result=clean(result), intent=intent, notices=notices)


def component(result: str, verdict: Verdict, attempts: int, message: str) -> pb.Complete:
    """The end of a turn that wrote a component, whether it passed or not."""
    end = pb.Complete(
        result=clean(result),
        intent=pb.INTENT_GENERATE_COMPONENT,
        message=message,
        validated=verdict.ok,
        component_code=clean(verdict.code),
        validation_attempts=attempts,
        validation_report=report(verdict.report),
    )
    if verdict.class_name:
        end.class_name = verdict.class_name
    if not verdict.ok:
        end.validation_error = clean(verdict.error)
    return end


def report(made: Report) -> pb.ValidationReport:
    checks = [
        pb.Check(name=check.name, outcome=_OUTCOMES[check.outcome], detail=clean(check.detail)) for check in made.checks
    ]
    return pb.ValidationReport(
        checks=checks,
        findings=[_finding(finding) for finding in made.findings],
        boundary=made.boundary,
        milliseconds=made.milliseconds,
    )


def _finding(found: Finding) -> pb.Finding:
    return pb.Finding(
        rule=found.rule,
        message=clean(found.message),
        line=found.line,
        remedy=clean(found.remedy),
        warning=found.warning,
    )


def error(reason: Reason, message: str, tried: Iterable[str], step: pb.Step) -> pb.Error:
    return pb.Error(
        reason=f"ERROR_REASON_{reason.name}",
        message=clean(message),
        recommendation=reason.meaning.advice,
        retryable=reason.meaning.retryable,
        models_tried=tried,
        detail=pb.ErrorDetail(step=step),
    )


_CANCELLED = {
    pb.CANCEL_REASON_USER: "Generation cancelled by user",
    pb.CANCEL_REASON_DISCONNECT: "Request cancelled",
    pb.CANCEL_REASON_DEADLINE: "The caller's deadline came before the answer was ready",
    pb.CANCEL_REASON_SHUTDOWN: "The server is shutting down",
}
_STAGES = {
    pb.STEP_UNSPECIFIED: "understanding the request",
    pb.STEP_QUEUED: "waiting in the queue",
    pb.STEP_GENERATING: "writing the answer",
    pb.STEP_GENERATING_COMPONENT: "writing the component",
    pb.STEP_RETRYING: "writing the component again",
    pb.STEP_GENERATION_COMPLETE: "reading what was written",
    pb.STEP_EXTRACTING_CODE: "taking out the code",
    pb.STEP_VALIDATING: "checking the component",
    pb.STEP_VALIDATED: "handing over the component",
    pb.STEP_VALIDATION_FAILED: "repairing the component",
}


def cancelled(reason: pb.CancelReason, step: pb.Step) -> pb.Cancelled:
    return pb.Cancelled(message=_CANCELLED[reason], reason=reason, left_undone=_STAGES.get(step, ""))


def wrap(turn_id: str, sequence: int, event: pb.Progress | pb.Token | End) -> pb.AssistEvent:
    """The event as it travels."""
    match event:
        case pb.Progress():
            return pb.AssistEvent(turn_id=turn_id, sequence=sequence, progress=event)
        case pb.Token():
            return pb.AssistEvent(turn_id=turn_id, sequence=sequence, token=event)
        case pb.Complete():
            return pb.AssistEvent(turn_id=turn_id, sequence=sequence, complete=event)
        case pb.Error():
            return pb.AssistEvent(turn_id=turn_id, sequence=sequence, error=event)
        case pb.Cancelled():
            return pb.AssistEvent(turn_id=turn_id, sequence=sequence, cancelled=event)
