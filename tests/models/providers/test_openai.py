from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.model import AS_IT_IS, Call, Message, Remedy, Schema, Strength, Tool, ToolCall
from flowassist.models.providers import openai
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.openai import COMPATIBLE, GATEWAY, OPENAI, Dialect, OpenAIModel
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors.compatible import CompatibleWire
from tests.vendors.openai import scripted
from tests.vendors.script import Raw, Say, Script
from tests.vendors.server import KEY as TRUE_KEY
from tests.vendors.server import Vendor

KEY = Secret("sk-1")
WARM = Call("Be brief.", CALL.messages, 60, temperature=0.2)


async def request_of(
    call: Call, name: str = "gpt-5.4", dialect: Dialect | None = OPENAI, remedies: frozenset[Remedy] = AS_IT_IS
) -> dict[str, Any]:
    async with scripted(Say("yes")) as vendor:
        place = openai.endpoint(Access("", vendor.url, KEY), Patience())
        await OpenAIModel(place, name, dialect=dialect).reply(call, remedies=remedies)
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


@pytest.mark.parametrize(
    ("remedy", "dialect", "left_out", "added"),
    [
        (Remedy.NO_TEMPERATURE, COMPATIBLE, {"temperature"}, {}),
        (Remedy.NEW_LIMIT, COMPATIBLE, {"max_tokens"}, {"max_completion_tokens": 60}),
        (Remedy.OLD_LIMIT, OPENAI, {"max_completion_tokens"}, {"max_tokens": 60}),
        (Remedy.NEW_LIMIT, OPENAI, set(), {}),
        (Remedy.NO_USAGE, OPENAI, {"stream_options"}, {}),
        (Remedy.NO_SCHEMA, OPENAI, set(), {}),
    ],
)
async def test_a_remedy_changes_one_thing(
    remedy: Remedy, dialect: Dialect, left_out: set[str], added: dict[str, object]
) -> None:
    usual = await request_of(WARM, "gpt-4o", dialect)
    other = await request_of(WARM, "gpt-4o", dialect, frozenset({remedy}))
    assert left_out <= set(usual)
    assert other == {name: value for name, value in usual.items() if name not in left_out} | added


async def test_a_schema_that_is_refused_is_told_in_words() -> None:
    call = Call("Be brief.", CALL.messages, 60, schema=Schema("spec", {"type": "object", "properties": {}}))
    body = await request_of(call, remedies=frozenset({Remedy.NO_SCHEMA}))
    assert "response_format" not in body
    assert body["messages"][0]["content"].startswith("Be brief.\n\n")
    assert body["messages"][0]["content"].endswith('{"type": "object", "properties": {}}')


@pytest.mark.parametrize(
    ("base_url", "dialect"),
    [
        ("https://api.openai.com/v1", OPENAI),
        ("https://API.openai.com/v1/", OPENAI),
        ("https://eu.api.openai.com/v1", OPENAI),
        ("https://notapi.openai.com/v1", GATEWAY),
        ("http://gateway.example/v1", GATEWAY),
    ],
)
def test_the_address_tells_the_dialect(base_url: str, dialect: Dialect) -> None:
    model = OpenAIModel(openai.endpoint(Access("", base_url, KEY), Patience()), "gpt-5.4")
    assert model.lessons.possible == dialect.possible == frozenset(Remedy)
    assert model.speaks is dialect


async def test_a_gateway_is_asked_carefully() -> None:
    shape = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 8}}}
    body = await request_of(Call("", CALL.messages, 60, schema=Schema("spec", shape), slot="spec"), dialect=None)
    assert body["max_tokens"] == 60
    assert "prompt_cache_key" not in body
    assert body["response_format"]["json_schema"]["schema"]["properties"] == {"a": {"type": "string"}}


def test_other_endpoints_cannot_be_asked_over_the_responses_api() -> None:
    place = openai.endpoint(Access("", "http://localhost:1/v1", KEY), Patience())
    assert OpenAIModel(place, "qwen", dialect=COMPATIBLE).lessons.possible == openai.CHAT


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("gpt-5.4", "/v1/chat/completions"),
        ("gpt-5-chat-latest", "/v1/chat/completions"),
        ("gpt-4o", "/v1/chat/completions"),
        ("o3", "/v1/chat/completions"),
        ("o3-pro", "/v1/responses"),
        ("o1-pro-2025-03-19", "/v1/responses"),
        ("gpt-5-pro", "/v1/responses"),
        ("gpt-5.5-pro-2026-04-23", "/v1/responses"),
        ("gpt-5.1-codex-max", "/v1/responses"),
        ("o4-mini-deep-research", "/v1/responses"),
        ("computer-use-preview", "/v1/responses"),
    ],
)
async def test_some_models_have_only_the_responses_api(name: str, path: str) -> None:
    body = b'data: {"type": "response.completed", "response": {}}\n\n' if "responses" in path else b""
    said = Raw((body,)) if body else Say("yes")
    async with scripted(said) as vendor:
        place = openai.endpoint(Access("", vendor.url, KEY), Patience())
        await OpenAIModel(place, name, dialect=OPENAI).reply(CALL)
        await place.aclose()
    assert vendor.requests[0].path == path


async def test_the_organization_is_the_owners_not_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-server")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-server")
    for more, sent in (({}, None), ({"OPENAI_ORG_ID": "org-owner"}, "org-owner")):
        async with scripted(Say("yes")) as vendor:
            place = openai.endpoint(Access("", vendor.url, KEY, more), Patience())
            await OpenAIModel(place, "gpt-5.4").reply(CALL)
            await place.aclose()
        assert vendor.requests[0].headers.get("openai-organization") == sent
        assert "openai-project" not in vendor.requests[0].headers


async def test_a_gateway_tells_its_models() -> None:
    async with Vendor(CompatibleWire(), Script()) as vendor:
        place = openai.endpoint(Access("", vendor.url, Secret(TRUE_KEY)), Patience())
        assert [listing.name for listing in await openai.WIRE.listed(place)] == ["qwen3-32b", "llama-3.3-70b"]
        await place.aclose()
    assert [request.path for request in vendor.asides] == ["/v1/models"]


async def test_the_models_of_openai_are_curated() -> None:
    assert await openai.WIRE.listed(openai.endpoint(Access("", openai.BASE_URL, KEY), Patience())) == ()


async def test_a_compatible_model_bears_the_name_of_its_provider() -> None:
    async with scripted(
        Raw((b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\r\n\r\n',))
    ) as vendor:
        place = openai.endpoint(Access("", vendor.url, KEY), Patience())
        model = OpenAIModel(place, "qwen", provider="embedded", strength=Strength.WEAK, dialect=COMPATIBLE)
        assert (await model.reply(CALL)).text == "a"
        await place.aclose()
    assert (model.provider, model.name, model.strength) == ("embedded", "qwen", Strength.WEAK)
