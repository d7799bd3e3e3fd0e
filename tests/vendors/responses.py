"""A scripted server that speaks OpenAI's Responses API; its events are built from the SDK's types.

As a program it answers without end: `python -m tests.vendors.responses --port 8003 --tokens 200 --delay-ms 20`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from openai import BaseModel
from openai.types import responses
from openai.types.responses import response_usage
from openai.types.responses.response import IncompleteDetails

from flowassist.models.model import Finish, Usage
from tests.vendors.openai import OpenAIWire
from tests.vendors.script import Answer, BreakOff, CallTool, FailInStream, Hang, Say, Script, pieces_of
from tests.vendors.server import Vendor

INCOMPLETE = {Finish.LENGTH: "max_output_tokens", Finish.REFUSAL: "content_filter"}


def event(made: BaseModel) -> bytes:
    body = made.to_dict(mode="json")
    return f"event: {body['type']}\ndata: {json.dumps(body)}\n\n".encode()


def response(status: Any, **more: Any) -> responses.Response:
    return responses.Response(
        id="resp_1",
        created_at=1_790_000_000,
        model="gpt-5.4",
        object="response",
        output=[],
        parallel_tool_calls=True,
        status=status,
        tool_choice="auto",
        tools=[],
        **more,
    )


def usage_of(usage: Usage | None) -> response_usage.ResponseUsage | None:
    if usage is None:
        return None
    return response_usage.ResponseUsage(
        input_tokens=usage.input or 0,
        input_tokens_details=response_usage.InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
        output_tokens=usage.output or 0,
        output_tokens_details=response_usage.OutputTokensDetails(reasoning_tokens=0),
        total_tokens=usage.total or 0,
    )


def added(index: int, item: Any) -> bytes:
    made = responses.ResponseOutputItemAddedEvent(
        type="response.output_item.added", item=item, output_index=index, sequence_number=1
    )
    return event(made)


def done(index: int, item: Any) -> bytes:
    made = responses.ResponseOutputItemDoneEvent(
        type="response.output_item.done", item=item, output_index=index, sequence_number=9
    )
    return event(made)


def text_delta(text: str) -> bytes:
    made = responses.ResponseTextDeltaEvent(
        type="response.output_text.delta",
        content_index=0,
        delta=text,
        item_id="msg_1",
        logprobs=[],
        output_index=0,
        sequence_number=4,
    )
    return event(made)


MESSAGE = responses.ResponseOutputMessage(
    id="msg_1", content=[], role="assistant", status="in_progress", type="message"
)
OPENING = event(
    responses.ResponseCreatedEvent(
        type="response.created", response=response("in_progress", usage=None), sequence_number=0
    )
)
BEFORE, AFTER = text_delta("PIECE").decode().split('"PIECE"')


class ResponsesWire(OpenAIWire):
    name = "openai_responses"

    def schema(self, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        asked = body.get("text", {}).get("format", {})
        return asked.get("name", ""), asked.get("schema", {})

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes:
        only_tools = isinstance(answer, CallTool) and not answer.text
        return OPENING + (b"" if only_tools else added(0, MESSAGE))

    def text(self, piece: str) -> bytes:
        return (BEFORE + json.dumps(piece) + AFTER).encode()

    def tools(self, answer: CallTool) -> Iterator[bytes]:
        for index, tool in enumerate(answer.tools, start=1 if answer.text else 0):
            call = responses.ResponseFunctionToolCall(
                type="function_call", id=f"fc_{index}", call_id=tool.id, name=tool.name, arguments=""
            )
            yield added(index, call)
            for piece in pieces_of(tool.arguments, 3):
                yield event(arguments_delta(index, piece))
            yield done(index, call.model_copy(update={"arguments": tool.arguments, "status": "completed"}))

    def closing(self, answer: Say | CallTool) -> bytes:
        finish, usage = getattr(answer, "finish", Finish.STOP), usage_of(answer.usage)
        if reason := INCOMPLETE.get(finish):
            details = IncompleteDetails(reason=reason)  # type: ignore[arg-type]
            whole = response("incomplete", usage=usage, incomplete_details=details)
            made = responses.ResponseIncompleteEvent(type="response.incomplete", response=whole, sequence_number=11)
            return event(made)
        whole = response("completed", usage=usage)
        return event(responses.ResponseCompletedEvent(type="response.completed", response=whole, sequence_number=11))

    def failure_event(self, code: str, message: str) -> bytes:
        made = responses.ResponseErrorEvent(type="error", code=code or None, message=message, sequence_number=5)
        return event(made)


def arguments_delta(index: int, piece: str) -> responses.ResponseFunctionCallArgumentsDeltaEvent:
    return responses.ResponseFunctionCallArgumentsDeltaEvent(
        type="response.function_call_arguments.delta",
        delta=piece,
        item_id=f"fc_{index}",
        output_index=index,
        sequence_number=7,
    )


def scripted(*answers: Answer) -> Vendor:
    return Vendor(ResponsesWire(), Script(*answers))


if __name__ == "__main__":
    from tests.vendors.endless import main

    main(ResponsesWire())
