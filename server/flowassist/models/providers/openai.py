"""Models that speak OpenAI's chat completions, at OpenAI itself or at any endpoint that is compatible with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flowassist.models.access import Access
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Finish,
    Hear,
    Message,
    Remedy,
    Reply,
    Spent,
    Strength,
    Tool,
    nobody,
    uncounted,
)
from flowassist.models.providers import faults, stream
from flowassist.models.providers.answer import Answer
from flowassist.models.providers.endpoint import Endpoint, Patience
from flowassist.secret import Secret

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BASE_URL = "https://api.openai.com/v1"

FINISHES: Mapping[str, Finish] = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "tool_calls": Finish.TOOL,
    "function_call": Finish.TOOL,
    "content_filter": Finish.REFUSAL,
}
POSSIBLE = frozenset({Remedy.NO_TEMPERATURE, Remedy.OLD_LIMIT, Remedy.NEW_LIMIT, Remedy.NO_SCHEMA, Remedy.NO_USAGE})
REFUSING = dict.fromkeys(FINISHES, Finish.REFUSAL)


def _nothing(_call: Call) -> Mapping[str, object]:
    return {}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How an endpoint wants its request.

    `limit` names the parameter of the output limit. `sampled` are the beginnings of the names of the models that take
    a temperature. `unknown` are keywords of JSON schema that it refuses. `more` adds fields to the body.
    """

    limit: Literal["max_tokens", "max_completion_tokens"]
    sampled: tuple[str, ...] = ("",)
    unknown: frozenset[str] = frozenset()
    more: Callable[[Call], Mapping[str, object]] = _nothing


def _cached(call: Call) -> Mapping[str, object]:
    return {"prompt_cache_key": call.slot} if call.slot else {}


OPENAI = Dialect(
    "max_completion_tokens",
    sampled=("gpt-3.5", "gpt-4", "chatgpt-4o"),
    unknown=frozenset({"minLength", "maxLength"}),
    more=_cached,
)
COMPATIBLE = Dialect("max_tokens")


def endpoint(access: Access, patience: Patience) -> "Endpoint[AsyncOpenAI]":
    """One endpoint for all models behind one address and key."""
    return Endpoint(access, _client, patience)


def _client(place: "Endpoint[AsyncOpenAI]") -> "AsyncOpenAI":
    import openai  # noqa: PLC0415

    timeout = openai.Timeout(None, connect=place.patience.connect)
    http = openai.DefaultAsyncHttpx2Client(trust_env=not place.is_local, timeout=timeout)
    key = place.key.reveal()
    client = openai.AsyncOpenAI(api_key=key, base_url=place.base_url, timeout=timeout, max_retries=0, http_client=http)
    client.chat.completions.with_streaming_response.create  # noqa: B018 - the SDK loads its parts when they are touched
    return client


def unshared_endpoint(access: Access, patience: Patience) -> "Endpoint[AsyncOpenAI]":
    """For a server that may close a connection just as it is used again: every call has its own."""
    return Endpoint(access, _forgetful_client, patience)


def _forgetful_client(place: "Endpoint[AsyncOpenAI]") -> "AsyncOpenAI":
    return _client(place).with_options(default_headers={"Connection": "close"})


class OpenAIModel:
    """A Model over chat completions."""

    def __init__(
        self,
        place: "Endpoint[AsyncOpenAI]",
        name: str,
        *,
        provider: str = "openai",
        strength: Strength = Strength.STRONG,
        dialect: Dialect = OPENAI,
    ) -> None:
        self.provider, self.name, self.strength = provider, name, strength
        self.lessons = place.lessons(name, POSSIBLE)
        self._place, self._dialect = place, dialect

    async def ready(self) -> None:
        await self._place.client()

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask; see `Model.reply`."""
        client = await self._place.client()
        import openai  # noqa: PLC0415

        answer, key = Answer(hear, spent), self._place.key
        opening = client.chat.completions.with_streaming_response.create(**self._request(call))
        with faults.translated(openai, key):
            return await stream.read(opening, answer, Chunks(answer, key), self._place.patience, key)

    def _request(self, call: Call) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [*_system(call.system), *map(_message, call.messages)],
            self._dialect.limit: call.max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if call.temperature is not None and self.name.startswith(self._dialect.sampled):
            request["temperature"] = call.temperature
        if call.tools:
            request["tools"] = [_tool(tool) for tool in call.tools]
        if call.schema:
            shape = without(call.schema.shape, self._dialect.unknown)
            named = {"name": call.schema.name, "schema": shape, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": named}
        if more := self._dialect.more(call):
            request["extra_body"] = dict(more)
        return request


class Chunks:
    """Reads chat completion chunks into an answer. A field that is missing, null or of another type says nothing."""

    def __init__(self, answer: Answer, key: Secret) -> None:
        self._answer, self._key = answer, key
        self._refusing = False

    def __call__(self, chunk: Mapping[str, object]) -> None:
        if chunk.get("error"):
            raise faults.fault_in(chunk, 200, str(chunk["error"])).error(self._key)
        choices = chunk.get("choices")
        if isinstance(choices, list):
            for choice in choices:
                if isinstance(choice, dict) and not choice.get("index"):
                    self._choice(choice)
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            self._usage(usage)

    def _choice(self, choice: Mapping[str, object]) -> None:
        delta = choice.get("delta")
        if isinstance(delta, dict):
            self._delta(delta)
        if reason := choice.get("finish_reason"):
            self._answer.finished(REFUSING if self._refusing else FINISHES, reason)

    def _delta(self, delta: Mapping[str, object]) -> None:
        if isinstance(text := delta.get("content"), str) and text:
            self._answer.say(text)
        if isinstance(text := delta.get("refusal"), str) and text:
            self._refusing = True
            self._answer.say(text)
        if isinstance(calls := delta.get("tool_calls"), list):
            for position, piece in enumerate(calls):
                if isinstance(piece, dict):
                    self._tool(position, piece)

    def _tool(self, position: int, piece: Mapping[str, object]) -> None:
        index, function = piece.get("index"), piece.get("function")
        call = self._answer.tool(index if isinstance(index, int) else position)
        if isinstance(name := piece.get("id"), str):
            call.id = call.id or name
        if isinstance(function, dict):
            if isinstance(name := function.get("name"), str):
                call.name = call.name or name
            if isinstance(text := function.get("arguments"), str):
                call.arguments.append(text)

    def _usage(self, usage: Mapping[str, object]) -> None:
        reported = usage.get("prompt_tokens"), usage.get("completion_tokens"), usage.get("total_tokens")
        self._answer.count(**dict(zip(("input", "output", "total"), reported, strict=True)))
        if reported[2] is None:
            self._answer.sum()


def _system(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": text}] if text else []


def _message(message: Message) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role == "tool":
        return {**plain, "tool_call_id": message.tool_call_id}
    if not message.tool_calls:
        return plain
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.tool_calls
    ]
    return {**plain, "content": message.text or None, "tool_calls": calls}


def _tool(tool: Tool) -> dict[str, Any]:
    about = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": about}


def without(shape: Any, keywords: frozenset[str]) -> Any:
    """A JSON schema without `keywords`; properties that bear such a name stay."""
    if isinstance(shape, list):
        return [without(part, keywords) for part in shape]
    if not isinstance(shape, Mapping):
        return shape
    return {key: _part(key, part, keywords) for key, part in shape.items() if key not in keywords}


def _part(key: str, part: Any, keywords: frozenset[str]) -> Any:
    if key in {"properties", "$defs"}:
        return {name: without(inner, keywords) for name, inner in part.items()}
    return without(part, keywords)
