"""How a component is written: strong models write the whole class, weak ones a typed spec and one function."""

from dataclasses import dataclass

from flowassist.assistant import guard, prompts
from flowassist.assistant.answer import told
from flowassist.assistant.intended import Intended
from flowassist.assistant.spec_writer import Before, write_spec
from flowassist.components.check import explain
from flowassist.components.report import Verdict
from flowassist.errors import Reason, Stop
from flowassist.models.model import Call, Finish, Message, Reply, Strength
from flowassist.store.store import Exchange
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb

_ROOM = 8192
_MORE_ROOM = 16384


@dataclass(frozen=True, slots=True)
class Failed:
    """What the model wrote at the last attempt, and why it did not pass."""

    text: str
    verdict: Verdict


async def write(turn: Turn, intended: Intended, past: tuple[Exchange, ...], before: Failed | None) -> str:
    """What the model wrote, whole. Raises Stop if it does not fit the model's output limit, or the model refuses."""
    if turn.model.strength is Strength.WEAK:
        return await _write_spec(turn, intended, past, before)
    return await _write_code(turn, intended, past, before)


async def _write_code(turn: Turn, intended: Intended, past: tuple[Exchange, ...], before: Failed | None) -> str:
    asked = Message("user", prompts.bilingual(turn.asked.text, intended.request))
    messages = (*prompts.conversation(past, Strength.STRONG), asked)
    if before:
        messages += (Message("assistant", before.text), Message("user", explain(before.verdict)))
    reply = await turn.ask("main", _call(turn, messages, _ROOM))
    if reply.finish is Finish.LENGTH:
        reply = await _again(turn, messages)
    return told(reply).text


async def _again(turn: Turn, messages: tuple[Message, ...]) -> Reply:
    turn.note(pb.NOTICE_KIND_ANSWER_CONTINUED, "The answer reached the model's output limit and was asked for again.")
    reply = await turn.ask("main", _call(turn, (*messages, Message("user", prompts.SHORTER)), _MORE_ROOM))
    if reply.finish is Finish.LENGTH:
        raise Stop(Reason.ANSWER_CUT)
    return reply


def _call(turn: Turn, messages: tuple[Message, ...], room: int) -> Call:
    system = prompts.COMPONENT + guard.signal(turn.asked.text)
    return Call(system=system, messages=messages, max_tokens=room, slot="component")


async def _write_spec(turn: Turn, intended: Intended, past: tuple[Exchange, ...], before: Failed | None) -> str:
    code = next((exchange.component_code for exchange in reversed(past) if exchange.component_code), "")
    if before:
        last: Before | None = Before(before.verdict.code, before.verdict.error)
    else:
        last = Before(code, "") if code else None
    written = await write_spec(turn.ask, intended.request, last)
    if written.finish is Finish.LENGTH:
        raise Stop(Reason.ANSWER_CUT)
    return written.text
