"""Models at Azure OpenAI. A model's name is there the name of its deployment."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from flowassist.models.access import Access
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.openai import NEVER, OPENAI, OpenAIModel, client_of, plainly, ready
from flowassist.models.providers.wire import Wire

if TYPE_CHECKING:
    from openai import AsyncOpenAI

API_VERSION = "2025-04-01-preview"
"""The last dated version; the first with the Responses API was 2025-03-01-preview."""

UNDATED = "/openai/v1"
"""How an address ends that takes no version: OpenAI's own client speaks to it."""

AZURE = replace(OPENAI, responding=NEVER)


def endpoint(access: Access, patience: Patience) -> "Endpoint[AsyncOpenAI]":
    """One endpoint for all deployments of one resource. `more` may hold AZURE_OPENAI_API_VERSION."""
    return Endpoint(access, _client, patience)


def _client(place: "Endpoint[AsyncOpenAI]") -> "AsyncOpenAI":
    address = place.base_url.rstrip("/")
    if address.endswith(UNDATED):
        return client_of(place)
    import openai  # noqa: PLC0415

    client = openai.AsyncAzureOpenAI(
        api_key=place.key.reveal(),
        azure_endpoint=address.removesuffix("/openai"),
        api_version=place.access.more.get("AZURE_OPENAI_API_VERSION") or API_VERSION,
        **plainly(place),
    )
    return ready(client, place)


WIRE = Wire(endpoint, partial(OpenAIModel, provider="azure_openai", dialect=AZURE))
