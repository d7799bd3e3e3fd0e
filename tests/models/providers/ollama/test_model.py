import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import (
    UNKNOWN,
    Call,
    Finish,
    Message,
    Model,
    ModelError,
    Reply,
    Schema,
    Strength,
    Tool,
    ToolCall,
    Trouble,
    Usage,
)
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.ollama import client as ollama_client
from flowassist.models.providers.ollama import model as ollama
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors.ollama import Served, event, line, scripted
from tests.vendors.script import Answer, Fail, FailInStream, Hang, Raw, Request, Say
from tests.vendors.server import KEY, Vendor

TOOLS = (Tool("search", "Searches.", {"type": "object", "properties": {"query": {"minLength": 1}}}),)
LLAMA_CPP = {
    "error": json.dumps(
        {
            "error": {
                "code": 400,
                "message": "request (9021 tokens) exceeds the available context size (8192 tokens), try increasing it",
                "type": "exceed_context_size_error",
            }
        }
    )
}


@asynccontextmanager
async def reached(
    *answers: Answer, key: str = KEY, patience: Patience | None = None, **served: Any
) -> AsyncIterator[tuple[Endpoint[Any], Vendor]]:
    async with scripted(*answers, **served) as vendor:
        place = ollama.endpoint(Access("someone", vendor.url, Secret(key)), patience or Patience())
        try:
            yield place, vendor
        finally:
            await place.aclose()


@asynccontextmanager
async def asked(*answers: Answer, **settings: Any) -> AsyncIterator[tuple[Model, Vendor]]:
    async with reached(*answers, **settings) as (place, vendor):
        yield ollama.WIRE.model(place, "a-model"), vendor


async def body_of(call: Call, **served: Any) -> dict[str, Any]:
    """What is sent for `call` to such a model."""
    async with asked(Say("yes"), models={"a-model": Served(**served)}) as (model, vendor):
        await model.reply(call)
    return vendor.requests[0].body


async def failure(call: Call, *answers: Answer, **settings: Any) -> tuple[ModelError, list[Request]]:
    async with asked(*answers, **settings) as (model, vendor):
        with pytest.raises(ModelError) as caught:
            await model.reply(call)
    return caught.value, vendor.requests


def long(words: int) -> Call:
    return replace(CALL, messages=(Message("user", "understanding " * words),))


def raw(*lines: Mapping[str, Any]) -> Raw:
    return Raw(
        tuple(event(json.dumps(line, ensure_ascii=False)) for line in lines), content_type="application/x-ndjson"
    )


async def test_a_call_as_it_is_sent() -> None:
    call = Call("Be brief.", CALL.messages, 100, temperature=0.2)
    assert await body_of(call) == {
        "model": "a-model",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is Langflow?"},
        ],
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": {"num_ctx": 8192, "num_predict": 100, "temperature": 0.2},
    }


async def test_tools_are_offered_whole_and_their_results_go_back_by_name_and_id() -> None:
    messages = (
        Message("user", "When?"),
        Message("assistant", "Let me see.", (ToolCall("call_0", "now", '{"zone": "UTC"}'),)),
        Message("tool", "12:00", tool_call_id="call_0"),
        Message("assistant", "", (ToolCall("call_0", "search", "not json"),)),
        Message("tool", "nothing", tool_call_id="call_0"),
    )
    sent = await body_of(Call("", messages, 50, tools=TOOLS))
    called = {"id": "call_0", "function": {"name": "now", "arguments": {"zone": "UTC"}}}
    wrongly = {"id": "call_0", "function": {"name": "search", "arguments": {"arguments": "not json"}}}
    assert sent["messages"] == [
        {"role": "user", "content": "When?"},
        {"role": "assistant", "content": "Let me see.", "tool_calls": [called]},
        {"role": "tool", "content": "12:00", "tool_name": "now", "tool_call_id": "call_0"},
        {"role": "assistant", "content": "", "tool_calls": [wrongly]},
        {"role": "tool", "content": "nothing", "tool_name": "search", "tool_call_id": "call_0"},
    ]
    offered = {"name": "search", "description": "Searches.", "parameters": TOOLS[0].parameters}
    assert sent["tools"] == [{"type": "function", "function": offered}]


