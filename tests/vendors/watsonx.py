"""A scripted server that speaks as IBM WatsonX does: chat stream, list of models, and the service of its tokens.

It has TLS, since IBM's SDK takes no other address; the certificate is trusted through a variable of that SDK.
As a program it answers without end: `python -m tests.vendors.watsonx --port 8001 --tokens 200 --delay-ms 20`.
"""

import base64
import json
import os
import time
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from flowassist.models.model import Finish, Usage
from tests.vendors import certificate
from tests.vendors.openai import FINISHES
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Request, Say, Script, pieces_of
from tests.vendors.server import EVENTS, KEY, Vendor

PROJECT = "5b9c8a34-0b3b-4f0e-9f57-0a6d5a3f1c11"
GRANT = "urn:ibm:params:oauth:grant-type:apikey"
UNKNOWN_KEY = {"errorCode": "BXNIM0415E", "errorMessage": "Provided API key could not be found.", "context": {}}
HOUR = 3600
HEAD = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model_id": "ibm/granite", "model": "ibm/granite"}
DATED = {"created": 1_790_000_000, "model_version": "4.0.0", "created_at": "2026-12-01T09:00:00.000Z"}


def event(data: Mapping[str, Any]) -> bytes:
    return f"id: 1\nevent: message\ndata: {json.dumps({**HEAD, **data, **DATED})}\n\n".encode()


def choice(reason: str | None = None, **delta: Any) -> bytes:
    return event({"choices": [{"index": 0, "finish_reason": reason, "delta": delta}]})


def token(number: int, lifetime: int) -> str:
    """One as the SDK reads it: three parts, the second one telling when it ends."""
    claims = {"sub": f"IBMid-{number}", "iat": int(time.time()), "exp": int(time.time()) + lifetime}
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in ({}, claims, number))


def granted(value: str, lifetime: int = HOUR) -> tuple[int, dict[str, Any]]:
    """What the token service answers to a good key."""
    ends = int(time.time()) + lifetime
    return 200, {"access_token": value, "token_type": "Bearer", "expires_in": lifetime, "expiration": ends}


class WatsonxWire:
    """`lifetime` is of its tokens, in seconds. `tokens` are answers of the token service instead of a token,
    `pages` those of the list of models, by the `start` that asks for them.
    """

    name = "watsonx"
    base = ""
    media = EVENTS

    def __init__(self, lifetime: int = HOUR) -> None:
        self.lifetime = lifetime
        self.issued: list[str] = []
        self.tokens: deque[tuple[int, Any]] = deque()
        self.pages: dict[str, tuple[int, Any]] = {}
        self.tls = certificate.shown()
        self._said_as = "content"
        os.environ["WX_CLIENT_VERIFY_REQUESTS"] = str(certificate.pem())

    def environment(self, url: str) -> dict[str, str]:
        return {
            "WATSONX_URL": url,
            "WATSONX_APIKEY": KEY,
            "WATSONX_PROJECT_ID": PROJECT,
            "WATSONX_AUTH_URL": f"{url}/identity/token",
            "WX_CLIENT_VERIFY_REQUESTS": str(certificate.pem()),
        }

    def aside(self, request: Request) -> tuple[int, Any] | None:
        path, _, query = request.path.partition("?")
        if path == "/identity/token":
            return self._token(request)
        if path == "/ml/v1/foundation_model_specs":
            start = dict(part.partition("=")[::2] for part in query.split("&")).get("start", "")
            return self.pages.get(start, (200, {"resources": []}))
        return None

    def _token(self, request: Request) -> tuple[int, Any]:
        if self.tokens:
            return self.tokens.popleft()
        if request.body != {"apikey": KEY, "grant_type": GRANT}:
            return 400, UNKNOWN_KEY
        self.issued.append(token(len(self.issued), self.lifetime))
        return granted(self.issued[-1], self.lifetime)

    def schema(self, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        asked = body.get("response_format", {}).get("json_schema", {})
        return asked.get("name", ""), asked.get("schema", {})

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        refuses = isinstance(answer, Say) and answer.finish is Finish.REFUSAL
        self._said_as = "refusal" if refuses else "content"
        return choice(role="assistant", content="")

    def text(self, piece: str) -> bytes:
        return choice(**{self._said_as: piece})

    def tools(self, answer: CallTool) -> Iterator[bytes]:
        for index, tool in enumerate(answer.tools):
            named = {
                "index": index,
                "id": tool.id,
                "type": "function",
                "function": {"name": tool.name, "arguments": ""},
            }
            yield choice(tool_calls=[named])
            for piece in pieces_of(tool.arguments, 3):
                yield choice(tool_calls=[{"index": index, "function": {"arguments": piece}}])

    def closing(self, answer: Say | CallTool) -> bytes:
        finish = answer.finish if isinstance(answer, Say) else Finish.TOOL
        reason = "stop" if finish is Finish.REFUSAL else FINISHES[finish]
        return choice(reason, content="") + (usage_event(answer.usage) if answer.usage else b"")

    def failure(self, code: str, message: str) -> dict[str, Any]:
        error = {"code": code, "message": message, "more_info": "https://cloud.ibm.com/apidocs/watsonx-ai#text-chat"}
        return {"errors": [error], "trace": "ebeec5ab40585bab417b08fd0b3282f0", "status_code": 400}

    def failure_event(self, code: str, message: str) -> bytes:
        return f"id: 2\nevent: error\ndata: {json.dumps(self.failure(code, message))}\n\n".encode()


def usage_event(usage: Usage) -> bytes:
    counts = {"completion_tokens": usage.output, "prompt_tokens": usage.input, "total_tokens": usage.total}
    return event({"choices": [], "usage": counts})


def scripted(*answers: Answer, lifetime: int = HOUR) -> Vendor:
    return Vendor(WatsonxWire(lifetime), Script(*answers))


if __name__ == "__main__":
    from tests.vendors.endless import main

    main(WatsonxWire())
