"""Google's Gemini models, over the endpoint that is compatible with OpenAI's."""

from collections.abc import Mapping
from functools import partial

from flowassist.models.model import ToolCall
from flowassist.models.providers.openai import Dialect, OpenAIModel, endpoint
from flowassist.models.providers.streams.stream import Event
from flowassist.models.providers.wire import Wire

BASE_URL = "https://generativelanguage.googleapis.com/v1beta/openai/"

UNKNOWN = frozenset({"minLength", "maxLength", "pattern", "default", "const", "examples", "uniqueItems", "$schema"})
"""Keywords outside the part of JSON schema that the Gemini API documents."""

UNSIGNED = "skip_thought_signature_validator"
"""What the API takes in place of the signature of a call that no Gemini model made."""


def _signed(call: ToolCall) -> Mapping[str, object]:
    return {"extra_content": {"google": {"thought_signature": call.signature or UNSIGNED}}}


def _chunk(event: Event) -> Event:
    """Gemini signs its tool calls, and from version 3 on refuses a conversation that does not give that back."""
    match event:
        case {"choices": [{"delta": {"tool_calls": [*pieces]}}]}:
            for piece in pieces:
                _lift_signature(piece)
    return event


def _lift_signature(piece: object) -> None:
    match piece:
        case {"extra_content": {"google": {"thought_signature": str(signature)}}} if isinstance(piece, dict):
            piece["signature"] = signature


GOOGLE = Dialect("max_tokens", unknown=UNKNOWN, signed=_signed, chunk=_chunk)
WIRE = Wire(endpoint, partial(OpenAIModel, provider="google", dialect=GOOGLE), BASE_URL)