async def test_tool_calls_of_older_servers_have_no_ids() -> None:
    calls = [{"function": {"name": name, "arguments": arguments}} for name, arguments in (("a", {"x": 1}), ("b", {}))]
    more = [{"function": {"name": "c", "arguments": '{"y": "ü"}'}}, {"function": None}, None]
    last = {"done": True, "done_reason": "stop", "message": {"content": ""}}
    async with asked(raw({"message": {"tool_calls": calls}}, {"message": {"tool_calls": more}}, last)) as (model, _):
        reply = await model.reply(replace(CALL, tools=TOOLS))
    assert reply == Reply(
        "",
        Finish.TOOL,
        UNKNOWN,
        (ToolCall("call_0", "a", '{"x": 1}'), ToolCall("call_1", "b", "{}"), ToolCall("call_2", "c", '{"y": "ü"}')),
    )


async def test_a_schema_is_the_format() -> None:
    shape = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert (await body_of(replace(CALL, schema=Schema("empty", shape))))["format"] == {"title": "empty", **shape}


@pytest.mark.parametrize(
    ("served", "think", "limit"),
    [
        ({"capabilities": ("completion", "tools", "thinking")}, False, 100),
        ({"capabilities": ("completion", "tools", "thinking"), "family": "gptoss"}, "low", 100 + ollama.THOUGHTS),
        ({"capabilities": ("completion",)}, None, 100),
        ({"capabilities": None}, None, 100),
    ],
)
async def test_models_are_kept_from_thinking_as_far_as_that_goes(
    served: dict[str, Any], think: object, limit: int
) -> None:
    sent = await body_of(CALL, **served)
    assert (sent.get("think"), sent["options"]["num_predict"]) == (think, limit)


async def test_thoughts_inside_the_text_are_not_said() -> None:
    heard: list[str] = []
    chunks = ("\n<thi", "nk>Hm.\n", "So </th", "ink>\n", "\nLangflow ", "has <think> tags.")
    async with asked(Say(chunks=chunks)) as (model, _):
        reply = await model.reply(CALL, heard.append)
    assert (reply.text, heard) == ("Langflow has <think> tags.", ["Langflow ", "has <think> tags."])


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
async def test_characters_that_end_lines_elsewhere_are_text(size: int) -> None:
    text = "a\u2028b\u2029c\x85d"
    whole = event(json.dumps({"message": {"content": text}}, ensure_ascii=False)) + event(line(done=True))
    cut = tuple(whole[start : start + size] for start in range(0, len(whole), size))
    async with asked(Raw(cut)) as (model, _):
        assert (await model.reply(CALL)).text == text


async def test_a_last_line_needs_no_end() -> None:
    whole = json.dumps({"message": {"content": "all"}, "done": True, "done_reason": "length"}).encode()
    async with asked(Raw((whole,), content_type="application/json")) as (model, _):
        assert await model.reply(CALL) == Reply("all", Finish.LENGTH, UNKNOWN)


async def test_a_prompt_that_was_in_the_cache_is_not_counted() -> None:
    end = {"done": True, "message": {"content": "yes"}, "eval_count": 5}
    async with asked(raw(end)) as (model, _):
        assert await model.reply(CALL) == Reply("yes", Finish.STOP, Usage(None, 5, None))


@pytest.mark.parametrize("reason", ["load", "unload"])
async def test_a_model_that_was_only_loaded_did_not_answer(reason: str) -> None:
    error, _ = await failure(CALL, raw({"done": True, "done_reason": reason, "message": {"content": ""}}))
    assert error.trouble is Trouble.BROKEN_OFF


async def test_the_context_grows_in_steps_and_never_shrinks() -> None:
    calls = (CALL, long(2000), replace(CALL, max_tokens=20_000), CALL)
    async with asked(*[Say("yes")] * 4) as (model, vendor):
        for call in calls:
            await model.reply(call)
    assert [request.body["options"]["num_ctx"] for request in vendor.requests] == [8192, 16384, 24576, 24576]


@pytest.mark.parametrize(
    ("served", "window"),
    [
        ({"context": 4096}, 4096),
        ({"parameters": 'stop     "<|im_end|>"\nnum_ctx                        32768\n'}, 32768),
        ({"parameters": "num_ctx 32768", "context": 20_000}, 20_000),
    ],
)
async def test_the_context_follows_the_model(served: dict[str, Any], window: int) -> None:
    assert (await body_of(CALL, **served))["options"]["num_ctx"] == window


