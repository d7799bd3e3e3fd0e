"""How a component is written: strong models write the whole class, weak ones a typed spec and one function."""

from flowassist.assistant import guard, prompts
from flowassist.assistant.answer import told
from flowassist.assistant.intended import Intended
from flowassist.assistant.repair import NO_CODE, Failed, Manner, Plan
from flowassist.assistant.spec_writer import Before, write_spec
from flowassist.components.check import explain
from flowassist.errors import Reason, Stop
from flowassist.models.model import Call, Finish, Message, Reply
from flowassist.store.store import Exchange
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb

_ROOM = 8192
_MORE_ROOM = 16384


async def write(turn: Turn, intended: Intended, past: tuple[Exchange, ...], plan: Plan) -> str:
    """What the model wrote, whole. Raises Stop if it does not fit the model's output limit, or the model refuses."""
    if plan.manner is Manner.SPEC:
        return await _write_spec(turn, intended, past, plan)
    return await _write_code(turn, intended, past, plan)


async def _write_code(turn: Turn, intended: Intended, past: tuple[Exchange, ...], plan: Plan) -> str:
    request = prompts.bilingual(turn.asked.text, intended.request)
    messages = prompts.conversation(past, turn.model.strength)
    if plan.over:
        wrong = _wrong(plan.over) + prompts.failed_before(plan.lessons)
        messages += Message("user", request), Message("assistant", plan.over.text), Message("user", wrong)
    else:
        messages += (Message("user", request + prompts.failed_before(plan.lessons)),)
    reply = await turn.ask("main", _call(turn, messages, _ROOM))
    if reply.finish is Finish.LENGTH:
        reply = await _again(turn, messages)
    return told(reply).text


def _wrong(failed: Failed) -> str:
    said = explain(failed.verdict)
    return f"{NO_CODE} Write the whole module again. What was wrong before:\n\n{said}" if failed.is_codeless else said


async def _again(turn: Turn, messages: tuple[Message, ...]) -> Reply:
    turn.note(pb.NOTICE_KIND_ANSWER_CONTINUED, "The answer reached the model's output limit and was asked for again.")
    reply = await turn.ask("main", _call(turn, (*messages, Message("user", prompts.SHORTER)), _MORE_ROOM))
    if reply.finish is Finish.LENGTH:
        raise Stop(Reason.ANSWER_CUT)
    return reply


def _call(turn: Turn, messages: tuple[Message, ...], room: int) -> Call:
    system = prompts.COMPONENT + guard.signal(turn.asked.text)
    return Call(system=system, messages=messages, max_tokens=room, slot="component")


async def _write_spec(turn: Turn, intended: Intended, past: tuple[Exchange, ...], plan: Plan) -> str:
    written = await write_spec(turn.ask, intended.request, _earlier(past, plan), plan.lessons)
    if written.finish is Finish.LENGTH:
        raise Stop(Reason.ANSWER_CUT)
    return written.text


def _earlier(past: tuple[Exchange, ...], plan: Plan) -> Before | None:
    """The component to start from: the failed one, or, before anything failed, the session's last one."""
    if plan.over:
        return Before(plan.over.verdict.code, plan.over.verdict.error)
    code = next((exchange.component_code for exchange in reversed(past) if exchange.component_code), "")
    return Before(code, "") if code and not plan.lessons else None
