import json
from typing import Any

import pytest

from flowassist.models.model import (
    UNKNOWN,
    Call,
    Finish,
    Message,
    ModelError,
    Remedy,
    Reply,
    Schema,
    Tool,
    ToolCall,
    Trouble,
    Usage,
    nobody,
)
from flowassist.models.providers.responses import MIN_TOKENS, Events, request
from flowassist.models.providers.streams.answer import Answer
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.models.providers.conftest import staged
from tests.vendors.script import Say

KEY = Secret("sk-1")


def read(*events: object) -> Reply:
    answer = Answer(nobody)
    take = Events(answer, KEY)
    for event in events:
        take(json.loads(json.dumps(event)))
    return answer.reply()


def text(piece: object, kind: str = "output_text") -> dict[str, object]:
    return {"type": f"response.{kind}.delta", "output_index": 0, "delta": piece}


def end(status: str = "completed", **more: object) -> dict[str, object]:
    return {"type": f"response.{status}", "response": {"status": status, **more}}


def item(kind: str, **fields: object) -> dict[str, object]:
    return {"type": f"response.output_item.{kind}", "output_index": 2, "item": {"type": "function_call", **fields}}


def arguments(piece: object) -> dict[str, object]:
    return {"type": "response.function_call_arguments.delta", "output_index": 2, "delta": piece}


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"type": "response.in_progress", "response": {"status": "in_progress", "error": None}},
        {"type": "response.content_part.added", "part": {"type": "output_text", "text": ""}},
        {"type": "response.output_text.done", "text": "ab"},
        {"type": "response.output_text.annotation.added", "annotation": {}},
        {"type": "response.reasoning_summary_text.delta", "delta": "hm"},
        {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "id": "rs"}},
        {"type": "response.output_item.added", "output_index": 0, "item": None},
        {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{}"},
        {"type": "response.completed", "response": None},
        text(None),
        text({}),
        {"error": None},
    ],
)
def test_odd_events_say_nothing(odd: dict[str, object]) -> None:
    assert read(odd, text("a"), odd, text("b"), odd, end(), odd) == Reply("ab", Finish.STOP, UNKNOWN)


def test_usage_comes_with_the_end() -> None:
    usage = {
        "input_tokens": 7,
        "output_tokens": 3,
        "total_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 2},
    }
    assert read(text("a"), end(usage=usage)).usage == Usage(7, 3, 10)


def test_a_total_that_is_not_told_is_summed() -> None:
    assert read(end(usage={"input_tokens": 7, "output_tokens": 3})).usage == Usage(7, 3, 10)


@pytest.mark.parametrize(
    ("reason", "finish"), [("max_output_tokens", Finish.LENGTH), ("content_filter", Finish.REFUSAL)]
)
def test_an_answer_that_is_not_complete(reason: str, finish: Finish) -> None:
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    reply = read(text("a"), end("incomplete", incomplete_details={"reason": reason}, usage=usage))
    assert reply == Reply("a", finish, Usage(7, 3, 10))


@pytest.mark.parametrize("details", [{"reason": "steered"}, {}, None])
def test_an_unknown_reason_is_no_end(details: object) -> None:
    with pytest.raises(ModelError) as caught:
        read(text("a"), end("incomplete", incomplete_details=details))
    assert caught.value.trouble is Trouble.BROKEN_OFF


def test_a_refusal_is_heard_and_is_no_answer() -> None:
    assert read(text("I will not.", "refusal"), end()) == Reply("I will not.", Finish.REFUSAL, UNKNOWN)