async def test_a_prompt_that_cannot_fit_is_not_sent() -> None:
    error, requests = await failure(long(4000), models={"a-model": Served(context=2048)})
    assert (error.trouble, error.usage, requests) == (Trouble.CONTEXT_TOO_LONG, Usage(), [])
    assert str(error) == "the model a-model cannot hold more than 2048 tokens"


@pytest.mark.parametrize("version", ["0.12.6", "0.40.2", "0.13.0-rc1", "0.0.0", "", None])
async def test_a_prompt_that_may_fit_is_left_to_the_server_to_refuse(version: str | None) -> None:
    models = {"a-model": Served(context=2048)}
    fail = Fail(400, message="the input length exceeds the context length")
    error, requests = await failure(long(500), fail, models=models, version=version)
    assert (error.trouble, error.status, len(requests)) == (Trouble.CONTEXT_TOO_LONG, 400, 1)


@pytest.mark.parametrize("aside", [(404, {"error": "no such path"}), (200, "v1"), (200, [1])])
async def test_a_server_that_tells_no_version_is_trusted(aside: tuple[int, Any]) -> None:
    models = {"a-model": Served(context=2048)}
    async with asked(Say("it fits"), models=models, asides={"/api/version": aside}) as (model, _):
        assert (await model.reply(long(500))).text == "it fits"


@pytest.mark.parametrize("version", ["0.12.5", "0.9.0"])
async def test_older_servers_would_cut_it(version: str) -> None:
    error, requests = await failure(long(500), models={"a-model": Served(context=2048)}, version=version)
    assert (error.trouble, requests) == (Trouble.CONTEXT_TOO_LONG, [])


async def test_a_prompt_that_filled_the_context_was_cut() -> None:
    error, _ = await failure(CALL, Say("half an answer", usage=Usage(8192, 5, 8197)))
    assert (error.trouble, error.heard, error.usage) == (Trouble.CONTEXT_TOO_LONG, True, Usage(8192, 5, 8197))


@pytest.mark.parametrize(
    ("size", "strength"),
    [
        ("6.7B", Strength.WEAK),
        ("494.03M", Strength.WEAK),
        ("7.0B", Strength.STRONG),
        ("1T", Strength.STRONG),
        ("", Strength.STRONG),
    ],
)
async def test_strength_is_known_once_it_is_ready(size: str, strength: Strength) -> None:
    async with asked(models={"a-model": Served(size=size)}) as (model, vendor):
        await model.ready()
        assert model.strength is strength
        await model.ready()
    assert [(request.path, request.body) for request in vendor.asides] == [("/api/show", {"model": "a-model"})]


async def test_what_was_told_of_a_model_is_asked_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((1000.0, 1000.0, 1299.0, 1300.0, 1300.0))
    monkeypatch.setattr(ollama_client, "monotonic", lambda: next(times))
    async with asked() as (model, vendor):
        for asked_for in (1, 1, 2):
            await model.ready()
            assert len(vendor.asides) == asked_for


async def test_a_model_that_is_not_there() -> None:
    async with asked(models={}) as (model, vendor):
        for asking in (model.ready, lambda: model.reply(CALL)):
            with pytest.raises(ModelError) as caught:
                await asking()
            assert (caught.value.trouble, caught.value.status) == (Trouble.NOT_AVAILABLE, 404)
            assert str(caught.value) == "model 'a-model' not found"
        assert vendor.requests == []


async def test_a_model_that_only_embeds() -> None:
    async with asked(models={"a-model": Served(capabilities=("embedding",))}) as (model, _):
        with pytest.raises(ModelError) as caught:
            await model.ready()
    assert caught.value.trouble is Trouble.NOT_AVAILABLE


async def test_a_model_without_tools_is_not_asked_to_use_any() -> None:
    models = {"a-model": Served(capabilities=("completion",))}
    error, requests = await failure(replace(CALL, tools=TOOLS), models=models)
    assert (error.trouble, error.usage, requests) == (Trouble.NO_TOOLS, Usage(), [])


async def test_older_servers_tell_it_themselves() -> None:
    text = "registry.ollama.ai/library/gemma:2b does not support tools"
    models = {"a-model": Served(capabilities=None)}
    error, requests = await failure(replace(CALL, tools=TOOLS), Fail(400, message=text), models=models)
    assert (error.trouble, len(requests)) == (Trouble.NO_TOOLS, 1)


