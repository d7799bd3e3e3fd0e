"""Bad input over the wire: each gets its status and reason, and the server goes on."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from grpc_status import rpc_status
from structlog.testing import capture_logs

from flowassist.assistant.intended import Kind
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.events_pb2 import AssistEvent
from tests.conversation.conftest import KEYS, House, another, intent, kinds
from tests.conversation.scenarios import QUESTION
from tests.vendors.script import Fail, Hang, Say
from tests.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="session")
ASSIST = "/flowassist.v1.AssistantService/Assist"


async def refusal(ask: Callable[[], Awaitable[object]]) -> tuple[grpc.StatusCode, str, list[Any]]:
    """Status, reason and details of a call that must be refused."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await ask()
    status = rpc_status.from_call(error.value)
    assert status, f"no details: {error.value}"
    info = ErrorInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "flowassist"
    return error.value.code(), info.reason, list(status.details)


@pytest.mark.parametrize(
    ("fields", "code", "reason"),
    [
        ({"input_value": ""}, "INVALID_ARGUMENT", "INPUT_EMPTY"),
        ({"input_value": "x" * 2001}, "INVALID_ARGUMENT", "INPUT_TOO_LONG"),
        ({"input_value": "a\0b"}, "INVALID_ARGUMENT", "INPUT_HAS_NUL"),
        ({"flow_id": "7"}, "INVALID_ARGUMENT", "FLOW_ID_INVALID"),
        ({"flow_id": str(uuid.uuid4())}, "NOT_FOUND", "FLOW_NOT_FOUND"),
        ({"session_id": "a b"}, "INVALID_ARGUMENT", "SESSION_ID_INVALID"),
        ({"max_retries": 6}, "INVALID_ARGUMENT", "LIMIT_OUT_OF_RANGE"),
        ({"max_retries": 0}, "INVALID_ARGUMENT", "LIMIT_OUT_OF_RANGE"),
        ({"history_limit": 101}, "INVALID_ARGUMENT", "LIMIT_OUT_OF_RANGE"),
        ({"provider": "opneai"}, "INVALID_ARGUMENT", "UNKNOWN_PROVIDER"),
        ({"provider": "embedded"}, "FAILED_PRECONDITION", "PROVIDER_NOT_CONFIGURED"),
        ({"model_name": "x" * 201}, "INVALID_ARGUMENT", "MODEL_NAME_INVALID"),
        ({"model_name": "a\0b"}, "INVALID_ARGUMENT", "MODEL_NAME_INVALID"),
        ({"model_name": "nobody-knows-it"}, "FAILED_PRECONDITION", "MODEL_PROVIDER_MISSING"),
        ({"request_id": "r"}, "UNIMPLEMENTED", "FIELD_NOT_SERVED"),
        ({"budget": pb.Budget()}, "UNIMPLEMENTED", "FIELD_NOT_SERVED"),
        ({"action": pb.Action()}, "UNIMPLEMENTED", "FIELD_NOT_SERVED"),
    ],
    ids=str,
)
async def test_a_bad_field(house: House, fields: dict[str, Any], code: str, reason: str) -> None:
    request = pb.AssistRequest(**{"input_value": "hi", **fields})
    for ask in (lambda: house.stub.Assist(request).read(), lambda: house.stub.AssistOnce(request)):
        got, why, details = await refusal(ask)
        assert (got, why) == (grpc.StatusCode[code], reason)
    bad = BadRequest()
    named = [bad.field_violations[0].field for detail in details if detail.Unpack(bad)]
    assert named == (
        [] if reason in {"FLOW_NOT_FOUND", "PROVIDER_NOT_CONFIGURED", "MODEL_PROVIDER_MISSING"} else [*fields][:1]
    )


@pytest.mark.parametrize("raw", [b"\x12\x02\xff\xfe", b"\x0a", b"\xff" * 40], ids=["invalid UTF-8", "cut", "rubbish"])
async def test_a_message_that_cannot_be_parsed(house: House, raw: bytes) -> None:
    call = house.channel.unary_stream(ASSIST)
    code, reason, _ = await refusal(lambda: call(raw).read())
    assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MESSAGE_MALFORMED")
    once = house.channel.unary_unary(ASSIST + "Once")
    assert (await refusal(lambda: once(raw)))[1] == "MESSAGE_MALFORMED"