def test_the_arguments_of_a_call_come_in_pieces_and_then_whole() -> None:
    named = {"call_id": "call_a", "id": "fc_1", "name": "now"}
    pieces = [arguments('{"zone"'), arguments(': "UTC"}'), arguments(None)]
    expected = Reply("", Finish.TOOL, UNKNOWN, (ToolCall("call_a", "now", '{"zone": "UTC"}'),))
    whole = item("done", **named, arguments='{"zone": "UTC"}')
    assert read(item("added", **named, arguments=""), *pieces, whole, end()) == expected
    assert read(item("added", **named, arguments=""), *pieces, end()) == expected
    assert read(whole, end()) == expected


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "code": "rate_limit_exceeded", "message": "Slow down", "param": None},
        {"type": "error", "error": {"code": "rate_limit_exceeded", "message": "Slow down"}},
        {"type": "response.failed", "response": {"error": {"code": "rate_limit_exceeded", "message": "Slow down"}}},
    ],
)
def test_an_error_in_the_stream(event: object) -> None:
    with pytest.raises(ModelError) as caught:
        read(text("a"), event)
    error = caught.value
    assert (error.trouble, error.code, str(error)) == (Trouble.RATE_LIMITED, "rate_limit_exceeded", "Slow down")


def test_a_failed_answer_tells_what_it_used() -> None:
    told: list[Usage] = []
    take = Events(Answer(nobody, told.append), KEY)
    with pytest.raises(ModelError):
        take(end("failed", error={"code": "server_error", "message": "x"}, usage={"input_tokens": 7}))
    assert told[-1] == Usage(7, None, None)


async def test_a_plain_request() -> None:
    async with staged("openai_responses", Say("yes"), model="gpt-5.4") as (ask, vendor):
        await ask(CALL)
    assert vendor.requests[0].path == "/v1/responses"
    assert vendor.requests[0].body == {
        "model": "gpt-5.4",
        "instructions": "You answer briefly.",
        "input": [{"role": "user", "content": "What is Langflow?"}],
        "max_output_tokens": 100,
        "store": False,
        "stream": True,
    }


async def test_remedies_hold_here_too() -> None:
    call = Call("", CALL.messages, 60, schema=Schema("spec", {"type": "object"}), temperature=0.5)
    async with staged("openai_responses", Say("yes"), Say("yes")) as (ask, vendor):
        await ask(call)
        await ask(call, remedies=frozenset({Remedy.NO_TEMPERATURE, Remedy.NO_SCHEMA}))
    usual, other = (request.body for request in vendor.requests)
    assert (usual["temperature"], usual["text"]["format"]["name"]) == (0.5, "spec")
    assert not {"temperature", "text"} & set(other)
    assert other["instructions"].endswith('{"type": "object"}')


def made(call: Call) -> dict[str, Any]:
    return request("m", call, frozenset({"maxLength"}))


def test_a_schema_and_a_tool() -> None:
    shape = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 8}}}
    bare = {"type": "object", "properties": {"a": {"type": "string"}}}
    sent = made(Call("", CALL.messages, 60, schema=Schema("spec", shape), tools=(Tool("now", "Tells.", shape),)))
    assert sent["text"] == {"format": {"type": "json_schema", "name": "spec", "schema": bare, "strict": True}}
    assert sent["tools"] == [
        {"type": "function", "name": "now", "description": "Tells.", "parameters": bare, "strict": False}
    ]


def test_a_round_of_tools() -> None:
    messages = (
        Message("user", "Time?"),
        Message("assistant", "Let me see.", (ToolCall("c1", "now", "{}"), ToolCall("c2", "moon", "[1"))),
        Message("tool", "12:00", tool_call_id="c1"),
        Message("tool", "", tool_call_id="c2"),
        Message("assistant", ""),
    )
    assert made(Call("", messages, 60))["input"] == [
        {"role": "user", "content": "Time?"},
        {"role": "assistant", "content": "Let me see."},
        {"type": "function_call", "call_id": "c1", "name": "now", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "moon", "arguments": "[1"},
        {"type": "function_call_output", "call_id": "c1", "output": "12:00"},
        {"type": "function_call_output", "call_id": "c2", "output": ""},
        {"role": "assistant", "content": ""},
    ]


def test_the_api_wants_a_limit_of_some_tokens() -> None:
    assert made(Call("", CALL.messages, 1))["max_output_tokens"] == MIN_TOKENS == 16
