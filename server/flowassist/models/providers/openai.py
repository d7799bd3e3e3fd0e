"""Models that speak OpenAI's chat completions, at OpenAI itself or at any endpoint that is compatible with it."""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Hear,
    Remedy,
    Reply,
    Spent,
    Strength,
    ToolCall,
    nobody,
    uncounted,
)
from flowassist.models.providers import chats, chunks, responses, shapes
from flowassist.models.providers.connections import trust
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.failures import faults
from flowassist.models.providers.listed import chat_models
from flowassist.models.providers.streams import stream
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.wire import Wire

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BASE_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What is sent where there is no key: the SDK sends no request without one, or takes one from the environment."""

CHAT = frozenset({Remedy.NO_TEMPERATURE, Remedy.OLD_LIMIT, Remedy.NEW_LIMIT, Remedy.NO_SCHEMA, Remedy.NO_USAGE})
NEVER = re.compile(r"(?!)")


def _nothing(_part: object) -> Mapping[str, object]:
    return {}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How an endpoint wants its request.

    `limit` names the parameter of the output limit. `sampled` are the beginnings of the names of the models that take
    a temperature. `unknown` are keywords of JSON schema that it refuses. `more` adds fields to the body, `signed` to
    each tool call that goes back. `chunk` reads one event into the form of OpenAI's. `possible` are the remedies that
    it can follow; `responding` matches the names of the models that have only the Responses API.
    """

    limit: Literal["max_tokens", "max_completion_tokens"]
    sampled: tuple[str, ...] = ("",)
    unknown: frozenset[str] = frozenset()
    more: Callable[[Call], Mapping[str, object]] = _nothing
    signed: Callable[[ToolCall], Mapping[str, object]] = _nothing
    chunk: Callable[[stream.Event], stream.Event] = lambda event: event
    possible: frozenset[Remedy] = CHAT
    responding: re.Pattern[str] = NEVER


def _cached(call: Call) -> Mapping[str, object]:
    return {"prompt_cache_key": call.slot} if call.slot else {}


OPENAI = Dialect(
    "max_completion_tokens",
    sampled=("gpt-3.5", "gpt-4", "chatgpt-4o"),
    unknown=frozenset({"minLength", "maxLength"}),
    more=_cached,
    possible=CHAT | {Remedy.RESPONSES},
    responding=responses.ONLY,
)
COMPATIBLE = Dialect("max_tokens")
GATEWAY = replace(COMPATIBLE, unknown=OPENAI.unknown, possible=OPENAI.possible)
"""What stands before OpenAI, or is taken for it: it must be asked carefully, and may know the Responses API."""


def endpoint(access: Access, patience: Patience) -> "Endpoint[AsyncOpenAI]":
    """One endpoint for all models behind one address and key."""
    return Endpoint(access, client_of, patience)


def client_of(place: "Endpoint[AsyncOpenAI]") -> "AsyncOpenAI":
    import openai  # noqa: PLC0415

    client = openai.AsyncOpenAI(api_key=place.key.reveal() or NO_KEY, base_url=place.base_url, **plainly(place))
    return ready(client, place)


def plainly(place: Endpoint[Any]) -> dict[str, Any]:
    """What every client of the SDK is given: no retries and no time limit but ours, no proxy on this machine."""
    import openai  # noqa: PLC0415

    timeout = openai.Timeout(None, connect=place.patience.connect)
    http = openai.DefaultAsyncHttpx2Client(timeout=timeout, **trust.carefully(place))
    return {"timeout": timeout, "max_retries": 0, "http_client": http}


def ready(client: "AsyncOpenAI", place: Endpoint[Any]) -> "AsyncOpenAI":
    """The SDK loads its parts when they are touched, and takes an organization from this process's environment.

    What is left for later are the responses, which take as long as all the others.
    """
    trust.unadorned(client)
    client.organization = place.access.more.get("OPENAI_ORG_ID")
    client.project = place.access.more.get("OPENAI_PROJECT_ID")
    client.chat.completions.with_streaming_response.create  # noqa: B018
    client.models.with_raw_response.list  # noqa: B018
    return client


def unshared_endpoint(access: Access, patience: Patience) -> "Endpoint[AsyncOpenAI]":
    """For a server that may close a connection just as it is used again: every call has its own."""
    return Endpoint(access, _forgetful_client, patience)