@pytest.mark.parametrize("aside", [(404, "404 page not found"), (405, {}), (200, "<html>"), (200, [1]), (200, {})])
async def test_a_server_that_tells_nothing_of_its_models_is_asked_all_the_same(aside: tuple[int, Any]) -> None:
    async with asked(Say("yes"), asides={"/api/show": aside}) as (model, vendor):
        assert (await model.reply(replace(CALL, tools=TOOLS))).text == "yes"
        assert model.strength is Strength.STRONG
    assert vendor.requests[0].body["options"]["num_ctx"] == 8192


@pytest.mark.parametrize(
    ("status", "text", "trouble"),
    [
        (401, "unauthorized", Trouble.AUTHENTICATION),
        (403, "this model requires a subscription, upgrade for access: https://ollama.com", Trouble.NOT_AVAILABLE),
        (404, 'model "x" not found, try pulling it first', Trouble.NOT_AVAILABLE),
        (404, "404 page not found", Trouble.UNREACHABLE),
        (400, '"x" does not support chat', Trouble.NOT_AVAILABLE),
        (400, LLAMA_CPP["error"], Trouble.CONTEXT_TOO_LONG),
        (400, "the prompt is longer than the context length currently available", Trouble.CONTEXT_TOO_LONG),
        (429, "too many concurrent requests", Trouble.RATE_LIMITED),
        (500, "error parsing tool call: raw='out of memory', err=invalid character 'o'", Trouble.MALFORMED),
        (500, "model requires more system memory (9.9 GiB) than is available (7.6 GiB)", Trouble.NOT_AVAILABLE),
        (500, "llama runner process has terminated: cudaMalloc failed: out of memory", Trouble.NOT_AVAILABLE),
        (500, "unable to allocate CUDA0 buffer", Trouble.NOT_AVAILABLE),
        (500, "llama runner process has terminated: exit status 2", Trouble.OVERLOADED),
        (503, "server busy, please try again.  maximum pending requests exceeded", Trouble.OVERLOADED),
    ],
)
async def test_what_its_errors_mean(status: int, text: str, trouble: Trouble) -> None:
    error, _ = await failure(CALL, Fail(status, message=text))
    assert (error.trouble, error.status, error.usage) == (trouble, status, Usage())


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("error parsing tool call: raw='{', err=unexpected end", Trouble.MALFORMED),
        ("an error was encountered while running the model: CUDA error: out of memory", Trouble.NOT_AVAILABLE),
        ("unexpected EOF", Trouble.OVERLOADED),
    ],
)
async def test_what_its_errors_inside_a_stream_mean(text: str, trouble: Trouble) -> None:
    error, _ = await failure(CALL, FailInStream("", text))
    assert (error.trouble, error.status, str(error)) == (trouble, 200, text)


async def test_redirects_are_not_followed() -> None:
    async with reached() as (_, elsewhere):
        error, _ = await failure(CALL, Fail(307, headers={"location": f"{elsewhere.url}/api/chat"}))
        assert elsewhere.connected == 0
    assert (error.trouble, error.status) == (Trouble.UNREACHABLE, 307)


async def test_a_server_that_tells_nothing_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ollama_client, "LOOK_UP_SECONDS", 0.05)
    async with asked(Hang(), scripted_paths=frozenset({"/api/show"})) as (model, _):
        with pytest.raises(ModelError) as caught:
            await model.ready()
    assert (caught.value.trouble, caught.value.usage) == (Trouble.TIMEOUT, Usage())


@pytest.mark.parametrize("path", ["/api/show", "/api/version"])
async def test_no_look_up_takes_longer_than_a_first_token_may(path: str) -> None:
    quick, models = Patience(first_event=0.05), {"a-model": Served(context=2048)}
    async with asked(Hang(), scripted_paths=frozenset({path}), models=models, patience=quick) as (model, vendor):
        with pytest.raises(ModelError) as caught:
            await model.reply(long(500))
    assert (caught.value.trouble, caught.value.usage) == (Trouble.TIMEOUT, Usage())
    assert str(caught.value) == "Ollama did not answer within 0.05 seconds"
    assert [request.path for request in vendor.requests] == [path]


