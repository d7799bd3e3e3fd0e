"""A scripted server that speaks Anthropic's messages; its events are built from the SDK's types.

As a program it answers without end: `python -m tests.vendors.anthropic --port 8002 --tokens 200 --delay-ms 20`.
"""

import json
import ssl
from collections.abc import Iterator, Mapping
from typing import Any

from anthropic import types
from anthropic.types.raw_message_delta_event import Delta

from flowassist.models.model import Finish, Usage
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Request, Say, Script, pieces_of
from tests.vendors.server import EVENTS, KEY, Vendor

REASONS: dict[Finish, types.StopReason] = {
    Finish.STOP: "end_turn",
    Finish.LENGTH: "max_tokens",
    Finish.TOOL: "tool_use",
    Finish.REFUSAL: "refusal",
}


def event(made: types.RawMessageStreamEvent, *dropped: str) -> bytes:
    """One server-sent event; `dropped` are fields that the SDK's type demands and a proxy may leave out."""
    body = made.model_dump(mode="json", exclude_unset=True)
    for name in dropped:
        body.pop(name, None)
        body.get("message", {}).pop(name, None)
    return f"event: {made.type}\ndata: {json.dumps(body)}\n\n".encode()


def start(usage: Usage | None) -> bytes:
    counts = types.Usage(input_tokens=(usage and usage.input) or 0, output_tokens=1)
    message = types.Message(
        id="msg_1",
        type="message",
        role="assistant",
        model="claude-opus-4-6",
        content=[],
        stop_reason=None,
        stop_sequence=None,
        usage=counts,
    )
    made = types.RawMessageStartEvent(type="message_start", message=message)
    return event(made, *(() if usage else ("usage",)))


def block(index: int, content: Any) -> bytes:
    made = types.RawContentBlockStartEvent(type="content_block_start", index=index, content_block=content)
    return event(made)


def piece_of(index: int, delta: Any) -> bytes:
    return event(types.RawContentBlockDeltaEvent(type="content_block_delta", index=index, delta=delta))


def stop(index: int) -> bytes:
    return event(types.RawContentBlockStopEvent(type="content_block_stop", index=index))


TEXT_BLOCK = block(0, types.TextBlock(type="text", text="", citations=None))
PING = b'event: ping\ndata: {"type": "ping"}\n\n'
BEFORE, AFTER = piece_of(0, types.TextDelta(type="text_delta", text="PIECE")).decode().split('"PIECE"')


class AnthropicWire:
    name = "anthropic"
    base = ""
    media = EVENTS
    tls: ssl.SSLContext | None = None

    def environment(self, url: str) -> dict[str, str]:
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url}

    def aside(self, request: Request) -> tuple[int, Any] | None:
        return None

    def schema(self, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        shape = body.get("output_config", {}).get("format", {}).get("schema", {})
        return shape.get("title", ""), shape

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        usage = answer.usage if isinstance(answer, Say | CallTool) else Usage(10, 1, 11)
        only_tools = isinstance(answer, CallTool) and not answer.text
        return start(usage) + (b"" if only_tools else TEXT_BLOCK) + PING

    def text(self, piece: str) -> bytes:
        return (BEFORE + json.dumps(piece) + AFTER).encode()

    def tools(self, answer: CallTool) -> Iterator[bytes]:
        if answer.text:
            yield stop(0)
        for index, tool in enumerate(answer.tools, start=1 if answer.text else 0):
            use = types.ToolUseBlock(
                type="tool_use", id=tool.id, name=tool.name, input={}, caller=types.DirectCaller(type="direct")
            )
            yield block(index, use)
            for piece in ["", *pieces_of(tool.arguments, 3)]:
                yield piece_of(index, types.InputJSONDelta(type="input_json_delta", partial_json=piece))
            yield stop(index)

    def closing(self, answer: Say | CallTool) -> bytes:
        reason = REASONS[answer.finish if isinstance(answer, Say) else Finish.TOOL]
        counts = types.MessageDeltaUsage(output_tokens=(answer.usage and answer.usage.output) or 0)
        made = types.RawMessageDeltaEvent(
            type="message_delta", delta=Delta(stop_reason=reason, stop_sequence=None), usage=counts
        )
        last = event(made, *(() if answer.usage else ("usage",)))
        end = event(types.RawMessageStopEvent(type="message_stop"))
        return (stop(0) if isinstance(answer, Say) else b"") + last + end

    def failure(self, code: str, message: str) -> dict[str, Any]:
        error = {"type": code or "invalid_request_error", "message": message}
        return {"type": "error", "error": error, "request_id": "req_1"}

    def failure_event(self, code: str, message: str) -> bytes:
        return f"event: error\ndata: {json.dumps(self.failure(code, message))}\n\n".encode()


def scripted(*answers: Answer) -> Vendor:
    return Vendor(AnthropicWire(), Script(*answers))


if __name__ == "__main__":
    from tests.vendors.endless import main

    main(AnthropicWire())
