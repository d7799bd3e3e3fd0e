import json

import pytest

from flowassist.models.access import Access
from flowassist.models.model import (
    UNKNOWN,
    Call,
    Finish,
    Hear,
    Message,
    ModelError,
    Reply,
    Schema,
    Strength,
    Tool,
    ToolCall,
    Trouble,
    Usage,
)
from flowassist.models.providers import openai
from flowassist.models.providers.answer import Answer
from flowassist.models.providers.endpoint import Patience
from flowassist.models.providers.openai import COMPATIBLE, OPENAI, Chunks, Dialect, OpenAIModel, without
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors.openai import scripted
from tests.vendors.script import Raw, Say

KEY = Secret("sk-1")
STOP = {"choices": [{"delta": {}, "finish_reason": "stop"}]}


def read(*chunks: object, hear: Hear = lambda _: None) -> Reply:
    answer = Answer(hear)
    take = Chunks(answer, KEY)
    for chunk in chunks:
        take(json.loads(json.dumps(chunk)))
    return answer.reply()


def text(content: object, **more: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": content}, **more}]}


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{}]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {}}]},
        {"choices": [{"delta": {"role": "assistant", "content": None, "tool_calls": None}}]},
        {"choices": [{"delta": {"content": 7, "tool_calls": [None, 3]}, "finish_reason": None}]},
        {"choices": [{"delta": {"reasoning_content": "hm"}}]},
        {"usage": None},
        {"error": None},
        {"choices": [{"index": 1, "delta": {"content": "the second choice"}, "finish_reason": "length"}]},
    ],
)
def test_odd_chunks_say_nothing(odd: dict[str, object]) -> None:
    assert read(odd, text("a"), odd, text("b"), odd, STOP, odd) == Reply("ab", Finish.STOP, UNKNOWN)


def test_usage_comes_in_a_chunk_of_its_own() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}}
    assert read(text("a"), STOP, usage).usage == Usage(7, 3, 10)


def test_usage_on_every_chunk_is_cumulative() -> None:
    chunks = [text("a") | {"usage": {"prompt_tokens": 7, "completion_tokens": count}} for count in (1, 2)]
    assert read(*chunks, STOP).usage == Usage(7, 2, 9)


def test_a_part_of_usage_stays_a_part() -> None:
    assert read(STOP, {"usage": {"prompt_tokens": 7}}).usage == Usage(7, None, None)


def test_a_refusal_is_heard_and_is_no_answer() -> None:
    refusing = {"choices": [{"delta": {"refusal": "I will not."}}]}
    assert read(refusing, STOP) == Reply("I will not.", Finish.REFUSAL, UNKNOWN)


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", Finish.STOP),
        ("length", Finish.LENGTH),
        ("tool_calls", Finish.TOOL),
        ("function_call", Finish.TOOL),
        ("content_filter", Finish.REFUSAL),
    ],
)
def test_finish_reasons(reason: str, finish: Finish) -> None:
    assert read(text("a", finish_reason=reason), STOP).finish is finish


def test_an_unknown_finish_reason_is_no_end() -> None:
    with pytest.raises(ModelError) as caught:
        read(text("a", finish_reason="insufficient_system_resource"))
    assert caught.value.trouble is Trouble.BROKEN_OFF


def test_tool_calls_without_index_or_id() -> None:
    pieces = [
        {"choices": [{"delta": {"tool_calls": [{"function": {"name": "a", "arguments": '{"x"'}}]}}]},
        {"choices": [{"delta": {"tool_calls": [{"function": {"name": None, "arguments": ": 1}"}}]}}]},
        {"choices": [{"delta": {"tool_calls": [{"function": None}, {"id": "c", "function": {"name": "b"}}]}}]},
    ]
    reply = read(*pieces, STOP)
    assert reply.tool_calls == (ToolCall("call_0", "a", '{"x": 1}'), ToolCall("c", "b", "{}"))
    assert reply.finish is Finish.TOOL


