"""The story of a turn, on one page."""

from dataclasses import dataclass

from flowassist import events
from flowassist.assistant import guard, prompts
from flowassist.assistant.answer import answer
from flowassist.assistant.component import component
from flowassist.assistant.intended import Intended, Kind
from flowassist.assistant.intent import certain, classify
from flowassist.models.model import Strength
from flowassist.sandbox.supervisor import Sandbox
from flowassist.store.store import Exchange
from flowassist.turns.turn import Turn
from flowassist.v1 import events_pb2 as pb

_INTENTS = {
    Kind.GENERATE_COMPONENT: pb.INTENT_GENERATE_COMPONENT,
    Kind.BUILD_FLOW: pb.INTENT_BUILD_FLOW,
    Kind.RUN_FLOW: pb.INTENT_RUN_FLOW,
    Kind.COMPONENT_THEN_FLOW: pb.INTENT_COMPONENT_THEN_FLOW,
    Kind.QUESTION: pb.INTENT_QUESTION,
    Kind.OFF_TOPIC: pb.INTENT_OFF_TOPIC,
}


@dataclass(frozen=True, slots=True)
class Storyteller:
    """`intent_seconds` bounds the classification."""

    sandbox: Sandbox
    intent_seconds: float

    async def tell(self, turn: Turn) -> pb.Complete:
        """Everything that is done to answer one request; returns its end."""
        if guard.is_abusive(turn.asked.text):
            turn.understood(pb.INTENT_OFF_TOPIC)
            return events.text(pb.INTENT_OFF_TOPIC, guard.REFUSAL)
        past = await turn.history()
        intended = certain(turn.asked) or await self._classified(turn, past)
        turn.understood(_INTENTS[intended.kind], intended.rule)
        match intended.kind:
            case Kind.OFF_TOPIC:
                return events.text(pb.INTENT_OFF_TOPIC, prompts.OFF_TOPIC)
            case Kind.QUESTION:
                await _ready(turn)
                return await answer(turn, intended, past)
            case Kind.GENERATE_COMPONENT:
                await _ready(turn)
                return await component(turn, intended, past, self.sandbox)
            case _:
                turn.note(pb.NOTICE_KIND_FLOWS_NOT_SERVED, "Building and running flows comes with a later version.")
                return events.text(_INTENTS[intended.kind], prompts.FLOWS_LATER)

    async def _classified(self, turn: Turn, past: tuple[Exchange, ...]) -> Intended:
        await _ready(turn)
        context = prompts.recent(past)
        intended = await classify(turn.asked.text, turn.ask, turn.model.strength, context, self.intent_seconds)
        if intended.degraded and intended.kind is Kind.QUESTION:
            turn.note(
                pb.NOTICE_KIND_CLASSIFICATION_DEGRADED,
                "What you want could not be classified, so your message was taken as a question.",
            )
        return intended


async def _ready(turn: Turn) -> None:
    """Have the model there, whose strength is certain only then."""
    await turn.ready()
    if turn.model.strength is Strength.WEAK:
        turn.note(pb.NOTICE_KIND_SMALL_MODEL, "A small model answered: check what it says.")
