"""What servers send beside an answer, for each wire in its own words: events that say nothing, and failures.

By wire and row; a wire that has no such thing lacks the row.
"""

import json
from collections.abc import Mapping
from typing import Any

from tests.vendors.openai import delta, event


def _data(body: Any) -> bytes:
    return event(json.dumps(body))


def _choice(**fields: Any) -> bytes:
    return _data({"object": "chat.completion.chunk", "choices": [{"index": 0, **fields}]})


SIGNS: Mapping[str, bytes] = {
    "keep-alive": b": keep-alive\n\n",
    "empty data": b"data: \n\n",
    "another event": b"event: news\nid: 7\nretry: 100\n\n",
}

CHAT: Mapping[str, bytes] = {
    **SIGNS,
    "no choices": _data({"object": "chat.completion.chunk", "choices": []}),
    "no list of choices": _data({"object": "chat.completion.chunk", "choices": None}),
    "no delta": _choice(finish_reason=None),
    "null delta": _choice(delta=None),
    "empty delta": _choice(delta={}),
    "empty text": event(delta(content="")),
    "null text": _choice(delta={"role": "assistant", "content": None, "tool_calls": None}),
    "null arguments": _choice(delta={"tool_calls": [{"index": 0, "function": {"name": None, "arguments": None}}]}),
    "thoughts": _choice(delta={"reasoning_content": "hm", "reasoning": "hm"}),
    "another choice": _data({"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "length"}]}),
    "unknown fields": _data({"choices": [], "obfuscation": "x", "service_tier": None, "error": None, "usage": None}),
    "no object": _data([1, 2]),
    "usage only": _data({"choices": [], "usage": {"prompt_tokens": 10}}),
}

MESSAGES: Mapping[str, bytes] = {
    **SIGNS,
    "ping": _data({"type": "ping"}),
    "no delta": _data({"type": "content_block_delta", "index": 0}),
    "null delta": _data({"type": "content_block_delta", "index": 0, "delta": None}),
    "empty delta": _data({"type": "content_block_delta", "index": 0, "delta": {}}),
    "empty text": _data({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ""}}),
    "null text": _data({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": None}}),
    "null arguments": _data(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": None}}
    ),
    "thoughts": _data(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "x"}}
    ),
    "unknown fields": _data({"type": "content_block_noted", "index": 0, "note": {"text": "no"}, "error": None}),
    "no object": _data([1, 2]),
    "usage only": _data({"type": "message_delta", "delta": {}, "usage": {"input_tokens": 10}}),
}

RESPONSES: Mapping[str, bytes] = {
    **SIGNS,
    "ping": _data({"type": "keepalive", "sequence_number": 3}),
    "null delta": _data({"type": "response.output_text.delta", "output_index": 0, "delta": None}),
    "no delta": _data({"type": "response.output_text.delta", "output_index": 0}),
    "null text": _data({"type": "response.output_item.added", "output_index": 0, "item": None}),
    "empty text": _data({"type": "response.output_text.delta", "output_index": 0, "delta": ""}),
    "empty delta": _data({"type": "response.output_text.delta", "output_index": 0, "delta": {}}),
    "null arguments": _data({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": None}),
    "thoughts": _data({"type": "response.reasoning_text.delta", "output_index": 0, "delta": "hm"}),
    "unknown fields": _data({"type": "response.rated", "delta": "no", "response": {"error": None}, "error": None}),
    "no object": _data([1, 2]),
    "the text again": _data({"type": "response.output_text.done", "output_index": 0, "text": "the whole of it"}),
}


def _line(**fields: Any) -> bytes:
    return json.dumps({"model": "a-model", "done": False, **fields}).encode() + b"\n"


OLLAMA: Mapping[str, bytes] = {
    "keep-alive": b"\n",
    "no delta": _line(),
    "null delta": _line(message=None),
    "empty delta": _line(message={}),
    "empty text": _line(message={"role": "assistant", "content": ""}),
    "null text": _line(message={"role": "assistant", "content": None, "tool_calls": None}),
    "thoughts": _line(message={"role": "assistant", "content": "", "thinking": "hm"}),
    "unknown fields": _line(message={"note": "no"}, logprobs=[], error=None, done_reason=None),
    "no object": b"[1, 2]\n",
    "usage only": _line(prompt_eval_count=9),
}

SAYING_NOTHING: Mapping[str, Mapping[str, bytes]] = {
    "anthropic": MESSAGES,
    "azure_openai": CHAT,
    "google": CHAT,
    "groq": CHAT,
    "ollama": OLLAMA,
    "openai": CHAT,
    "openai_compatible": CHAT,
    "openai_responses": RESPONSES,
    "watsonx": CHAT,
}

CHAT_WIRES = tuple(sorted(wire for wire, rows in SAYING_NOTHING.items() if rows is CHAT))

_ERRORS: Mapping[str, Any] = {
    "a code that is a number": {"error": {"message": "Overloaded", "code": 503}},
    "a text": {"error": "Overloaded"},
    "no code": {"error": {"message": "Overloaded"}},
}
FAILURES = tuple(_ERRORS)
"""Rows of errors inside a stream."""


def failure(wire: str, row: str) -> bytes:
    return json.dumps(_ERRORS[row]).encode() + b"\n" if wire == "ollama" else _data(_ERRORS[row])
