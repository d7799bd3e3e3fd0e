"""Events as people read them."""

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from flowassist.v1 import events_pb2 as pb
from flowassist.v1.errors_pb2 import ErrorReason

_MARKS = {
    pb.CHECK_OUTCOME_PASSED: "[green]passed[/]",
    pb.CHECK_OUTCOME_FAILED: "[red]failed[/]",
    pb.CHECK_OUTCOME_NOT_CHECKED: "[yellow]not checked[/]",
}


def visible(text: str) -> str:
    """`text` without characters that would steer the terminal."""
    return "".join(character for character in text if character.isprintable() or character in "\n\t")


def show_report(console: Console, title: str, validated: bool, report: pb.ValidationReport) -> None:
    """The checks, the findings, and the boundary."""
    table = Table("check", "outcome", "what was seen", title=escape(visible(title)))
    for check in report.checks:
        table.add_row(escape(visible(check.name)), _MARKS[check.outcome], escape(visible(check.detail)))
    console.print(table)
    for finding in report.findings:
        colour, line = "yellow" if finding.warning else "red", f"line {finding.line}: " * finding.HasField("line")
        console.print(f"[{colour}]{finding.rule}[/] {line}{escape(visible(finding.message))}", soft_wrap=True)
        console.print(f"    [dim]{escape(visible(finding.remedy))}[/]", soft_wrap=True)
    verdict = "[bold green]validated[/]" if validated else "[bold red]not valid[/]"
    boundary = escape(report.boundary or "nothing was run")
    console.print(f"{verdict} in {report.milliseconds:.0f} ms; boundary: {boundary}", soft_wrap=True)


class Shown:
    """Prints a turn, event by event."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False, emoji=False)
        self._inside_text = False

    def show(self, event: pb.AssistEvent) -> None:
        if event.WhichOneof("event") == "token":
            self._console.print(visible(event.token.chunk), end="", markup=False, soft_wrap=True)
            self._inside_text = True
            return
        if self._inside_text:
            self._console.print()
            self._inside_text = False
        match event.WhichOneof("event"):
            case "progress":
                self._progress(event.sequence, event.progress)
            case "complete":
                self._complete(event.sequence, event.complete)
            case "error":
                self._failed(event.sequence, event.error)
            case "cancelled":
                said = f"{event.cancelled.message} while {event.cancelled.left_undone}"
                self._console.print(f"[dim]{event.sequence:>3}[/] [yellow]cancelled[/] {escape(said)}")
                self._spent(event.cancelled.usage, event.cancelled.duration_seconds)

    def _progress(self, sequence: int, progress: pb.Progress) -> None:
        step = pb.Step.Name(progress.step).removeprefix("STEP_").lower()
        attempt = f" [dim](attempt {progress.attempt} of {progress.max_attempts})[/]" if progress.attempt > 1 else ""
        self._console.print(f"[dim]{sequence:>3}[/] [cyan]{step}[/]{attempt} {escape(progress.message)}")
        if progress.error:
            self._console.print(f"    [red]{escape(progress.error)}[/]")

    def _complete(self, sequence: int, end: pb.Complete) -> None:
        intent = pb.Intent.Name(end.intent).removeprefix("INTENT_").lower()
        self._console.print(f"[dim]{sequence:>3}[/] [bold green]complete[/] {intent}")
        if end.HasField("validated"):
            self._component(end)
        elif end.intent != pb.INTENT_QUESTION:
            self._console.print(visible(end.result), markup=False)
        if end.message:
            self._console.print(end.message, markup=False)
        for notice in end.notices:
            self._console.print(f"[yellow]note[/] {escape(notice.message)}")
        if end.provider:
            answered = escape(f"{end.provider}, {end.model_name}; session {end.session_id}")
            self._console.print(f"[dim]{answered}[/]")
        self._spent(end.usage, end.duration_seconds)

    def _component(self, end: pb.Complete) -> None:
        self._console.print(Syntax(visible(end.component_code), "python", line_numbers=True, word_wrap=True))
        show_report(self._console, f"Validation of {end.class_name}", end.validated, end.validation_report)

    def _failed(self, sequence: int, end: pb.Error) -> None:
        name = ErrorReason.Name(end.reason).removeprefix("ERROR_REASON_")
        self._console.print(f"[dim]{sequence:>3}[/] [bold red]error[/] {name}: {escape(end.message)}")
        self._console.print(f"    {escape(end.recommendation)}")
        self._spent(end.usage, end.duration_seconds)

    def _spent(self, usage: pb.Usage, seconds: float) -> None:
        tokens = f"{usage.total_tokens} tokens" if usage.HasField("total_tokens") else "tokens unknown"
        self._console.print(f"[dim]{tokens}, {seconds:.1f} s[/]")