async def test_look_ups_of_one_call_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    limits, limited = [], ollama_client.Client.looking_up

    def counted(client: ollama_client.Client) -> AbstractAsyncContextManager[None]:
        limits.append(client)
        return limited(client)

    monkeypatch.setattr(ollama_client.Client, "looking_up", counted)
    async with asked(Say("it fits"), models={"a-model": Served(context=2048)}) as (model, vendor):
        await model.reply(long(500))
    assert [request.path for request in vendor.asides] == ["/api/show", "/api/version"]
    assert len(limits) == 1


async def test_without_a_key_none_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "of-the-server")
    async with asked(Say("yes"), key="") as (model, vendor):
        await model.reply(CALL)
    assert "authorization" not in vendor.requests[0].headers
    assert "authorization" not in vendor.asides[0].headers


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("gpu-box", "http://gpu-box:11434"),
        ("gpu-box:8080/", "http://gpu-box:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://0.0.0.0:11434/v1", "http://127.0.0.1:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("http://[::]:8080", "http://[::1]:8080"),
        ("https://ollama.com", "https://ollama.com"),
        ("https://ollama.com/api/", "https://ollama.com"),
        ("https://some.where/ollama/api", "https://some.where/ollama"),
    ],
)
def test_addresses(given: str, url: str) -> None:
    place = ollama.endpoint(Access("", given, Secret("")), Patience())
    assert place.base_url == url
    assert place.is_local is ("127.0.0.1" in url or "::1" in url)


async def test_what_is_no_address() -> None:
    place = ollama.endpoint(Access("", "http://gpu-box:port", Secret("")), Patience())
    with pytest.raises(ModelError) as caught:
        await ollama.WIRE.model(place, "a-model").ready()
    assert caught.value.trouble is Trouble.UNREACHABLE


async def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ollama, "find_spec", lambda name: None)
    place = ollama.endpoint(Access("", "", Secret("")), Patience())
    with pytest.raises(ModelError) as caught:
        await ollama.WIRE.model(place, "a-model").ready()
    assert (caught.value.trouble, str(caught.value)) == (Trouble.NOT_AVAILABLE, ollama.NOT_INSTALLED)


def test_a_model_may_take_long_to_load() -> None:
    assert ollama.endpoint(Access("", "", Secret("")), Patience()).patience.first_event == 300.0


async def test_models_are_listed_in_the_order_of_preference() -> None:
    models = {
        "nomic-embed-text:latest": Served("nomic-bert", "137M"),
        "qwen3-embedding:8b": Served("qwen3", "7.6B"),
        "all-minilm:latest": Served("bert", "23M"),
        "snow:latest": Served("xlm", "567M", families=("xlm", "bert")),
        "gpt-oss:120b-cloud": Served("gptoss", "116.8B"),
        "glm-5:cloud": Served("", ""),
        "llama3.2:1b": Served("llama", "1.2B"),
        "qwen3:8b": Served("qwen3", "8.2B"),
        "mystery:latest": Served("", ""),
        "llama3.3:70b": Served("llama", "70.6B"),
        "gemma3:4b": Served("gemma3", "4.3B"),
    }
    async with reached(models=models) as (place, vendor):
        listed = await ollama.WIRE.listed(place)
    names = [
        "llama3.3:70b",
        "qwen3:8b",
        "mystery:latest",
        "gemma3:4b",
        "llama3.2:1b",
        "gpt-oss:120b-cloud",
        "glm-5:cloud",
    ]
    assert listed == tuple(Listing(name, name) for name in names)
    assert [request.path for request in vendor.asides] == ["/api/tags"]


@pytest.mark.parametrize("aside", [(200, "<html>"), (200, [1]), (200, {"data": []}), (404, "404 page not found")])
async def test_an_address_without_a_list(aside: tuple[int, Any]) -> None:
    async with reached(asides={"/api/tags": aside}) as (place, _):
        with pytest.raises(ModelError) as caught:
            await ollama.WIRE.listed(place)
    assert caught.value.trouble is Trouble.UNREACHABLE


async def test_nobody_listens_for_a_list() -> None:
    async with reached() as (place, vendor):
        await vendor.stop_listening()
        with pytest.raises(ModelError) as caught:
            await ollama.WIRE.listed(place)
    assert (caught.value.trouble, caught.value.usage) == (Trouble.UNREACHABLE, Usage())
    assert str(caught.value).startswith("ConnectError: ")
