"""Models at IBM WatsonX, over its chat stream."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Hear,
    Message,
    ModelError,
    Remedy,
    Reply,
    Spent,
    Strength,
    Trouble,
    nobody,
    uncounted,
)
from flowassist.models.providers import chats, shapes
from flowassist.models.providers.chunks import Chunks
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.streams import stream
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.watsonx.service import Service, Unasked, unusable
from flowassist.models.providers.wire import Wire
from flowassist.secret import Hides

if TYPE_CHECKING:
    import httpx2

BASE_URL = "https://us-south.ml.cloud.ibm.com"
POSSIBLE = frozenset({Remedy.NO_TEMPERATURE, Remedy.OLD_LIMIT, Remedy.NEW_LIMIT, Remedy.NO_SCHEMA})
UNFINISHED: Mapping[str, Trouble] = {
    "time_limit": Trouble.TIMEOUT,
    "cancelled": Trouble.BROKEN_OFF,
    "error": Trouble.OVERLOADED,
}
"""Reasons to stop that leave the answer a fragment."""

CHATTING, MAX_PAGES = "function_text_chat,!lifecycle_withdrawn:and", 10
GOING = frozenset({"deprecated", "constricted", "withdrawn"})
NO_FUNCTION = "model_no_support_for_function"


def endpoint(access: Access, patience: Patience) -> Endpoint[Service]:
    """One endpoint for all models of one project or space.

    `more` holds WATSONX_PROJECT_ID or WATSONX_SPACE_ID, and WATSONX_AUTH_URL where WATSONX_URL is no region of IBM
    Cloud.
    """
    return Endpoint(access, _service, patience)


def _service(place: Endpoint[Service]) -> Service:
    try:
        return Service(place)
    except ImportError:
        raise unusable("IBM's package is not installed: flowassist[watsonx] brings it") from None


class WatsonxModel:
    """A Model over the service's text chat."""

    provider = "watsonx"
    strength = Strength.STRONG

    def __init__(self, place: Endpoint[Service], name: str) -> None:
        self.name, self._place = name, place
        self.lessons = place.lessons(name, POSSIBLE)

    async def ready(self) -> None:
        await self._place.client()

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask; see `Model.reply`."""
        service, place = await self._place.client(), self._place
        answer = Answer(hear, spent)
        opening = _opened(service, self._request(call, remedies))
        try:
            return await stream.read(opening, answer, Events(answer, service.hidden), place.patience, service.hidden)
        except Unasked as unasked:
            raise _explained(unasked.error, call) from None

    def _request(self, call: Call, remedies: frozenset[Remedy]) -> dict[str, Any]:
        if Remedy.NO_SCHEMA in remedies:
            call = shapes.in_words(call)
        limit = Remedy.OLD_LIMIT if Remedy.OLD_LIMIT in remedies else Remedy.NEW_LIMIT
        request: dict[str, Any] = {
            "model_id": self.name,
            "messages": [*chats.system(call.system), *map(_message, call.messages)],
            limit.value: call.max_tokens,
        }
        if call.temperature is not None and Remedy.NO_TEMPERATURE not in remedies:
            request["temperature"] = call.temperature
        if call.tools:
            request |= {"tools": [chats.tool(tool) for tool in call.tools], "tool_choice_option": "auto"}
        if call.schema:
            named = {"name": call.schema.name, "schema": call.schema.shape, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": named}
        return request


def _message(said: Message) -> dict[str, Any]:
    return {name: value for name, value in chats.message(said).items() if value is not None}


def _explained(error: ModelError, call: Call) -> ModelError:
    """The service has one code for a model that cannot chat and for one that cannot call tools."""
    if error.code == NO_FUNCTION:
        is_about_tools = bool(call.tools) and "'function_text_chat'" not in str(error)
        error.trouble = Trouble.NO_TOOLS if is_about_tools else Trouble.NOT_AVAILABLE
    return error


@asynccontextmanager
async def _opened(service: Service, request: Mapping[str, Any]) -> AsyncIterator["Body"]:
    async with service.chat(request) as response:
        yield Body(response)


class Body:
    """A response under the names that the vendors' SDKs give it."""

    def __init__(self, response: "httpx2.Response") -> None:
        self.iter_bytes = response.aiter_bytes


class Events:
    """Reads the service's chunks, which are OpenAI's but for errors and some reasons to stop, into an answer."""

    def __init__(self, answer: Answer, key: Hides) -> None:
        self._answer = answer
        self._chunks = Chunks(answer, key, _chunk)

    def __call__(self, event: stream.Event) -> None:
        if (reason := _reason(event)) in UNFINISHED:
            self._chunks({"usage": event.get("usage")})
            raise ModelError(UNFINISHED[reason], f"the service stopped the answer: {reason}", status=200)
        self._chunks(event)
        is_counted = isinstance(event.get("usage"), dict)
        self._answer.ended = self._answer.ended or (is_counted and self._answer.finish is not None)


def _chunk(event: stream.Event) -> stream.Event:
    return {"error": event} if event.get("errors") else event


def _reason(event: stream.Event) -> str:
    choices = event.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _text(first, "finish_reason")


async def listed(place: Endpoint[Service]) -> tuple[Listing, ...]:
    """The models that can chat and whose end has not begun, in the service's order. Raises ModelError."""
    service = await place.client()
    today = datetime.now(UTC).date().isoformat()
    try:
        specs = [spec async for spec in _specs(service)]
    except Unasked as unasked:
        raise unasked.error from None
    names = {_text(spec, "model_id"): _text(spec, "label") for spec in specs if _chats(spec) and not _goes(spec, today)}
    return tuple(Listing(name, label or name) for name, label in names.items() if name)


async def _specs(service: Service) -> AsyncIterator[Mapping[str, Any]]:
    query = {"filters": CHATTING, "limit": "200"}
    for _ in range(MAX_PAGES):
        page = await service.specs(query)
        for spec in _maps(page, "resources"):
            yield spec
        following = page.get("next")
        start = parse_qs(urlsplit(_text(following, "href")).query).get("start")
        if not start:
            return
        query["start"] = start[0]


def _chats(spec: Mapping[str, Any]) -> bool:
    return any(function.get("id") == "text_chat" for function in _maps(spec, "functions"))


def _goes(spec: Mapping[str, Any], today: str) -> bool:
    """Whether its end has begun; the service tells that months ahead."""
    begun = (stage for stage in _maps(spec, "lifecycle") if _text(stage, "start_date") <= today)
    return any(stage.get("id") in GOING for stage in begun)


def _maps(holder: object, name: str) -> list[Mapping[str, Any]]:
    parts = holder.get(name) if isinstance(holder, Mapping) else None
    return [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []


def _text(holder: object, name: str) -> str:
    value = holder.get(name) if isinstance(holder, Mapping) else None
    return value if isinstance(value, str) else ""


WIRE = Wire(endpoint, WatsonxModel, BASE_URL, listed)
