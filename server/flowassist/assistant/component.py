"""A component turn: write, take out the code, check it, and try again with what was wrong."""

from dataclasses import replace

from flowassist import events
from flowassist.assistant import prompts
from flowassist.assistant.intended import Intended
from flowassist.assistant.writer import Failed, write
from flowassist.components.check import check
from flowassist.components.extract import extract
from flowassist.components.report import Verdict
from flowassist.errors import Reason, Stop
from flowassist.sandbox.supervisor import Sandbox, SandboxUnavailable
from flowassist.store.store import Exchange
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb


async def component(turn: Turn, intended: Intended, past: tuple[Exchange, ...], sandbox: Sandbox) -> pb.Complete:
    """Attempts until one passes or all are used. Raises Stop where code could not be run at all."""
    before: Failed | None = None
    for attempt in range(1, turn.asked.attempts + 1):
        text = await _text(turn, intended, past, before, attempt)
        turn.say(_progress(turn, pb.STEP_EXTRACTING_CODE, attempt, "Taking out the code"))
        code = extract(text)
        if code is None and before is None:
            return _plain(turn, text)
        verdict = await _verdict(turn, code.code, attempt, sandbox) if code else _codeless(before)
        if verdict.ok:
            return _finished(turn, text, verdict, attempt, message="")
        turn.say(events.validation_failed(verdict, attempt, turn.asked.attempts))
        before = Failed(text, verdict)
    assert before is not None  # noqa: S101 - there is always one attempt
    return _finished(turn, before.text, before.verdict, turn.asked.attempts, message=prompts.EXHAUSTED)


async def _text(turn: Turn, intended: Intended, past: tuple[Exchange, ...], before: Failed | None, attempt: int) -> str:
    if before:
        turn.say(_progress(turn, pb.STEP_RETRYING, attempt, "Trying again with what was wrong"))
    turn.say(_progress(turn, pb.STEP_GENERATING_COMPONENT, attempt, "Writing the component"))
    text = await write(turn, intended, past, before)
    turn.say(_progress(turn, pb.STEP_GENERATION_COMPLETE, attempt, "The component is written"))
    return text


async def _verdict(turn: Turn, code: str, attempt: int, sandbox: Sandbox) -> Verdict:
    turn.say(_progress(turn, pb.STEP_VALIDATING, attempt, "Checking the component in the sandbox"))
    try:
        verdict = await check(code, sandbox)
    except SandboxUnavailable as gone:
        raise Stop(Reason.SANDBOX_UNAVAILABLE) from gone
    if verdict.ok:
        turn.say(events.validated(verdict, attempt, turn.asked.attempts))
    return verdict


def _codeless(before: Failed | None) -> Verdict:
    """An attempt at a repair that holds no code failed; the last code stays what there is to show."""
    assert before is not None  # noqa: S101 - else the answer was plain text
    return replace(before.verdict, error="The answer holds no code.")


def _plain(turn: Turn, text: str) -> pb.Complete:
    """The model answered without code: that is an answer, not a failure."""
    if not text.strip():
        raise Stop(Reason.ANSWER_BROKEN_OFF)
    turn.remember(Exchange(turn.asked.text, text))
    return events.text(pb.INTENT_GENERATE_COMPONENT, text)


def _finished(turn: Turn, text: str, verdict: Verdict, attempts: int, message: str) -> pb.Complete:
    outcome = "It passed its checks." if verdict.ok else f"It did not pass its checks: {verdict.error}"
    name = f" {verdict.class_name}" if verdict.class_name else ""
    turn.remember(Exchange(turn.asked.text, f"I wrote the component{name}. {outcome}", verdict.code))
    return events.component(text, verdict, attempts, message)


def _progress(turn: Turn, step: pb.Step, attempt: int, message: str) -> pb.Progress:
    return events.progress(step, attempt, turn.asked.attempts, message)
