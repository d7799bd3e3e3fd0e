"""What WatsonX alone does, beside what every provider shows: its tokens, its errors, its request and its list."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import (
    Call,
    Finish,
    Message,
    Model,
    ModelError,
    Remedy,
    Reply,
    Schema,
    Tool,
    ToolCall,
    Trouble,
    Usage,
)
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.watsonx import model as watsonx
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors.script import Answer, Fail, Raw, Request, Say, Script
from tests.vendors.server import EVENTS, KEY, Vendor
from tests.vendors.watsonx import PROJECT, UNKNOWN_KEY, WatsonxWire, choice, event, granted, scripted

NOW = Tool("now", "Tells the time.", {"type": "object", "properties": {}})
WITH_TOOLS = Call("", CALL.messages, 60, tools=(NOW,))


def endpoint(vendor: Vendor, patience: Patience = Patience(), /, **more: str) -> Endpoint[Any]:  # noqa: B008 - frozen
    access = Access("someone", vendor.url, Secret(KEY), {**vendor.environment, **more})
    return watsonx.WIRE.endpoint(access, patience)


def wire(vendor: Vendor) -> WatsonxWire:
    assert isinstance(vendor.wire, WatsonxWire)
    return vendor.wire


@asynccontextmanager
async def asked(*answers: Answer, lifetime: int = 3600) -> AsyncIterator[tuple[Model, Vendor]]:
    async with scripted(*answers, lifetime=lifetime) as vendor:
        place = endpoint(vendor)
        yield watsonx.WIRE.model(place, "ibm/granite-4"), vendor
        await place.aclose()


async def failure(model: Model, call: Call = CALL) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await model.reply(call)
    return caught.value


async def body_of(call: Call, *remedies: Remedy, **more: str) -> dict[str, Any]:
    async with scripted(Say("yes")) as vendor:
        place = endpoint(vendor, **more)
        await watsonx.WIRE.model(place, "m").reply(call, remedies=frozenset(remedies))
        await place.aclose()
    return vendor.requests[0].body


def shown(vendor: Vendor) -> list[str]:
    """The tokens that came with the requests to the model."""
    return [request.headers["authorization"].removeprefix("Bearer ") for request in vendor.requests]


async def test_a_plain_request() -> None:
    async with asked(Say("yes")) as (model, vendor):
        assert await model.reply(CALL) == Reply("yes", Finish.STOP, Usage(10, 5, 15))
    (request,) = vendor.requests
    assert request.path.startswith("/ml/v1/text/chat_stream?version=20")
    assert request.headers["user-agent"].startswith("ibm-watsonx-ai/")
    assert request.body == {
        "model_id": "ibm/granite-4",
        "messages": [
            {"role": "system", "content": "You answer briefly."},
            {"role": "user", "content": "What is Langflow?"},
        ],
        "max_completion_tokens": 100,
        "project_id": PROJECT,
    }


async def test_a_space_stands_in_for_a_project() -> None:
    body = await body_of(CALL, WATSONX_PROJECT_ID="", WATSONX_SPACE_ID="a-space")
    assert (body["space_id"], "project_id" in body) == ("a-space", False)


async def test_everything_else_of_a_call() -> None:
    shape = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    body = await body_of(Call("s", CALL.messages, 60, schema=Schema("spec", shape), tools=(NOW,), temperature=0.2))
    named = {"name": "spec", "schema": shape, "strict": True}
    assert body["response_format"] == {"type": "json_schema", "json_schema": named}
    about = {"name": "now", "description": "Tells the time.", "parameters": NOW.parameters}
    assert (body["tools"], body["tool_choice_option"]) == ([{"type": "function", "function": about}], "auto")
    assert body["temperature"] == 0.2


async def test_a_round_of_tools() -> None:
    messages = (
        Message("user", "Time?"),
        Message("assistant", "", (ToolCall("c1", "now", "{}"),)),
        Message("tool", "12:00", tool_call_id="c1"),
        Message("assistant", "Let me see.", (ToolCall("c2", "now", "{}"),)),
    )
    _, first, result, second = (await body_of(Call("", messages, 60)))["messages"]
    function = {"name": "now", "arguments": "{}"}
    assert first == {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    assert result == {"role": "tool", "tool_call_id": "c1", "content": "12:00"}
    assert (second["content"], second["tool_calls"][0]["id"]) == ("Let me see.", "c2")


async def test_remedies() -> None:
    call = Call("", CALL.messages, 60, temperature=0.2)
    body = await body_of(call, Remedy.OLD_LIMIT, Remedy.NO_TEMPERATURE)
    assert body["max_tokens"] == 60
    assert not {"max_completion_tokens", "temperature"} & set(body)
    assert (await body_of(call, Remedy.NEW_LIMIT))["max_completion_tokens"] == 60


async def test_a_token_is_fetched_once_and_kept() -> None:
    async with asked(Say("one"), Say("two"), Say("three")) as (model, vendor):
        await asyncio.gather(model.reply(CALL), model.reply(CALL))
        await model.reply(CALL)
    assert len(vendor.asides) == 1
    assert shown(vendor) == wire(vendor).issued * 3


async def test_a_token_in_its_last_minute_is_renewed_first() -> None:
    async with asked(Say("one"), Say("two"), lifetime=30) as (model, vendor):
        await model.reply(CALL)
        await model.reply(CALL)
    assert shown(vendor) == wire(vendor).issued
    assert len(set(shown(vendor))) == 2


async def test_a_dead_token_is_renewed_and_the_call_asked_once_more() -> None:
    dead = Fail(401, "authentication_token_expired")
    async with asked(Say("one"), dead, Say("two")) as (model, vendor):
        await model.reply(CALL)
        assert (await model.reply(CALL)).text == "two"
    old, new = wire(vendor).issued
    assert shown(vendor) == [old, old, new]


async def test_a_renewed_token_that_is_refused_too_ends_the_call() -> None:
    dead = Fail(401, "authentication_token_not_valid")
    async with asked(Say("one"), dead, dead) as (model, vendor):
        await model.reply(CALL)
        error = await failure(model)
    assert (error.trouble, error.status, len(vendor.requests)) == (Trouble.AUTHENTICATION, 401, 3)


async def test_a_new_token_that_is_refused_ends_the_call_at_once() -> None:
    async with asked(Fail(401, "authentication_token_not_valid")) as (model, vendor):
        assert (await failure(model)).trouble is Trouble.AUTHENTICATION
    assert (len(vendor.requests), len(vendor.asides)) == (1, 1)


class Revoking(Script):
    """Answers, but refuses the tokens of `dead`."""

    dead: tuple[str, ...] = ()

    def choose(self, request: Request) -> Answer:
        is_dead = request.headers["authorization"].removeprefix("Bearer ") in self.dead
        return Fail(401, "authentication_token_expired") if is_dead else super().choose(request)


async def test_calls_that_meet_a_dead_token_together_share_the_next_one() -> None:
    script = Revoking(*[Say("yes")] * 4)
    async with Vendor(WatsonxWire(), script) as vendor:
        place = endpoint(vendor)
        model = watsonx.WIRE.model(place, "m")
        await asyncio.gather(model.reply(CALL), model.reply(CALL))
        script.dead = tuple(wire(vendor).issued)
        answers = await asyncio.gather(model.reply(CALL), model.reply(CALL))
        await place.aclose()
    assert [answer.text for answer in answers] == ["yes", "yes"]
    old, new = wire(vendor).issued
    assert sorted(shown(vendor)) == sorted([old] * 4 + [new] * 2)


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        ((400, UNKNOWN_KEY), Trouble.AUTHENTICATION),
        ((401, {"errorCode": "BXNIM0408E", "errorMessage": f"Locked: {KEY}"}), Trouble.AUTHENTICATION),
        ((403, {}), Trouble.AUTHENTICATION),
        ((404, {}), Trouble.UNREACHABLE),
        ((429, {"errorCode": "BXNIM0128E", "errorMessage": "Slow down"}), Trouble.RATE_LIMITED),
        ((503, []), Trouble.OVERLOADED),
        ((200, {}), Trouble.BROKEN_OFF),
        ((202, {}), Trouble.BROKEN_OFF),
        ((200, ["Sign in"]), Trouble.BROKEN_OFF),
        (granted("opaque"), Trouble.BROKEN_OFF),
        (granted("a.b.c"), Trouble.BROKEN_OFF),
    ],
)
async def test_no_token_no_call(answer: tuple[int, Any], trouble: Trouble) -> None:
    async with asked(Say("now")) as (model, vendor):
        wire(vendor).tokens.append(answer)
        error = await failure(model)
        assert (error.trouble, error.usage, KEY in str(error)) == (trouble, Usage(), False)
        assert not vendor.requests
        assert (await model.reply(CALL)).text == "now"


async def test_the_token_service_is_quoted() -> None:
    async with asked() as (model, vendor):
        wire(vendor).tokens.append((400, UNKNOWN_KEY))
        error = await failure(model)
    assert (error.status, error.code, error.said) == (400, "BXNIM0415E", "Provided API key could not be found.")


async def test_waiting_for_a_token_has_an_end_and_its_socket_too() -> None:
    left = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        left.set()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1") as server, scripted() as vendor:
        address = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/identity/token"
        place = endpoint(vendor, Patience(first_event=0.1), WATSONX_AUTH_URL=address)
        error = await failure(watsonx.WIRE.model(place, "m"))
        await left.wait()
        await place.aclose()
    assert error.trouble is Trouble.TIMEOUT
    assert not vendor.requests


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 520])
async def test_a_call_that_fails_is_one_request(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATSONX_MAX_RETRIES", "3")
    async with asked(Fail(status, headers={"retry-after": "7"})) as (model, vendor):
        assert (await failure(model)).retry_after == 7.0
    assert len(vendor.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "message", "trouble"),
    [
        (404, "model_not_supported", "Model 'ibm/granite-4' is not supported.", Trouble.NOT_AVAILABLE),
        (
            400,
            "model_no_support_for_function",
            "Model 'x' has no function 'function_text_chat'",
            Trouble.NOT_AVAILABLE,
        ),
        (403, "token_quota_reached", "Request of 1 token(s) from quota was rejected", Trouble.QUOTA),
        (429, "consumption_limit_reached", "Too many requests at once", Trouble.RATE_LIMITED),
        (429, "rate_limit_reached_requests", "Rate limit reached", Trouble.RATE_LIMITED),
        (403, "no_associated_service_instance_error", "project_id p is not associated", Trouble.FORBIDDEN),
        (404, "container_not_found", "Project p not found", Trouble.FORBIDDEN),
        (403, "user_authorization_failed", "Not a member of the project", Trouble.FORBIDDEN),
        (403, "authorization_rejected", "Not allowed", Trouble.FORBIDDEN),
        (
            400,
            "invalid_input_argument",
            "input tokens 9 cannot exceed the limit 8",
            Trouble.CONTEXT_TOO_LONG,
        ),
        (400, "invalid_request_entity", "messages must not be empty", Trouble.BAD_REQUEST),
        (500, "downstream_request_failed", "Downstream vllm request failed", Trouble.OVERLOADED),
    ],
)
async def test_errors_of_the_service(status: int, code: str, message: str, trouble: Trouble) -> None:
    async with asked(Fail(status, code, message)) as (model, _):
        error = await failure(model)
    assert (error.trouble, error.status, error.code, error.said) == (trouble, status, code, message)


async def test_a_model_without_tools_is_told_from_one_without_chat() -> None:
    code = "model_no_support_for_function"
    refused = Fail(400, code, "Model 'x' does not support function 'function_text_chat_tools'")
    no_chat = Fail(400, code, "Model 'x' does not support function 'function_text_chat'")
    async with asked(refused, no_chat, refused) as (model, _):
        assert (await failure(model, WITH_TOOLS)).trouble is Trouble.NO_TOOLS
        assert (await failure(model, WITH_TOOLS)).trouble is Trouble.NOT_AVAILABLE
        assert (await failure(model)).trouble is Trouble.NOT_AVAILABLE


@pytest.mark.parametrize(
    ("reason", "trouble"),
    [
        ("time_limit", Trouble.TIMEOUT),
        ("cancelled", Trouble.BROKEN_OFF),
        ("error", Trouble.OVERLOADED),
        ("tired", Trouble.BROKEN_OFF),
    ],
)
async def test_reasons_to_stop_that_leave_a_fragment(reason: str, trouble: Trouble) -> None:
    counts = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
    last = event({"choices": [{"index": 0, "finish_reason": reason, "delta": {}}], "usage": counts})
    async with asked(Raw((choice(content="so far") + last,), content_type=EVENTS)) as (model, _):
        error = await failure(model)
    assert (error.trouble, error.heard) == (trouble, True)
    assert reason in str(error)
    assert error.usage == Usage(7, 1, 8) or reason == "tired"


async def test_a_server_that_nobody_vouches_for_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scripted() as vendor:
        monkeypatch.setenv("WX_CLIENT_VERIFY_REQUESTS", "false")
        place = endpoint(vendor)
        error = await failure(watsonx.WIRE.model(place, "m"))
        await place.aclose()
    assert error.trouble is Trouble.UNREACHABLE
    assert "CERTIFICATE_VERIFY_FAILED" in str(error)
    assert not vendor.asides


@pytest.mark.parametrize(
    ("url", "more", "missing"),
    [
        ("", {"WATSONX_PROJECT_ID": ""}, "WATSONX_PROJECT_ID or WATSONX_SPACE_ID is not set"),
        ("https://cpd.example.com", {"WATSONX_AUTH_URL": ""}, "WATSONX_AUTH_URL is not set"),
        ("http://us-south.ml.cloud.ibm.com", {}, "url"),
    ],
)
async def test_what_is_missing_is_told(url: str, more: Mapping[str, str], missing: str) -> None:
    async with scripted() as vendor:
        access = Access("someone", url or vendor.url, Secret(KEY), {**vendor.environment, **more})
        place = watsonx.WIRE.endpoint(access, Patience())
        error = await failure(watsonx.WIRE.model(place, "m"))
    assert error.trouble is Trouble.BAD_REQUEST
    assert missing in error.said


async def test_a_file_of_authorities_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scripted() as vendor:
        monkeypatch.setenv("WX_CLIENT_VERIFY_REQUESTS", "/nowhere/authority.pem")
        error = await failure(watsonx.WIRE.model(endpoint(vendor), "m"))
    assert error.said == "WX_CLIENT_VERIFY_REQUESTS names no file of certificates"


async def test_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ibm_watsonx_ai", None)
    async with scripted() as vendor:
        error = await failure(watsonx.WIRE.model(endpoint(vendor), "m"))
    assert (error.trouble, "flowassist[watsonx]" in error.said) == (Trouble.BAD_REQUEST, True)


def test_the_package_is_loaded_late() -> None:
    program = (
        "import sys, flowassist.models.providers.watsonx.model; print({'ibm_watsonx_ai', 'httpx2'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert told.stdout == "set()\n"


@pytest.mark.parametrize(
    ("region", "tokens"),
    [
        ("https://us-south.ml.cloud.ibm.com", "iam.cloud.ibm.com:443"),
        ("https://eu-de.ml.cloud.ibm.com/", "iam.cloud.ibm.com:443"),
        ("https://ap-south-1.aws.wxai.ibm.com", "account-iam.platform.saas.ibm.com:443"),
    ],
)
async def test_regions_have_their_own_token_service(region: str, tokens: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[str] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked_for.append((await reader.readline()).decode().split()[1])
        writer.close()

    async with await asyncio.start_server(proxy, "127.0.0.1") as server:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        access = Access("someone", region, Secret(KEY), {"WATSONX_PROJECT_ID": PROJECT})
        place = watsonx.WIRE.endpoint(access, Patience())
        assert (await failure(watsonx.WIRE.model(place, "m"))).trouble is Trouble.UNREACHABLE
        await place.aclose()
    assert asked_for == [tokens]


async def test_neither_key_nor_token_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with asked(Say("yes")) as (model, vendor):
        wire(vendor).tokens.append((400, {"errorCode": "BXNIM0415E", "errorMessage": f"not {KEY}"}))
        told = [str(await failure(model))]
        await model.reply(CALL)
        (secret,) = wire(vendor).issued
        vendor.script.then(Fail(400, "invalid", f"token {secret}"))
        told += [str(await failure(model)), repr(vars(model)), caplog.text]
    assert told[:2] == ["not ***", "token ***"]
    assert not [text for text in told for hidden in (KEY, secret) if hidden in text]


def spec(name: str, *stages: tuple[str, str], functions: tuple[str, ...] = ("text_chat",)) -> dict[str, Any]:
    return {
        "model_id": f"ibm/{name}",
        "label": name,
        "functions": [{"id": function} for function in functions],
        "lifecycle": [{"id": stage, "start_date": begun} for stage, begun in stages],
    }


async def test_listed_are_models_that_can_chat_and_stay() -> None:
    page = [
        spec("granite-4", ("available", "2026-01-01"), ("deprecated", "2999-01-01")),
        spec("embedder", functions=("embedding",)),
        spec("old", ("available", "2024-01-01"), ("deprecated", "2026-01-01")),
        spec("rare", ("constricted", "2025-01-01")),
        spec("gone", ("withdrawn", "2025-01-01")),
        {"model_id": 7, "functions": None},
        "rubbish",
    ]
    following = {"href": "https://elsewhere.example.com/ml/v1/foundation_model_specs?version=2026-10-14&start=second"}
    async with scripted() as vendor:
        wire(vendor).pages = {
            "": (200, {"resources": page, "next": following}),
            "second": (200, {"resources": [spec("llama-5") | {"label": None}, spec("granite-4")]}),
        }
        place = endpoint(vendor)
        listed = await watsonx.WIRE.listed(place)
        await place.aclose()
    assert listed == (Listing("ibm/granite-4", "granite-4"), Listing("ibm/llama-5", "ibm/llama-5"))
    assert [request.headers.get("authorization") for request in vendor.asides] == [None, None]


async def test_a_list_that_is_not_shown_to_anybody_is_asked_for_with_a_token() -> None:
    async with scripted() as vendor:
        wire(vendor).pages[""] = (401, {"errors": [{"code": "authentication_token_missing"}]})
        place = endpoint(vendor)
        with pytest.raises(ModelError) as caught:
            await watsonx.WIRE.listed(place)
        await place.aclose()
    assert caught.value.trouble is Trouble.AUTHENTICATION
    tried = [request.headers.get("authorization") for request in vendor.asides if "specs" in request.path]
    assert tried == [None, f"Bearer {wire(vendor).issued[0]}"]


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        ((403, {"errors": [{"code": "authorization_rejected"}]}), Trouble.FORBIDDEN),
        ((500, {}), Trouble.OVERLOADED),
        ((200, ["Sign in"]), Trouble.UNREACHABLE),
    ],
)
async def test_a_list_that_cannot_be_had(answer: tuple[int, Any], trouble: Trouble) -> None:
    async with scripted() as vendor:
        wire(vendor).pages[""] = answer
        place = endpoint(vendor)
        with pytest.raises(ModelError) as caught:
            await watsonx.WIRE.listed(place)
        await place.aclose()
    assert caught.value.trouble is trouble
