"""A component turn: write, take out the code, check it, and try again with what was wrong."""

from dataclasses import replace

from flowassist import events
from flowassist.assistant import prompts
from flowassist.assistant.intended import Intended
from flowassist.assistant.repair import NO_CODE, Failed, Plan, is_stuck, plan, taken_over
from flowassist.assistant.writer import write
from flowassist.components.check import check
from flowassist.components.described import own
from flowassist.components.extract import extract
from flowassist.components.report import Verdict
from flowassist.errors import Reason, Stop
from flowassist.sandbox.boundary import SandboxBusy
from flowassist.sandbox.supervisor import Sandbox, SandboxUnavailable
from flowassist.store.store import Exchange
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb


async def component(turn: Turn, intended: Intended, past: tuple[Exchange, ...], sandbox: Sandbox) -> pb.Complete:
    """Attempts until one passes or all are used. Raises Stop where code could not be run at all."""
    failed: tuple[Failed, ...] = ()
    for attempt in range(1, turn.asked.attempts + 1):
        planned = _planned(turn, failed)
        text = await _text(turn, intended, past, planned, attempt)
        turn.say(_progress(turn, pb.STEP_EXTRACTING_CODE, attempt, "Taking out the code"))
        code = extract(text)
        if code is None and not failed:
            return _plain(turn, text)
        verdict = await _verdict(turn, code.code, attempt, sandbox) if code else _codeless(failed[-1])
        if verdict.ok:
            return _finished(turn, text, verdict, attempt, message="")
        turn.say(events.validation_failed(verdict, attempt, turn.asked.attempts))
        failed = (*failed, Failed(text, verdict, planned.manner, turn.model.name))
    return _finished(turn, failed[-1].text, failed[-1].verdict, turn.asked.attempts, message=prompts.EXHAUSTED)


def _planned(turn: Turn, failed: tuple[Failed, ...]) -> Plan:
    """The next attempt; what a model cannot put right is tried in another way, and that is told."""
    if is_stuck(failed):
        if turn.hand_over():
            return taken_over(failed, turn.model.strength)
        turn.note(pb.NOTICE_KIND_STRATEGY_CHANGED, "The same fault came twice, so the component was written otherwise.")
    return plan(failed, turn.model.strength)


async def _text(turn: Turn, intended: Intended, past: tuple[Exchange, ...], planned: Plan, attempt: int) -> str:
    if attempt > 1:
        turn.say(_progress(turn, pb.STEP_RETRYING, attempt, "Trying again with what was wrong"))
    turn.say(_progress(turn, pb.STEP_GENERATING_COMPONENT, attempt, "Writing the component"))
    text = await write(turn, intended, past, planned)
    turn.say(_progress(turn, pb.STEP_GENERATION_COMPLETE, attempt, "The component is written"))
    return text


async def _verdict(turn: Turn, code: str, attempt: int, sandbox: Sandbox) -> Verdict:
    turn.say(_progress(turn, pb.STEP_VALIDATING, attempt, "Checking the component in the sandbox"))
    try:
        verdict = await check(code, sandbox, owner=turn.owner)
    except SandboxBusy as busy:
        raise Stop(Reason.SANDBOX_BUSY, limit=str(busy.limit)) from busy
    except SandboxUnavailable as gone:
        raise Stop(Reason.SANDBOX_UNAVAILABLE) from gone
    if verdict.ok:
        turn.say(events.validated(verdict, attempt, turn.asked.attempts))
    return verdict


def _codeless(before: Failed) -> Verdict:
    """An attempt at a repair that holds no code failed; the last code stays what there is to show."""
    return replace(before.verdict, error=NO_CODE)


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
    if verdict.ok:
        turn.register(own(verdict))
    return events.component(text, verdict, attempts, message)


def _progress(turn: Turn, step: pb.Step, attempt: int, message: str) -> pb.Progress:
    return events.progress(step, attempt, turn.asked.attempts, message)
