"""What the user wants: one stateless call, or none where the message leaves no doubt."""

import asyncio
import re

from flowassist.assistant import guard, prompts
from flowassist.assistant.features import features_intent
from flowassist.assistant.intended import Intended, Kind
from flowassist.assistant.reading import read_intent
from flowassist.assistant.sure import sure
from flowassist.models.model import Ask, Call, Message, ModelError, Schema, Strength, Trouble
from flowassist.turns.asked import Asked, Sentence

PHASE = "intent"
_ROOM = 2000
_PATIENCE = {Strength.STRONG: 1, Strength.WEAK: 4}
_OF_THE_ACCOUNT = {Trouble.AUTHENTICATION, Trouble.QUOTA}
_SHAPE = {
    "type": "object",
    "properties": {
        "translation": {"type": "string"},
        "intent": {"type": "string", "enum": [kind.value for kind in Kind]},
        "requested_model": {"type": "string"},
    },
    "required": ["translation", "intent", "requested_model"],
    "additionalProperties": False,
}
_SENTENCES = {
    Sentence.PLAN_APPROVED: "plan-approval continuation signal",
    Sentence.EDITS_APPLIED: "edit-approval continuation signal",
}
_RUN = re.compile(
    r"\b(?:run|execute|test|rod[ae]r?|execut[ae]r?|test[ae]r?)\b[^.]{0,40}\b(?:flow|fluxo)\b", re.IGNORECASE
)
_HOW = re.compile(r"^\W*(?:how|what|why|when|where|can i|como|o que|por ?que|quando|onde)\b|\?\s*$", re.IGNORECASE)


async def classify(text: str, ask: Ask, strength: Strength, context: str, seconds: float) -> Intended:
    """The intent of what is not certain.

    Without an answer in `seconds`, or when the call fails, a message is a question, and the result says that it is
    degraded; weak models run on this machine and get longer. Raises ModelError only for what every call with this key
    would meet.
    """
    try:
        async with asyncio.timeout(seconds * _PATIENCE[strength]):
            intended = await _asked_model(text, ask, strength, context)
    except (ModelError, TimeoutError) as error:
        if isinstance(error, ModelError) and error.trouble in _OF_THE_ACCOUNT:
            raise
        intended = Intended(Kind.QUESTION, text, degraded=True)
    return rescued(intended)


def certain(asked: Asked) -> Intended | None:
    """What needs no model: the protocol's sentences, and messages that can be read in one way only."""
    if asked.sentence:
        return Intended(Kind.BUILD_FLOW, asked.text, rule=_SENTENCES[asked.sentence])
    rule = sure(asked.text)
    return Intended(rule.kind, asked.text, rule=rule.name) if rule else None


async def _asked_model(text: str, ask: Ask, strength: Strength, context: str) -> Intended:
    if strength is Strength.WEAK:
        return await features_intent(ask, text, context)
    reply = await ask(PHASE, intent_call(text, context))
    return read_intent(reply.text, text)


def intent_call(text: str, context: str) -> Call:
    """The classifying call for a strong model; it carries no session and no memory but the framed context."""
    return Call(
        system=prompts.INTENT + guard.signal(text),
        messages=(Message("user", prompts.quoted(text, context)),),
        max_tokens=_ROOM,
        schema=Schema("intent", _SHAPE),
        slot=PHASE,
    )


def rescued(intended: Intended) -> Intended:
    """A plain request to run the flow that was taken for a question is a request to run the flow."""
    is_request = _RUN.search(intended.request) and not _HOW.search(intended.request)
    if intended.kind is Kind.QUESTION and is_request:
        return Intended(Kind.RUN_FLOW, intended.request, intended.degraded, intended.requested_model)
    return intended
