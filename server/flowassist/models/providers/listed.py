"""The models that an endpoint of OpenAI's kind tells of itself."""

import json
import re
from typing import TYPE_CHECKING

from flowassist.models.catalogue import Listing
from flowassist.models.model import ModelError, Trouble
from flowassist.models.providers.connections.endpoint import Endpoint
from flowassist.models.providers.failures import faults

if TYPE_CHECKING:
    from openai import AsyncOpenAI

SECONDS = 10.0
NOT_CHAT = re.compile(r"embed|rerank|moderation|whisper|transcribe|dall-e|gpt-image|\b(?:tts|sora)\b", re.IGNORECASE)


async def chat_models(place: "Endpoint[AsyncOpenAI]") -> tuple[Listing, ...]:
    """GET /models, in the endpoint's order, without those whose name says that they cannot chat. Raises ModelError."""
    client = await place.client()
    import openai  # noqa: PLC0415

    with faults.translated(openai, place.key):
        response = await client.models.with_raw_response.list(timeout=SECONDS)
    return tuple(Listing(name, name) for name in _names(response.text) if not NOT_CHAT.search(name))


def _names(text: str) -> list[str]:
    """Of `{"data": [{"id": …}]}`; some endpoints answer with the bare list."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    entries = body.get("data") if isinstance(body, dict) else body
    if not isinstance(entries, list):
        raise ModelError(Trouble.UNREACHABLE, "no list of models at this address")
    names = (entry.get("id") for entry in entries if isinstance(entry, dict))
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name))
