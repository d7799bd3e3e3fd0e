"""A scripted server that speaks OpenAI's chat completions; its chunks are built from the SDK's types.

As a program it answers without end: `python -m tests.vendors.openai --port 8001 --tokens 200 --delay-ms 20`.
"""

import json
import ssl
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from openai.types import CompletionUsage, Model
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import (
    Choice,
    ChoiceDelta,
    ChoiceDeltaToolCall,
    ChoiceDeltaToolCallFunction,
)

from flowassist.models.model import Finish, Usage
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Request, Say, Script, pieces_of
from tests.vendors.server import EVENTS, KEY, Vendor

FINISHES: dict[Finish, Literal["stop", "length", "tool_calls", "content_filter"]] = {
    Finish.STOP: "stop",
    Finish.LENGTH: "length",
    Finish.TOOL: "tool_calls",
    Finish.REFUSAL: "content_filter",
}


def event(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


def chunk(choices: list[Choice], usage: CompletionUsage | None = None) -> str:
    return ChatCompletionChunk(
        id="chatcmpl-1",
        choices=choices,
        created=1_790_000_000,
        model="gpt-5.4",
        object="chat.completion.chunk",
        system_fingerprint="fp_1",
        usage=usage,
    ).model_dump_json(exclude_unset=True)


def delta(**fields: Any) -> str:
    return chunk([Choice(index=0, delta=ChoiceDelta(**fields))])


BEFORE, AFTER = delta(content="PIECE").split('"PIECE"')


class OpenAIWire:
    name = "openai"
    base = "/v1"
    media = EVENTS
    models: tuple[str, ...] | None = ()
    """What it lists; None: a request for the list is for the script to answer."""
    tls: ssl.SSLContext | None = None

    def environment(self, url: str) -> dict[str, str]:
        return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url}

    def aside(self, request: Request) -> tuple[int, Any] | None:
        if self.models is None or request.method != "GET" or not request.path.endswith("/models"):
            return None
        models = [Model(id=name, created=0, object="model", owned_by="library") for name in self.models]
        return 200, {"object": "list", "data": [model.to_dict() for model in models]}

    def schema(self, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        asked = body.get("response_format", {}).get("json_schema", {})
        return asked.get("name", ""), asked.get("schema", {})

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        return event(delta(role="assistant", content=""))

    def text(self, piece: str) -> bytes:
        return event(BEFORE + json.dumps(piece) + AFTER)

    def tools(self, answer: CallTool) -> Iterator[bytes]:
        for index, tool in enumerate(answer.tools):
            named = ChoiceDeltaToolCallFunction(name=tool.name, arguments="")
            yield event(
                delta(tool_calls=[ChoiceDeltaToolCall(index=index, id=tool.id, type="function", function=named)])
            )
            for piece in pieces_of(tool.arguments, 3):
                more = ChoiceDeltaToolCallFunction(arguments=piece)
                yield event(delta(tool_calls=[ChoiceDeltaToolCall(index=index, function=more)]))

    def closing(self, answer: Say | CallTool) -> bytes:
        reason = FINISHES[answer.finish if isinstance(answer, Say) else Finish.TOOL]
        last = chunk([Choice(index=0, delta=ChoiceDelta(), finish_reason=reason)])
        return event(last) + (usage_event(answer.usage) if answer.usage else b"") + event("[DONE]")

    def failure(self, code: str, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code or None}}

    def failure_event(self, code: str, message: str) -> bytes:
        return event(json.dumps(self.failure(code, message)))


def usage_event(usage: Usage) -> bytes:
    counts = CompletionUsage(
        prompt_tokens=usage.input or 0, completion_tokens=usage.output or 0, total_tokens=usage.total or 0
    )
    return event(chunk([], counts))


def scripted(*answers: Answer) -> Vendor:
    return Vendor(OpenAIWire(), Script(*answers))


def scripted_lists(*answers: Answer) -> Vendor:
    """Its list of models is what `answers` say."""
    wire = OpenAIWire()
    wire.models = None
    return Vendor(wire, Script(*answers))


if __name__ == "__main__":
    from tests.vendors.endless import main

    main(OpenAIWire())
