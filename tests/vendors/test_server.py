"""The scripted servers, read by the vendors' own SDKs: what they say is what the SDKs understand."""

import json
from typing import Any

import pytest
from anthropic import AsyncAnthropic
from anthropic import InternalServerError as AnthropicServerError
from openai import APIStatusError, AsyncOpenAI
from openai import InternalServerError as OpenAIServerError

from flowassist.models.model import Finish
from tests.vendors import anthropic, openai
from tests.vendors.endless import Endless, example_of
from tests.vendors.openai import OpenAIWire
from tests.vendors.script import CallTool, Fail, Say, Script, Tool
from tests.vendors.server import Vendor

ASK: Any = [{"role": "user", "content": "?"}]
TEXT = "größer 😀"
TOOLS = CallTool((Tool("now", '{"zone": "UTC"}', "c1"), Tool("moon", "{}", "c2")), text="Wait.")


async def test_openai_reads_what_the_server_says() -> None:
    async with (
        openai.scripted(Say(TEXT), TOOLS) as vendor,
        AsyncOpenAI(api_key="k", base_url=vendor.url) as client,
    ):
        stream = await client.chat.completions.create(model="m", messages=ASK, stream=True)
        chunks = [chunk async for chunk in stream]
        assert "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices) == TEXT
        assert [choice.finish_reason for chunk in chunks for choice in chunk.choices][-1] == "stop"
        assert chunks[-1].usage is not None
        assert chunks[-1].usage.total_tokens == 15
        async with client.chat.completions.stream(model="m", messages=ASK) as calling:
            message = (await calling.get_final_completion()).choices[0].message
    assert [(call.id, call.function.arguments) for call in message.tool_calls or ()] == [
        ("c1", '{"zone": "UTC"}'),
        ("c2", "{}"),
    ]


async def test_anthropic_reads_what_the_server_says() -> None:
    said = Say(TEXT, finish=Finish.LENGTH)
    async with anthropic.scripted(said, TOOLS) as vendor, AsyncAnthropic(api_key="k", base_url=vendor.url) as client:
        async with client.messages.stream(model="m", messages=ASK, max_tokens=5) as stream:
            message = await stream.get_final_message()
        assert (message.content[0].to_dict()["text"], message.stop_reason) == (TEXT, "max_tokens")
        assert (message.usage.input_tokens, message.usage.output_tokens) == (10, 5)
        async with client.messages.stream(model="m", messages=ASK, max_tokens=5) as stream:
            blocks = [block.to_dict() for block in (await stream.get_final_message()).content]
    assert blocks[0]["text"] == "Wait."
    assert [(block["id"], block["input"]) for block in blocks[1:]] == [("c1", {"zone": "UTC"}), ("c2", {})]


async def test_failures_are_the_sdks_failures() -> None:
    async with (
        openai.scripted(Fail(503)) as vendor,
        AsyncOpenAI(api_key="k", base_url=vendor.url, max_retries=0) as one,
    ):
        with pytest.raises(OpenAIServerError):
            await one.chat.completions.create(model="m", messages=ASK)
    async with (
        anthropic.scripted(Fail(500, "api_error")) as vendor,
        AsyncAnthropic(api_key="k", base_url=vendor.url, max_retries=0) as two,
    ):
        with pytest.raises(AnthropicServerError):
            await two.messages.create(model="m", messages=ASK, max_tokens=5)


async def test_an_answer_that_nobody_asked_for_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="nobody asked for"):
        async with openai.scripted(Say("unused")):
            pass


async def test_a_request_that_nobody_expected_fails_the_test() -> None:
    vendor = await openai.scripted().__aenter__()
    async with AsyncOpenAI(api_key="k", base_url=vendor.url, max_retries=0) as client:
        with pytest.raises(APIStatusError, match="no answer is scripted"):
            await client.chat.completions.create(model="m", messages=ASK)
    with pytest.raises(AssertionError, match="nobody expected"):
        await vendor.__aexit__(None, None, None)


async def test_answers_for_a_schema_wait_for_it() -> None:
    shape = {"type": "json_schema", "json_schema": {"name": "intent", "schema": {"type": "object"}}}
    script = Script(Say("plain")).when("intent", Say("{}"))
    async with Vendor(OpenAIWire(), script) as vendor, AsyncOpenAI(api_key="k", base_url=vendor.url) as client:
        for extra, expected in ((None, "plain"), ({"response_format": shape}, "{}")):
            stream = await client.chat.completions.create(model="m", messages=ASK, stream=True, extra_body=extra)
            text = "".join([choice.delta.content or "" async for chunk in stream for choice in chunk.choices])
            assert text == expected


async def test_an_endless_server_speaks_for_itself() -> None:
    shape = {
        "type": "object",
        "properties": {
            "intent": {"type": "string", "enum": ["off_topic", "question"]},
            "translation": {"type": "string"},
            "sure": {"type": "boolean"},
            "model": {"anyOf": [{"type": "null"}, {"type": "string"}]},
        },
    }
    wish = {"type": "json_schema", "json_schema": {"name": "intent", "schema": shape}}
    async with (
        Vendor(OpenAIWire(), Endless(tokens=3, delay=0)) as vendor,
        AsyncOpenAI(api_key="k", base_url=vendor.url) as client,
    ):
        for extra, expected in ((None, "flow flow flow "), ({"response_format": wish}, json.dumps(example_of(shape)))):
            stream = await client.chat.completions.create(model="m", messages=ASK, stream=True, extra_body=extra)
            text = "".join([choice.delta.content or "" async for chunk in stream for choice in chunk.choices])
            assert text == expected
    assert example_of(shape) == {"intent": "question", "translation": "What is Langflow?", "sure": False, "model": None}
