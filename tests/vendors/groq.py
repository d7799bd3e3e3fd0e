"""A scripted server that speaks as Groq does: its usage stands in a field of its own."""

import json
from typing import Any

from openai.types.chat.chat_completion_chunk import Choice, ChoiceDelta

from flowassist.models.model import Finish, Usage
from tests.vendors.openai import FINISHES, OpenAIWire, chunk, delta, event
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Say, Script
from tests.vendors.server import KEY, Vendor


def with_own(data: str, **own: Any) -> bytes:
    return event(json.dumps({**json.loads(data), "x_groq": {"id": "req_1", **own}}))


def told(usage: Usage) -> dict[str, Any]:
    counts = {"prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": usage.total}
    return {"queue_time": 0.01, "prompt_time": 0.02, "total_time": 0.3, **counts}


class GroqWire(OpenAIWire):
    name = "groq"
    base = "/openai/v1"

    def environment(self, url: str) -> dict[str, str]:
        return {"GROQ_API_KEY": KEY, "GROQ_BASE_URL": url}

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        return with_own(delta(role="assistant", content=""))

    def closing(self, answer: Say | CallTool) -> bytes:
        reason = FINISHES[answer.finish if isinstance(answer, Say) else Finish.TOOL]
        last = chunk([Choice(index=0, delta=ChoiceDelta(), finish_reason=reason)])
        return with_own(last, **({"usage": told(answer.usage)} if answer.usage else {})) + event("[DONE]")

    def failure(self, code: str, message: str) -> dict[str, Any]:
        failed: dict[str, Any] = {"message": message, "type": "invalid_request_error"}
        if code:
            failed["code"] = code
        if code in {"tool_use_failed", "json_validate_failed"}:
            failed["failed_generation"] = '{"name": "search", "arguments": {'
        return {"error": failed}

    def failure_event(self, code: str, message: str) -> bytes:
        return b"event: error\n" + super().failure_event(code, message)


def scripted(*answers: Answer) -> Vendor:
    return Vendor(GroqWire(), Script(*answers))