@pytest.mark.parametrize("error", [{"message": "Overloaded", "code": "server_error"}, "server overloaded"])
def test_an_error_object_in_the_stream(error: object) -> None:
    with pytest.raises(ModelError) as caught:
        read(text("a"), {"error": error})
    assert (caught.value.trouble, caught.value.status) == (Trouble.OVERLOADED, 200)


async def request_of(call: Call, name: str = "gpt-5.4", dialect: Dialect = OPENAI) -> dict[str, object]:
    async with scripted(Say("yes")) as vendor:
        place = openai.endpoint(Access("", vendor.url, KEY), Patience())
        await OpenAIModel(place, name, dialect=dialect).reply(call)
        await place.aclose()
    return vendor.requests[0].body


async def test_a_plain_request() -> None:
    assert await request_of(CALL) == {
        "model": "gpt-5.4",
        "messages": [
            {"role": "system", "content": "You answer briefly."},
            {"role": "user", "content": "What is Langflow?"},
        ],
        "max_completion_tokens": 100,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_a_compatible_endpoint_takes_the_older_limit_and_any_temperature() -> None:
    call = Call("", CALL.messages, 60, temperature=0.0, slot="intent")
    body = await request_of(call, "qwen", COMPATIBLE)
    assert (body["max_tokens"], body["temperature"]) == (60, 0.0)
    assert not {"max_completion_tokens", "prompt_cache_key"} & set(body)


async def test_a_dialect_adds_fields() -> None:
    body = await request_of(CALL, "qwen", Dialect("max_tokens", more=lambda call: {"id_slot": call.max_tokens}))
    assert body["id_slot"] == 100


@pytest.mark.parametrize(("name", "sent"), [("gpt-5.4", False), ("o3", False), ("gpt-4o", True), ("gpt-4.1", True)])
async def test_reasoning_models_get_no_temperature(name: str, sent: bool) -> None:
    assert ("temperature" in await request_of(Call("", CALL.messages, 60, temperature=0.2), name)) is sent


async def test_everything_else_of_a_call() -> None:
    shape = {
        "type": "object",
        "properties": {"maxLength": {"type": "string", "maxLength": 80}, "all": {"anyOf": [{"minLength": 1}, {}]}},
        "required": ["maxLength", "all"],
        "additionalProperties": False,
    }
    tool = Tool("now", "Tells the time.", {"type": "object", "properties": {}})
    body = await request_of(Call("s", CALL.messages, 60, schema=Schema("spec", shape), tools=(tool,), slot="spec"))
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "spec",
            "strict": True,
            "schema": shape | {"properties": {"maxLength": {"type": "string"}, "all": {"anyOf": [{}, {}]}}},
        },
    }
    function = {"name": "now", "description": "Tells the time.", "parameters": tool.parameters}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["prompt_cache_key"] == "spec"


async def test_a_round_of_tools() -> None:
    messages = (
        Message("user", "Time?"),
        Message("assistant", "", (ToolCall("c1", "now", "{}"),)),
        Message("tool", "12:00", tool_call_id="c1"),
    )
    body = await request_of(Call("", messages, 60))
    called = {"id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    assert body["messages"] == [
        {"role": "user", "content": "Time?"},
        {"role": "assistant", "content": None, "tool_calls": [called]},
        {"role": "tool", "content": "12:00", "tool_call_id": "c1"},
    ]


def test_a_schema_keeps_what_is_not_named() -> None:
    shape = {"$defs": {"default": {"default": 1, "type": "integer"}}, "default": 2, "enum": ["default"]}
    assert without(shape, frozenset({"default"})) == {"$defs": {"default": {"type": "integer"}}, "enum": ["default"]}


async def test_a_compatible_model_bears_the_name_of_its_provider() -> None:
    async with scripted(
        Raw((b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\r\n\r\n',))
    ) as vendor:
        place = openai.endpoint(Access("", vendor.url, KEY), Patience())
        model = OpenAIModel(place, "qwen", provider="embedded", strength=Strength.WEAK, dialect=COMPATIBLE)
        assert (await model.reply(CALL)).text == "a"
        await place.aclose()
    assert (model.provider, model.name, model.strength) == ("embedded", "qwen", Strength.WEAK)
