"""Models at Groq, over its endpoint that is compatible with OpenAI's."""

from functools import partial

from flowassist.models.providers.openai import OPENAI, Dialect, OpenAIModel, endpoint
from flowassist.models.providers.streams.stream import Event
from flowassist.models.providers.wire import Wire

BASE_URL = "https://api.groq.com/openai/v1"


def _chunk(event: Event) -> Event:
    """Groq tells usage, and why it stopped a stream early, in a field of its own."""
    own = event.get("x_groq")
    if not isinstance(own, dict):
        return event
    return {**event, **{name: own[name] for name in ("usage", "error") if own.get(name) and not event.get(name)}}


GROQ = Dialect("max_completion_tokens", unknown=OPENAI.unknown, chunk=_chunk)
WIRE = Wire(endpoint, partial(OpenAIModel, provider="groq", dialect=GROQ), BASE_URL)
