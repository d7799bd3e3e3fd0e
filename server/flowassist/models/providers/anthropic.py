"""Models that speak Anthropic's messages API (version 2026-10-21, which the SDK sends).

That version refuses temperature for every model, so a call's temperature is not sent.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from flowassist.models.access import Access
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Finish,
    Hear,
    Message,
    Remedy,
    Reply,
    Schema,
    Spent,
    Strength,
    Tool,
    nobody,
    uncounted,
)
from flowassist.models.providers import shapes
from flowassist.models.providers.connections import trust
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.failures import faults
from flowassist.models.providers.streams import stream
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.wire import Wire
from flowassist.secret import Hides

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

BASE_URL = "https://api.anthropic.com"

FINISHES: Mapping[str, Finish] = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "tool_use": Finish.TOOL,
    "refusal": Finish.REFUSAL,
}
POSSIBLE = frozenset({Remedy.NO_SCHEMA})
INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def endpoint(access: Access, patience: Patience) -> "Endpoint[AsyncAnthropic]":
    """One endpoint for all models behind one address and key."""
    return Endpoint(access, _client, patience)


def _client(place: "Endpoint[AsyncAnthropic]") -> "AsyncAnthropic":
    import anthropic  # noqa: PLC0415

    timeout = anthropic.Timeout(None, connect=place.patience.connect)
    http = anthropic.DefaultAsyncHttpxClient(timeout=timeout, **trust.carefully(place))
    client = anthropic.AsyncAnthropic(
        api_key=place.key.reveal(), base_url=place.base_url, timeout=timeout, max_retries=0, http_client=http
    )
    client.messages.with_streaming_response.create  # noqa: B018 - the SDK loads its parts when they are touched
    return trust.unadorned(client)


class AnthropicModel:
    """A Model over messages."""

    def __init__(
        self,
        place: "Endpoint[AsyncAnthropic]",
        name: str,
        *,
        provider: str = "anthropic",
        strength: Strength = Strength.STRONG,
    ) -> None:
        self.provider, self.name, self.strength = provider, name, strength
        self.lessons = place.lessons(name, POSSIBLE)
        self._place = place

    async def ready(self) -> None:
        await self._place.client()

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask; see `Model.reply`."""
        client = await self._place.client()
        import anthropic  # noqa: PLC0415

        answer, key = Answer(hear, spent), self._place.key
        asked = shapes.in_words(call) if Remedy.NO_SCHEMA in remedies else call
        opening = client.messages.with_streaming_response.create(**self._request(asked))
        with faults.translated(anthropic, key):
            return await stream.read(opening, answer, Events(answer, key), self._place.patience, key)

    def _request(self, call: Call) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": list(_messages(call.messages)),
            "max_tokens": call.max_tokens,
            "stream": True,
        }
        if call.system:
            request["system"] = [_system(call)]
        if call.tools:
            request["tools"] = [_tool(tool) for tool in call.tools]
        if call.schema:
            request["output_config"] = {"format": {"type": "json_schema", "schema": _shape(call.schema)}}
        return request


class Events:
    """Reads message events into an answer. Thinking, citations, pings and unknown events say nothing."""

    def __init__(self, answer: Answer, key: Hides) -> None:
        self._answer, self._key = answer, key

    def __call__(self, event: Mapping[str, object]) -> None:
        match event:
            case {"type": "content_block_delta", "delta": dict(delta)}:
                self._delta(_index(event), delta)
            case {"type": "content_block_start", "content_block": dict(block)}:
                self._block(_index(event), block)
            case {"type": "message_start", "message": {"usage": dict(usage)}}:
                self._answer.count(input=_input(usage))
            case {"type": "message_delta"}:
                self._message(event)
            case {"type": "message_stop"}:
                self._answer.ended = True
            case {"type": "error"} | {"error": dict() | str()}:
                raise faults.fault_in(event, 200, str(event)).error(self._key)

    def _delta(self, index: int, delta: Mapping[str, object]) -> None:
        match delta:
            case {"type": "text_delta", "text": str(text)}:
                self._answer.say(text)
            case {"type": "input_json_delta", "partial_json": str(text)}:
                self._answer.tool(index).arguments.append(text)

    def _block(self, index: int, block: Mapping[str, object]) -> None:
        match block:
            case {"type": "text", "text": str(text)} if text:
                self._answer.say(text)
            case {"type": "tool_use", "id": str(ident), "name": str(name)}:
                call = self._answer.tool(index)
                call.id, call.name = ident, name
                if block.get("input"):
                    call.arguments.append(json.dumps(block["input"]))

    def _message(self, event: Mapping[str, object]) -> None:
        """Counts here are cumulative; `output_tokens` of message_start is only a first number."""
        usage, delta = event.get("usage"), event.get("delta")
        if isinstance(usage, dict):
            self._answer.count(input=_input(usage), output=usage.get("output_tokens"))
            self._answer.sum()
        if isinstance(delta, dict) and (reason := delta.get("stop_reason")):
            self._answer.finished(FINISHES, reason)


def _index(event: Mapping[str, object]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else 0


def _input(usage: Mapping[str, object]) -> int | None:
    """Tokens read, from the cache or not; None where `input_tokens` is not reported."""
    if not isinstance(usage.get("input_tokens"), int):
        return None
    return sum(count for name in INPUT_COUNTS if isinstance(count := usage.get(name), int))


def _system(call: Call) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": call.system}
    return {**block, "cache_control": {"type": "ephemeral"}} if call.slot else block


def _messages(messages: tuple[Message, ...]) -> Iterator[dict[str, Any]]:
    """All results of one round of tool calls go into one user message; the API refuses empty ones."""
    for is_result, group in groupby(messages, lambda message: message.role == "tool"):
        if is_result:
            yield {"role": "user", "content": [_result(message) for message in group]}
        else:
            yield from (_message(message) for message in group if message.text or message.tool_calls)


def _result(message: Message) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.text}


def _message(message: Message) -> dict[str, Any]:
    if not message.tool_calls:
        return {"role": message.role, "content": message.text}
    text = [{"type": "text", "text": message.text}] if message.text else []
    uses = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _arguments(call.arguments)}
        for call in message.tool_calls
    ]
    return {"role": message.role, "content": [*text, *uses]}


def _arguments(text: str) -> dict[str, Any]:
    """The API takes objects only: what a model wrote wrongly is shown to it as it was."""
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = None
    return arguments if isinstance(arguments, dict) else {"arguments": text}


def _tool(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _shape(schema: Schema) -> dict[str, Any]:
    """The SDK moves the keywords that the API refuses into descriptions. The wire has no place for a schema's name."""
    import anthropic  # noqa: PLC0415

    return anthropic.transform_schema({"title": schema.name, **schema.shape})


WIRE = Wire(endpoint, AnthropicModel, BASE_URL)
