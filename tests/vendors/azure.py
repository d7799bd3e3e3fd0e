"""A scripted server that speaks as Azure OpenAI does: chat completions with the findings of its content filters.

What Azure adds stands in no type of the SDK; it follows Azure's REST reference.
"""

import json
from typing import Any

from tests.vendors.openai import OpenAIWire, event
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Say, Script
from tests.vendors.server import KEY, Vendor

CLEAN = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}
PROMPT = {
    "choices": [],
    "created": 0,
    "id": "",
    "model": "",
    "object": "",
    "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": CLEAN}],
}
LATE = {
    "choices": [
        {
            "content_filter_offsets": {"check_offset": 44, "start_offset": 44, "end_offset": 198},
            "content_filter_results": CLEAN,
            "finish_reason": None,
            "index": 0,
        }
    ],
    "created": 0,
    "id": "",
    "model": "",
    "object": "",
}
"""What the asynchronous filter finds, apart from the text."""


class AzureWire(OpenAIWire):
    name = "azure_openai"
    base = ""

    def environment(self, url: str) -> dict[str, str]:
        return {"AZURE_OPENAI_API_KEY": KEY, "AZURE_OPENAI_ENDPOINT": url}

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        return event(json.dumps(PROMPT)) + super().opening(answer)

    def closing(self, answer: Say | CallTool) -> bytes:
        return event(json.dumps(LATE)) + super().closing(answer)

    def failure(self, code: str, message: str) -> dict[str, Any]:
        failed: dict[str, Any] = {"code": code or "BadRequest", "message": message}
        if code == "content_filter":
            findings = CLEAN | {"violence": {"filtered": True, "severity": "high"}}
            inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": findings}
            failed |= {"param": "prompt", "type": None, "status": 400, "innererror": inner}
        return {"error": failed}


def scripted(*answers: Answer) -> Vendor:
    return Vendor(AzureWire(), Script(*answers))