async def test_a_message_over_the_size_limit_is_refused_by_grpc_itself(house: House) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await house.stub.Assist(pb.AssistRequest(input_value="x" * (2 << 20))).read()
    assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_full_server_refuses_and_goes_on(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, max_concurrent_turns=64) as full:
        with full.scripted("openai", intents=(Hang(),) * 64) as vendor:
            request = pb.AssistRequest(input_value="hello", provider="openai")
            calls = [full.stub.Assist(request) for _ in range(70)]
            reads = [asyncio.ensure_future(call.read()) for call in calls]
            refused = []
            for finished in asyncio.as_completed(reads):
                with pytest.raises(grpc.aio.AioRpcError) as error:
                    await finished
                refused.append(error.value)
                if len(refused) == 6:
                    break
            assert {error.code() for error in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
            retry = RetryInfo()
            assert any(detail.Unpack(retry) for detail in rpc_status.from_call(refused[0]).details)
            assert len(full.app.turns.running) == 64
            await until(lambda: len(vendor.requests) == 64, within=10)
            for call in calls:
                call.cancel()
            await asyncio.gather(*reads, return_exceptions=True)
        with full.scripted("openai", *QUESTION.answers, intents=QUESTION.intents):
            assert kinds(await full.assist(input_value="hi", provider="openai"))[-1] == "complete"


async def test_without_any_provider(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, environment={}) as bare:
        hello = pb.AssistRequest(input_value="hi")
        code, reason, _ = await refusal(lambda: bare.stub.Assist(hello).read())
        assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_PROVIDER_CONFIGURED")
        named = pb.AssistRequest(input_value="hi", provider="OpenAI")
        assert (await refusal(lambda: bare.stub.Assist(named).read()))[1] == "KEY_MISSING"
        config = await bare.stub.CheckConfig(pb.CheckConfigRequest())
        assert (config.enabled, config.configured, list(config.configured_providers)) == (True, False, [])
        assert not config.HasField("default_provider")


async def test_switched_off_only_check_config_answers(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, assistant_enabled=False) as off:
        hello = pb.AssistRequest(input_value="hi")
        for ask in (lambda: off.stub.Assist(hello).read(), lambda: off.stub.AssistOnce(hello)):
            code, reason, _ = await refusal(ask)
            assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ASSISTANT_DISABLED")
        config = await off.stub.CheckConfig(pb.CheckConfigRequest())
        assert not config.enabled
        assert config.configured


async def test_callers_with_tokens_have_their_own_memory(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, tokens="ann=a-token,bob=b-token") as guarded:
        hello = pb.AssistRequest(input_value="hello flows", provider="openai", session_id="shared")
        for ask in (
            lambda: guarded.stub.Assist(hello).read(),
            lambda: guarded.stub.CheckConfig(pb.CheckConfigRequest()),
        ):
            code, reason, _ = await refusal(ask)
            assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
        for token, messages in (("a-token", 2), ("b-token", 2), ("a-token", 4)):
            with guarded.scripted("openai", *QUESTION.answers, intents=QUESTION.intents) as vendor:
                metadata = (("authorization", f"Bearer {token}"),)
                assert [event async for event in guarded.stub.Assist(hello, metadata=metadata)]
            assert len(vendor.requests[-1].body["messages"]) == messages


async def test_what_a_model_writes_reaches_protobuf_clean(house: House) -> None:
    odd = Say("", chunks=("a\0b", "\ud83d", "\ude00", "\udfff!"))
    with house.scripted("openai", odd, intents=QUESTION.intents):
        events = await house.assist(input_value="tell me about flows", provider="openai")
    text = "".join(event.token.chunk for event in events)
    assert text == events[-1].complete.result
    assert "\0" not in text
    assert "😀" in text
    assert text.startswith("ab😀")


async def test_no_key_leaves_the_server(house: House) -> None:
    said: list[AssistEvent] = []
    with capture_logs() as logged:
        for wire, key in KEYS.items():
            echo = Fail(401, message=f"Incorrect API key provided: {key}")
            with house.scripted(wire, *QUESTION.answers, echo, intents=(intent(Kind.QUESTION),) * 2) as vendor:
                said += await house.assist(input_value="tell me about flows", provider=wire)
                said += await house.assist(input_value="tell me about flows", provider=wire)
            assert key in str(vendor.requests[0].headers)
        config = await house.stub.CheckConfig(pb.CheckConfigRequest())
    assert "Incorrect API key provided" in str(logged)
    for key in KEYS.values():
        assert key not in f"{said}{config}{logged}"
