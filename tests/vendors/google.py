"""A scripted server that speaks as Google's OpenAI-compatible endpoint does.

It answers errors with a list, gives every tool call whole, signed and with the index 0, repeats usage in every chunk,
and ends with "stop" also where tools are called.
"""

import json
from collections.abc import Iterator
from typing import Any

from openai.types import CompletionUsage
from openai.types.chat.chat_completion_chunk import (
    Choice,
    ChoiceDelta,
    ChoiceDeltaToolCall,
    ChoiceDeltaToolCallFunction,
)

from flowassist.models.model import Finish, Usage
from tests.vendors.openai import FINISHES, OpenAIWire, chunk, event
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Say, Script, Tool
from tests.vendors.server import KEY, Vendor

SIGNATURE = "CrICAdHtim827fQ="
STATUSES = {
    "rate_limit_error": (429, "RESOURCE_EXHAUSTED"),
    "overloaded_error": (503, "UNAVAILABLE"),
    "server_error": (500, "INTERNAL"),
}


def counted(usage: Usage, written: int) -> CompletionUsage:
    read = usage.input or 0
    return CompletionUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


def signed(tool: Tool) -> ChoiceDeltaToolCall:
    function = ChoiceDeltaToolCallFunction(name=tool.name, arguments=tool.arguments)
    extra: dict[str, Any] = {"extra_content": {"google": {"thought_signature": f"{SIGNATURE}{tool.id}"}}}
    return ChoiceDeltaToolCall(index=0, id=tool.id, type="function", function=function, **extra)


class GoogleWire(OpenAIWire):
    name = "google"
    base = "/v1beta/openai"

    def environment(self, url: str) -> dict[str, str]:
        return {"GOOGLE_API_KEY": KEY, "GOOGLE_BASE_URL": url}

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        usage = getattr(answer, "usage", None)
        delta = ChoiceDelta(role="assistant", content="")
        return event(chunk([Choice(index=0, delta=delta)], counted(usage, 0) if usage else None))

    def tools(self, answer: CallTool) -> Iterator[bytes]:
        for tool in answer.tools:
            yield event(chunk([Choice(index=0, delta=ChoiceDelta(role="assistant", tool_calls=[signed(tool)]))]))

    def closing(self, answer: Say | CallTool) -> bytes:
        reason = FINISHES[answer.finish if isinstance(answer, Say) else Finish.STOP]
        usage = counted(answer.usage, answer.usage.output or 0) if answer.usage else None
        last = chunk([Choice(index=0, delta=ChoiceDelta(role="assistant"), finish_reason=reason)], usage)
        return event(last) + event("[DONE]")

    def failure(self, code: str, message: str) -> Any:
        status, name = STATUSES.get(code, (400, "INVALID_ARGUMENT"))
        return [{"error": {"code": status, "message": message, "status": name}}]

    def failure_event(self, code: str, message: str) -> bytes:
        return event(json.dumps(self.failure(code, message)))


def scripted(*answers: Answer) -> Vendor:
    return Vendor(GoogleWire(), Script(*answers))
