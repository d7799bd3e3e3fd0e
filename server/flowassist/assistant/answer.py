"""Answers to questions: text that streams as it comes, and nothing is taken out of it."""

from flowassist import events
from flowassist.assistant import guard, prompts
from flowassist.assistant.intended import Intended
from flowassist.errors import Reason, Stop
from flowassist.models.model import Call, Finish, Message, Reply, Strength
from flowassist.store.store import Exchange
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb

_ROOM = {Strength.STRONG: 4096, Strength.WEAK: 700}
_MANNER = {Strength.STRONG: "", Strength.WEAK: prompts.BRIEFLY}
_CONTINUATIONS = 2


async def answer(turn: Turn, intended: Intended, past: tuple[Exchange, ...]) -> pb.Complete:
    """Stream an answer; one that reaches the model's limit is continued, twice at most."""
    turn.say(events.progress(pb.STEP_GENERATING, of=turn.asked.attempts, message="Writing the answer"))
    question = Message("user", prompts.bilingual(turn.asked.text, intended.request))
    text = await _whole(turn, (*prompts.conversation(past, turn.model.strength), question))
    if not text.strip():
        raise Stop(Reason.ANSWER_BROKEN_OFF)
    turn.remember(Exchange(turn.asked.text, text))
    return events.text(pb.INTENT_QUESTION, text)


async def _whole(turn: Turn, messages: tuple[Message, ...]) -> str:
    parts: list[str] = []
    for _ in range(_CONTINUATIONS + 1):
        reply = await turn.ask("main", _call(turn, messages), turn.hear)
        parts.append(told(reply).text)
        if reply.finish is not Finish.LENGTH:
            return "".join(parts)
        turn.note(pb.NOTICE_KIND_ANSWER_CONTINUED, "The answer reached the model's output limit and was continued.")
        messages = (*messages, Message("assistant", reply.text), Message("user", prompts.CONTINUE))
    turn.note(pb.NOTICE_KIND_ANSWER_CUT, "The answer is cut: it did not fit the model's output limit.")
    return "".join(parts)


def _call(turn: Turn, messages: tuple[Message, ...]) -> Call:
    system = prompts.ANSWER + _MANNER[turn.model.strength] + guard.signal(turn.asked.text)
    return Call(system=system, messages=messages, max_tokens=_ROOM[turn.model.strength], slot="answer")


def told(reply: Reply) -> Reply:
    """The reply, unless the model refused. Raises Stop."""
    if reply.finish is Finish.REFUSAL:
        raise Stop(Reason.MODEL_REFUSED)
    return reply
