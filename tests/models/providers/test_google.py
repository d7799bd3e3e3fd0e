from dataclasses import replace
from typing import Any

import pytest

from flowassist.models.model import Call, Message, ModelError, Remedy, Schema, Tool, ToolCall, Trouble, Usage
from flowassist.models.providers import google, openai
from tests.models.conftest import CALL
from tests.models.providers.conftest import staged
from tests.vendors import script
from tests.vendors.google import SIGNATURE
from tests.vendors.script import CallTool, Fail, Raw, Say

TOOL = Tool("now", "Tells the time.", {"type": "object", "properties": {"zone": {"type": "string", "pattern": "^U"}}})


async def request_of(call: Call) -> dict[str, Any]:
    async with staged("google", Say("yes"), model="gemini-2.5-pro") as (ask, vendor):
        await ask(call)
    assert vendor.requests[0].path == "/v1beta/openai/chat/completions"
    return vendor.requests[0].body


async def test_a_plain_request() -> None:
    body = await request_of(replace(CALL, temperature=0.1))
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("gemini-2.5-pro", 100, 0.1)


async def test_a_schema_loses_what_the_api_does_not_know() -> None:
    part = {"type": "string", "maxLength": 80, "enum": ["a"], "description": "One of."}
    shape = {"type": "object", "properties": {"a": part}, "required": ["a"], "additionalProperties": False}
    body = await request_of(Call("", CALL.messages, 60, schema=Schema("spec", shape), tools=(TOOL,)))
    known = {"type": "string", "enum": ["a"], "description": "One of."}
    assert body["response_format"]["json_schema"]["schema"] == shape | {"properties": {"a": known}}
    assert body["tools"][0]["function"]["parameters"]["properties"] == {"zone": {"type": "string"}}


async def test_signatures_go_back_with_their_calls() -> None:
    tools = (script.Tool("now", '{"zone": "UTC"}', "c1"), script.Tool("moon", "{}", "c2"))
    async with staged("google", CallTool(tools), Say("Noon.")) as (ask, vendor):
        reply = await ask(Call("", CALL.messages, 60, tools=(TOOL,)))
        assert reply.tool_calls == (
            ToolCall("c1", "now", '{"zone": "UTC"}', f"{SIGNATURE}c1"),
            ToolCall("c2", "moon", "{}", f"{SIGNATURE}c2"),
        )
        back = (*CALL.messages, Message("assistant", "", reply.tool_calls), Message("tool", "12", tool_call_id="c1"))
        await ask(Call("", back, 60, tools=(TOOL,)))
    assert [call["extra_content"] for call in vendor.requests[1].body["messages"][1]["tool_calls"]] == [
        {"google": {"thought_signature": f"{SIGNATURE}c1"}},
        {"google": {"thought_signature": f"{SIGNATURE}c2"}},
    ]


async def test_calls_of_other_models_need_no_signature() -> None:
    messages = (Message("assistant", "", (ToolCall("c", "now", "{}"),)), Message("tool", "12", tool_call_id="c"))
    body = await request_of(Call("", messages, 60))
    signature = {"google": {"thought_signature": "skip_thought_signature_validator"}}
    assert body["messages"][0]["tool_calls"][0]["extra_content"] == signature


async def test_only_google_gets_signatures() -> None:
    messages = (Message("assistant", "", (ToolCall("c", "now", "{}", "secret-thought"),)),)
    async with staged("openai", Say("yes")) as (ask, vendor):
        await ask(Call("", messages, 60))
    assert "secret-thought" not in str(vendor.requests[0].body)


async def test_errors_come_as_lists() -> None:
    async with staged("google", Fail(400, message="API key not valid. Please pass a valid API key.")) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
    assert (caught.value.trouble, str(caught.value)) == (
        Trouble.AUTHENTICATION,
        "API key not valid. Please pass a valid API key.",
    )


async def test_usage_in_every_chunk_is_cumulative() -> None:
    chunks = [
        b'data: {"choices": [{"delta": {"content": "a"}}], "usage": {"prompt_tokens": 7, "completion_tokens": %d, '
        b'"total_tokens": %d}}\n\n' % (count, 7 + count)
        for count in (1, 2, 3)
    ]
    told: list[Usage] = []
    async with staged("google", Raw((*chunks, b'data: {"choices": [{"finish_reason": "stop"}]}\n\n'))) as (ask, _):
        assert (await ask(CALL, spent=told.append)).usage == Usage(7, 3, 10)
    assert told == [Usage(7, 1, 8), Usage(7, 2, 9), Usage(7, 3, 10)]


async def test_a_model_bears_the_name_of_its_provider() -> None:
    async with staged("google", model="gemini-2.5-pro") as (ask, _):
        assert (ask.model.provider, ask.model.name) == ("google", "gemini-2.5-pro")
        assert ask.model.lessons.possible == openai.CHAT
        assert Remedy.RESPONSES not in ask.model.lessons.possible
    assert google.WIRE.base_url == "https://generativelanguage.googleapis.com/v1beta/openai/"
