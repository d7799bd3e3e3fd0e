"""A scripted server that speaks Ollama's API; its lines are built from the SDK's types, and escaped as Go does it.

As a program it answers without end: `python -m tests.vendors.ollama --port 8001 --tokens 200 --delay-ms 20`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ollama import ChatResponse, ListResponse, Message, ShowResponse
from ollama._types import ModelDetails
from pydantic import ByteSize

from flowassist.models.model import Finish
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Request, Say, Script
from tests.vendors.server import KEY, Vendor

FINISHES: Mapping[Finish, str] = {Finish.STOP: "stop", Finish.LENGTH: "length", Finish.TOOL: "stop"}
"""There is none for a refusal: its models refuse in their own words."""
GO_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def quoted(text: str) -> str:
    """As Go writes a string: U+0085 and everything else that it may stands as it is."""
    lone = any("\ud800" <= sign <= "\udfff" for sign in text)
    return json.dumps(text, ensure_ascii=lone).translate(GO_ESCAPES)


def line(message: Mapping[str, Any] | None = None, **fields: Any) -> str:
    return ChatResponse(
        model="a-model",
        created_at="2026-12-01T09:00:00.123456789Z",
        message=Message(role="assistant", **{"content": "", **(message or {})}),
        **{"done": False, **fields},
    ).model_dump_json(exclude_unset=True)


BEFORE, AFTER = line({"content": "PIECE"}).split('"PIECE"')


@dataclass(frozen=True)
class Served:
    """One model of the server. `tags` are the details that both lists show, `shown` more of /api/show."""

    family: str = "qwen3"
    size: str = "8.2B"
    capabilities: tuple[str, ...] | None = ("completion", "tools")
    context: int = 40960
    parameters: str = ""
    families: tuple[str, ...] = ()

    @property
    def details(self) -> ModelDetails:
        return ModelDetails(
            family=self.family,
            families=self.families or (self.family,),
            parameter_size=self.size,
            quantization_level="Q4_K_M",
            format="gguf",
        )

    def show(self) -> dict[str, Any]:
        info = {"general.architecture": self.family, f"{self.family}.context_length": self.context}
        able = None if self.capabilities is None else list(self.capabilities)
        shown = ShowResponse(details=self.details, model_info=info, parameters=self.parameters, capabilities=able)
        return shown.model_dump(mode="json", by_alias=True, exclude_none=True)


@dataclass
class OllamaWire:
    """`models` are what it has; None: whatever is asked for.

    `asides` answer paths before anything else does; the script answers `scripted_paths`.
    """

    models: Mapping[str, Served] | None = None
    version: str | None = "0.40.2"
    asides: Mapping[str, tuple[int, Any]] = field(default_factory=dict)
    scripted_paths: frozenset[str] = frozenset({"/api/chat"})
    name = "ollama"
    base = ""
    media = "application/x-ndjson"
    tls = None

    def environment(self, url: str) -> dict[str, str]:
        return {"OLLAMA_API_KEY": KEY, "OLLAMA_BASE_URL": url}

    def aside(self, request: Request) -> tuple[int, Any] | None:
        if request.path in self.scripted_paths:
            return None
        if request.path in self.asides:
            return self.asides[request.path]
        match request.path:
            case "/api/show":
                return self._show(request.body["model"])
            case "/api/tags":
                return 200, self._tags()
            case "/api/version":
                return 200, {"version": self.version}
        return None

    def _show(self, name: str) -> tuple[int, Any]:
        served = Served() if self.models is None else self.models.get(name)
        return (200, served.show()) if served else (404, self.failure("", f"model '{name}' not found"))

    def _tags(self) -> dict[str, Any]:
        models = {"a-model": Served()} if self.models is None else self.models
        tags = [
            ListResponse.Model(model=name, size=ByteSize(5_225_387_677), details=served.details)
            for name, served in models.items()
        ]
        return ListResponse(models=tags).model_dump(mode="json", exclude_unset=True)

    def schema(self, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        shape = body.get("format") or {}
        return shape.get("title", ""), shape

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        return event(line({"thinking": "Hm."}))

    def text(self, piece: str) -> bytes:
        return event(BEFORE + quoted(piece) + AFTER)

    def tools(self, answer: CallTool) -> Iterator[bytes]:
        for tool in answer.tools:
            function = {"name": tool.name, "arguments": json.loads(tool.arguments or "{}")}
            whole = json.loads(line({"tool_calls": [{"function": function}]}))
            whole["message"]["tool_calls"][0]["id"] = tool.id  # newer than the SDK's types
            yield event(json.dumps(whole, ensure_ascii=False))

    def closing(self, answer: Say | CallTool) -> bytes:
        reason = FINISHES[answer.finish if isinstance(answer, Say) else Finish.TOOL]
        usage = answer.usage
        counts: dict[str, Any] = {"prompt_eval_count": usage.input, "eval_count": usage.output} if usage else {}
        return event(line(done=True, done_reason=reason, total_duration=4_883_583_458, **counts))

    def failure(self, code: str, message: str) -> dict[str, Any]:
        return {"error": message}

    def failure_event(self, code: str, message: str) -> bytes:
        return event(json.dumps(self.failure(code, message)))


def event(text: str) -> bytes:
    return f"{text}\n".encode()


def scripted(*answers: Answer, **served: Any) -> Vendor:
    return Vendor(OllamaWire(**served), Script(*answers))


if __name__ == "__main__":
    from tests.vendors.endless import main

    main(OllamaWire())
