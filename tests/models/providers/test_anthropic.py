import asyncio
import json
from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.model import (
    AS_IT_IS,
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
from flowassist.models.providers import anthropic
from flowassist.models.providers.anthropic import AnthropicModel, Events
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.streams.answer import Answer
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors.anthropic import scripted
from tests.vendors.script import Hang, Say

KEY = Secret("sk-1")
START = {"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}}


def read(*events: object) -> Reply:
    answer = Answer(nobody)
    take = Events(answer, KEY)
    for event in events:
        take(json.loads(json.dumps(event)))
    return answer.reply()


def text(piece: object) -> dict[str, object]:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}


def stop(reason: object = "end_turn", **more: object) -> dict[str, object]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, **more}


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"type": "ping"},
        {"type": "something_new", "delta": {"text": "no"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_start", "index": 0, "content_block": None},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}},
        {"type": "content_block_delta", "index": 0, "delta": None},
        text(None),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta"},
        {"type": "message_delta", "delta": None, "usage": None},
        {"type": "message_delta", "delta": {"stop_reason": None}},
        {"type": "message_start", "message": None},
        {"type": "message_start", "message": {}},
    ],
)
def test_odd_events_say_nothing(odd: dict[str, object]) -> None:
    assert read(odd, text("a"), odd, text("b"), odd, stop(), odd) == Reply("ab", Finish.STOP, UNKNOWN)


def test_usage_counts_what_was_read_from_the_cache() -> None:
    cached = {"input_tokens": 7, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 20}
    start = {"type": "message_start", "message": {"usage": cached | {"output_tokens": 1}}}
    assert read(start, text("a"), stop(usage={"output_tokens": 3})).usage == Usage(127, 3, 130)


def test_the_last_event_corrects_the_first() -> None:
    assert read(START, stop(usage={"input_tokens": 9, "output_tokens": 3})).usage == Usage(9, 3, 12)


def test_the_first_event_does_not_tell_the_output() -> None:
    assert read(START, stop()).usage == Usage(7, None, None)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", Finish.STOP),
        ("stop_sequence", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("tool_use", Finish.TOOL),
        ("refusal", Finish.REFUSAL),
    ],
)
def test_stop_reasons(reason: str, finish: Finish) -> None:
    assert read(text("a"), stop(reason)).finish is finish


def test_a_paused_turn_is_no_whole_answer() -> None:
    with pytest.raises(ModelError) as caught:
        read(text("a"), stop("pause_turn"))
    assert caught.value.trouble is Trouble.BROKEN_OFF


def test_a_tool_whose_input_comes_at_once() -> None:
    block = {"type": "tool_use", "id": "c", "name": "a", "input": {"x": 1}}
    reply = read({"type": "content_block_start", "index": 2, "content_block": block}, stop("tool_use"))
    assert reply.tool_calls == (ToolCall("c", "a", '{"x": 1}'),)


def test_text_that_comes_with_its_block() -> None:
    block = {"type": "text", "text": "All"}
    assert read({"type": "content_block_start", "index": 0, "content_block": block}, text("!"), stop()).text == "All!"


async def request_of(call: Call, remedies: frozenset[Remedy] = AS_IT_IS) -> dict[str, Any]:
    async with scripted(Say("yes")) as vendor:
        place = anthropic.endpoint(Access("", vendor.url, KEY), Patience())
        await AnthropicModel(place, "claude-opus-4-6").reply(call, remedies=remedies)
        await place.aclose()
    return vendor.requests[0].body


async def test_a_plain_request() -> None:
    assert await request_of(CALL) == {
        "model": "claude-opus-4-6",
        "system": [{"type": "text", "text": "You answer briefly."}],
        "messages": [{"role": "user", "content": "What is Langflow?"}],
        "max_tokens": 100,
        "stream": True,
    }


async def test_a_temperature_is_never_sent() -> None:
    assert "temperature" not in await request_of(Call("", CALL.messages, 60, temperature=0.5))


async def test_a_schema_loses_what_the_api_refuses() -> None:
    shape = {
        "type": "object",
        "properties": {"name": {"type": "string", "maxLength": 80}},
        "required": ["name"],
        "additionalProperties": False,
    }
    body = await request_of(Call("", CALL.messages, 60, schema=Schema("spec", shape)))
    assert body["output_config"] == {
        "format": {
            "type": "json_schema",
            "schema": {
                "title": "spec",
                "type": "object",
                "properties": {"name": {"type": "string", "description": "{maxLength: 80}"}},
                "required": ["name"],
                "additionalProperties": False,
            },
        }
    }


async def test_a_schema_that_is_refused_is_told_in_words() -> None:
    call = Call("Be brief.", CALL.messages, 60, schema=Schema("spec", {"type": "object", "properties": {}}))
    body = await request_of(call, frozenset({Remedy.NO_SCHEMA}))
    assert "output_config" not in body
    assert body["system"][0]["text"].endswith('{"type": "object", "properties": {}}')
    assert {Remedy.NO_SCHEMA} == anthropic.POSSIBLE


async def test_a_cancelled_call_has_told_what_it_read() -> None:
    told, said = list[Usage](), asyncio.Event()
    async with scripted(Hang("text", "so far")) as vendor:
        place = anthropic.endpoint(Access("", vendor.url, KEY), Patience())
        reply = AnthropicModel(place, "claude-opus-4-6").reply(CALL, lambda _: said.set(), spent=told.append)
        asking = asyncio.create_task(reply)
        await said.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await place.aclose()
    assert told == [Usage(10, None, None)]


async def test_tools_and_a_fixed_beginning() -> None:
    tool = Tool("now", "Tells the time.", {"type": "object", "properties": {}})
    body = await request_of(Call("Long prompt.", CALL.messages, 60, tools=(tool,), slot="agent"))
    assert body["tools"] == [{"name": "now", "description": "Tells the time.", "input_schema": tool.parameters}]
    assert body["system"] == [{"type": "text", "text": "Long prompt.", "cache_control": {"type": "ephemeral"}}]


async def test_a_round_of_tools_goes_into_one_message() -> None:
    messages = (
        Message("user", "Time?"),
        Message("assistant", "", ()),
        Message("assistant", "Let me see.", (ToolCall("c1", "now", '{"zone": "UTC"}'), ToolCall("c2", "moon", "[1"))),
        Message("tool", "12:00", tool_call_id="c1"),
        Message("tool", "full", tool_call_id="c2"),
        Message("user", "And?"),
    )
    body = await request_of(Call("", messages, 60))
    assert body["messages"] == [
        {"role": "user", "content": "Time?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "c1", "name": "now", "input": {"zone": "UTC"}},
                {"type": "tool_use", "id": "c2", "name": "moon", "input": {"arguments": "[1"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "12:00"},
                {"type": "tool_result", "tool_use_id": "c2", "content": "full"},
            ],
        },
        {"role": "user", "content": "And?"},
    ]
