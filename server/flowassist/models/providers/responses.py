"""OpenAI's Responses API: the same call and the same reply, in other words. Nothing is stored at OpenAI."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, cast

from flowassist.models.model import Call, Finish, Message, Tool
from flowassist.models.providers import shapes
from flowassist.models.providers.failures import faults
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.streams.stream import Body, Event
from flowassist.secret import Hides

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MIN_TOKENS = 16
"""The API refuses a lower limit."""

ONLY = re.compile(r"^(?:o\d|gpt-\d[\d.]*)-pro\b|-codex\b|-deep-research\b|^computer-use\b|^gpt-\d[\d.]*-cyber\b")
"""Kinds of models of which the SDK lists some for this API alone (openai.types.shared.ResponsesModel)."""

INCOMPLETE: Mapping[str, Finish] = {"max_output_tokens": Finish.LENGTH, "content_filter": Finish.REFUSAL}


def loaded(client: "AsyncOpenAI") -> Callable[..., AbstractAsyncContextManager[Body]]:
    """The SDK's way to ask, which blocks the first time: importing it takes as long as all of chat completions."""
    create: Any = client.responses.with_streaming_response.create
    return cast("Callable[..., AbstractAsyncContextManager[Body]]", create)


def request(name: str, call: Call, unknown: frozenset[str]) -> dict[str, Any]:
    """The arguments of `client.responses.create`; `unknown` are keywords of JSON schema that it refuses."""
    made: dict[str, Any] = {
        "model": name,
        "input": [item for message in call.messages for item in _items(message)],
        "max_output_tokens": max(call.max_tokens, MIN_TOKENS),
        "store": False,
        "stream": True,
    }
    if call.system:
        made["instructions"] = call.system
    if call.temperature is not None:
        made["temperature"] = call.temperature
    if call.tools:
        made["tools"] = [_tool(tool, unknown) for tool in call.tools]
    if call.schema:
        shape = shapes.without(call.schema.shape, unknown)
        made["text"] = {"format": {"type": "json_schema", "name": call.schema.name, "schema": shape, "strict": True}}
    return made


def _items(message: Message) -> Iterator[dict[str, Any]]:
    if message.role == "tool":
        yield {"type": "function_call_output", "call_id": message.tool_call_id, "output": message.text}
        return
    if message.text or not message.tool_calls:
        yield {"role": message.role, "content": message.text}
    for call in message.tool_calls:
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}


def _tool(tool: Tool, unknown: frozenset[str]) -> dict[str, Any]:
    """Tools are strict by default here, which would refuse schemas that chat completions take."""
    parameters = shapes.without(tool.parameters, unknown)
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
        "strict": False,
    }


class Events:
    """Reads response events into an answer. Reasoning, annotations, progress and unknown events say nothing."""

    def __init__(self, answer: Answer, key: Hides) -> None:
        self._answer, self._key = answer, key
        self._refusing = False

    def __call__(self, event: Event) -> None:
        match event:
            case {"type": "response.output_text.delta", "delta": str(text)}:
                self._answer.say(text)
            case {"type": "response.refusal.delta", "delta": str(text)}:
                self._refusing = True
                self._answer.say(text)
            case {"type": "response.function_call_arguments.delta", "delta": str(text)}:
                self._answer.tool(_index(event)).arguments.append(text)
            case {"type": "response.output_item.added" | "response.output_item.done", "item": dict(item)}:
                self._item(_index(event), item)
            case {"type": "response.completed" | "response.incomplete" | "response.failed", "response": dict(response)}:
                self._ended(event["type"], response)
            case {"type": "error"} | {"error": dict() | str()}:
                raise faults.fault_in(event, 200, str(event)).error(self._key)

    def _item(self, index: int, item: Event) -> None:
        """The item that is done holds the arguments as a whole."""
        match item:
            case {"type": "function_call", "call_id": str(ident), "name": str(name)}:
                call = self._answer.tool(index)
                call.id, call.name = ident, name
                if isinstance(text := item.get("arguments"), str) and text:
                    call.arguments = [text]

    def _ended(self, kind: object, response: Event) -> None:
        if isinstance(usage := response.get("usage"), dict):
            self._usage(usage)
        if kind == "response.failed":
            raise faults.fault_in(response, 200, str(response.get("error"))).error(self._key)
        self._answer.ended = True
        if kind == "response.completed":
            self._answer.finished({"completed": Finish.REFUSAL if self._refusing else Finish.STOP}, "completed")
            return
        details = response.get("incomplete_details")
        self._answer.finished(INCOMPLETE, details.get("reason") if isinstance(details, dict) else None)

    def _usage(self, usage: Event) -> None:
        reported = usage.get("input_tokens"), usage.get("output_tokens"), usage.get("total_tokens")
        self._answer.count(**dict(zip(("input", "output", "total"), reported, strict=True)))
        if reported[2] is None:
            self._answer.sum()


def _index(event: Event) -> int:
    index = event.get("output_index")
    return index if isinstance(index, int) else 0
