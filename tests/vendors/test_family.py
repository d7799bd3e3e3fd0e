"""The servers of OpenAI's family, read by OpenAI's own SDK."""

from collections.abc import Callable
from typing import Any

import pytest
from openai import AsyncAzureOpenAI, AsyncOpenAI, BadRequestError, RateLimitError

from flowassist.models.model import Finish
from tests.vendors import azure, compatible, google, groq, responses
from tests.vendors.script import Answer, CallTool, Fail, FailInStream, Say, Tool
from tests.vendors.server import Vendor

ASK: Any = [{"role": "user", "content": "?"}]
TEXT = "größer 😀"
TOOLS = CallTool((Tool("now", '{"zone": "UTC"}', "c1"), Tool("moon", "{}", "c2")))
Scripted = Callable[..., Vendor]


def client_of(vendor: Vendor) -> AsyncOpenAI:
    if vendor.wire.name == "azure_openai":
        version = "2025-04-01-preview"
        return AsyncAzureOpenAI(api_key="k", azure_endpoint=vendor.url, api_version=version, max_retries=0)
    return AsyncOpenAI(api_key="k", base_url=vendor.url, max_retries=0)


@pytest.fixture(
    params=[azure.scripted, compatible.scripted, google.scripted, groq.scripted], ids=lambda f: f.__module__
)
def scripted(request: pytest.FixtureRequest) -> Scripted:
    made: Scripted = request.param
    return made


async def chunks_of(client: AsyncOpenAI) -> list[Any]:
    return [chunk async for chunk in await client.chat.completions.create(model="m", messages=ASK, stream=True)]


async def test_text(scripted: Scripted) -> None:
    async with scripted(Say(TEXT, finish=Finish.LENGTH)) as vendor, client_of(vendor) as client:
        choices = [choice for chunk in await chunks_of(client) for choice in chunk.choices if choice.delta]
    assert "".join(choice.delta.content or "" for choice in choices) == TEXT
    assert choices[-1].finish_reason == "length"


async def test_tools(scripted: Scripted) -> None:
    async with scripted(TOOLS) as vendor, client_of(vendor) as client:
        deltas = [choice.delta for chunk in await chunks_of(client) for choice in chunk.choices if choice.delta]
    pieces = [piece for delta in deltas for piece in delta.tool_calls or ()]
    assert [piece.id for piece in pieces if piece.id] == ["c1", "c2"]
    assert "".join(piece.function.arguments or "" for piece in pieces) == '{"zone": "UTC"}{}'


async def test_failures_are_the_sdks_failures(scripted: Scripted) -> None:
    async with scripted(Fail(429), Fail(400, message="No.")) as vendor, client_of(vendor) as client:
        with pytest.raises(RateLimitError):
            await chunks_of(client)
        with pytest.raises(BadRequestError) as caught:
            await chunks_of(client)
    assert "No." in str(caught.value.body)


async def test_usage_stands_where_each_of_them_puts_it() -> None:
    async with groq.scripted(Say(TEXT)) as vendor, client_of(vendor) as client:
        assert (await chunks_of(client))[-1].x_groq["usage"]["total_tokens"] == 15
    async with google.scripted(Say(TEXT)) as vendor, client_of(vendor) as client:
        counts = [chunk.usage.total_tokens for chunk in await chunks_of(client) if chunk.usage]
    assert counts == [10, 15]


async def test_azure_tells_what_its_filters_found() -> None:
    async with azure.scripted(Say(TEXT)) as vendor, client_of(vendor) as client:
        first = (await chunks_of(client))[0]
    assert (first.choices, first.prompt_filter_results[0]["prompt_index"]) == ([], 0)


async def test_google_signs_tool_calls_and_gives_all_the_same_index() -> None:
    async with google.scripted(TOOLS) as vendor, client_of(vendor) as client:
        deltas = [choice.delta for chunk in await chunks_of(client) for choice in chunk.choices]
    pieces = [piece for delta in deltas for piece in delta.tool_calls or ()]
    assert [(piece.index, piece.extra_content["google"]["thought_signature"][-2:]) for piece in pieces] == [
        (0, "c1"),
        (0, "c2"),
    ]


async def test_models_are_listed() -> None:
    async with compatible.scripted() as vendor, client_of(vendor) as client:
        assert [model.id async for model in client.models.list()] == list(compatible.CompatibleWire.models)


async def final(answer: Answer) -> Any:
    async with responses.scripted(answer) as vendor, client_of(vendor) as client:
        return [event async for event in await client.responses.create(model="m", input="?", stream=True)]


async def test_responses_are_read_as_events() -> None:
    events = await final(Say(TEXT))
    assert events[0].type == "response.created"
    assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == TEXT
    assert (events[-1].type, events[-1].response.usage.total_tokens) == ("response.completed", 15)


async def test_responses_that_are_cut() -> None:
    for finish, reason in ((Finish.LENGTH, "max_output_tokens"), (Finish.REFUSAL, "content_filter")):
        last = (await final(Say(TEXT, finish=finish)))[-1]
        assert (last.type, last.response.incomplete_details.reason) == ("response.incomplete", reason)


async def test_responses_that_call_tools() -> None:
    events = await final(TOOLS)
    done = [event.item for event in events if event.type == "response.output_item.done"]
    assert [(item.call_id, item.name, item.arguments) for item in done] == [
        ("c1", "now", '{"zone": "UTC"}'),
        ("c2", "moon", "{}"),
    ]
    pieces = [event.delta for event in events if event.type == "response.function_call_arguments.delta"]
    assert "".join(pieces) == '{"zone": "UTC"}{}'


async def test_responses_tell_errors_as_events() -> None:
    last = (await final(FailInStream("server_error", "Sorry", text="so far")))[-1]
    assert (last.type, last.code, last.message) == ("error", "server_error", "Sorry")