def _forgetful_client(place: "Endpoint[AsyncOpenAI]") -> "AsyncOpenAI":
    return client_of(place).with_options(default_headers={"Connection": "close"})


def is_own(place: Endpoint[Any]) -> bool:
    """Whether it is OpenAI's own address, or that of one of its regions."""
    return f".{urlsplit(place.base_url).hostname}".endswith(f".{urlsplit(BASE_URL).hostname}")


class OpenAIModel:
    """A Model over chat completions, or over the Responses API where that is the way to ask it."""

    def __init__(
        self,
        place: "Endpoint[AsyncOpenAI]",
        name: str,
        *,
        provider: str = "openai",
        strength: Strength = Strength.STRONG,
        dialect: Dialect | None = None,
    ) -> None:
        """Without a `dialect`, the address tells."""
        self.provider, self.name, self.strength = provider, name, strength
        self.speaks = dialect or (OPENAI if is_own(place) else GATEWAY)
        self.lessons = place.lessons(name, self.speaks.possible)
        self._place = place

    async def ready(self) -> None:
        await self._place.client()

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask; see `Model.reply`."""
        client = await self._place.client()
        import openai  # noqa: PLC0415

        answer, key = Answer(hear, spent), self._place.key
        opening, take = await self._asked(client, answer, call, remedies)
        with faults.translated(openai, key):
            return await stream.read(opening, answer, take, self._place.patience, key)

    async def _asked(
        self, client: "AsyncOpenAI", answer: Answer, call: Call, remedies: frozenset[Remedy]
    ) -> tuple[AbstractAsyncContextManager[stream.Body], stream.Take]:
        """The request on its way, and what reads its stream into `answer`."""
        call, key = self._adapted(call, remedies), self._place.key
        if Remedy.RESPONSES in remedies or self.speaks.responding.search(self.name):
            create = await asyncio.to_thread(responses.loaded, client)
            return create(**self._response(call)), responses.Events(answer, key)
        opening = client.chat.completions.with_streaming_response.create(**self._chat(call, remedies))
        return opening, chunks.Chunks(answer, key, self.speaks.chunk)

    def _adapted(self, call: Call, remedies: frozenset[Remedy]) -> Call:
        """`call` as far as this model takes it."""
        takes_temperature = self.name.startswith(self.speaks.sampled) and Remedy.NO_TEMPERATURE not in remedies
        call = call if takes_temperature else replace(call, temperature=None)
        return shapes.in_words(call) if Remedy.NO_SCHEMA in remedies else call

    def _response(self, call: Call) -> dict[str, Any]:
        return self._with_more(call, responses.request(self.name, call, self.speaks.unknown))

    def _chat(self, call: Call, remedies: frozenset[Remedy]) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [
                *chats.system(call.system),
                *(chats.message(said, self.speaks.signed) for said in call.messages),
            ],
            _limit(self.speaks, remedies): call.max_tokens,
            "stream": True,
        }
        if Remedy.NO_USAGE not in remedies:
            request["stream_options"] = {"include_usage": True}
        if call.temperature is not None:
            request["temperature"] = call.temperature
        if call.tools:
            request["tools"] = [chats.tool(tool, self.speaks.unknown) for tool in call.tools]
        if call.schema:
            shape = shapes.without(call.schema.shape, self.speaks.unknown)
            named = {"name": call.schema.name, "schema": shape, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": named}
        return self._with_more(call, request)

    def _with_more(self, call: Call, request: dict[str, Any]) -> dict[str, Any]:
        more = self.speaks.more(call)
        return {**request, "extra_body": dict(more)} if more else request


def _limit(dialect: Dialect, remedies: frozenset[Remedy]) -> str:
    wished = {Remedy.NEW_LIMIT, Remedy.OLD_LIMIT} & remedies
    return wished.pop().value if wished else dialect.limit


async def listed(place: "Endpoint[AsyncOpenAI]") -> tuple[Listing, ...]:
    """The models of a gateway; those of OpenAI itself are curated, since its list does not tell which can chat."""
    return await chat_models(place) if asks(place) else ()


def asks(place: "Endpoint[AsyncOpenAI]") -> bool:
    return not is_own(place)


WIRE = Wire(endpoint, OpenAIModel, BASE_URL, listed, asks)
