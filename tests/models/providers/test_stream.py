"""What must hold on both wires, over real HTTP, through the vendors' own SDKs."""

import asyncio
import gc
from typing import Literal

import pytest

from flowassist.models.model import (
    UNKNOWN,
    Call,
    Finish,
    Hear,
    Message,
    ModelError,
    Reply,
    Schema,
    Tool,
    ToolCall,
    Trouble,
    Usage,
)
from flowassist.models.providers.endpoint import Patience
from tests.models.conftest import CALL, Stage
from tests.vendors import script
from tests.vendors.script import BreakOff, CallTool, Fail, FailInStream, Hang, Raw, Say
from tests.vendors.server import KEY

HASTY = Patience(connect=0.5, first_event=0.15, between_events=0.15, after_finish=0.1, after_end=0.05)
LIST_BODY = b'[{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}]'
SHAPE = {
    "type": "object",
    "properties": {"intent": {"type": "string", "enum": ["question", "off_topic"]}},
    "required": ["intent"],
    "additionalProperties": False,
}


WHOLE = {
    "openai": b'data: {"choices": [{"delta": {"content": "all"}, "finish_reason": "stop"}]}\n\n',
    "anthropic": (
        b'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "all"}}\n\n'
        b'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\n'
    ),
}
LAST = {"openai": b"data: [DONE]\n\n", "anthropic": b'data: {"type": "message_stop"}\n\n'}


async def failure(stage: Stage, *answers: script.Answer, **settings: object) -> tuple[ModelError, list[str]]:
    heard: list[str] = []
    async with stage(*answers, **settings) as (model, _):
        with pytest.raises(ModelError) as caught:
            await model.reply(CALL, heard.append)
    return caught.value, heard


async def test_text_is_heard_in_its_pieces_and_returned_whole(stage: Stage) -> None:
    heard: list[str] = []
    pieces = ("Langflow ", "builds flows. 😀", "\u2028\x85 Ende")
    async with stage(Say(chunks=pieces)) as (model, vendor):
        reply = await model.reply(CALL, heard.append)
    assert reply == Reply("".join(pieces), Finish.STOP, Usage(10, 5, 15))
    assert heard == list(pieces)
    assert vendor.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("finish", [Finish.STOP, Finish.LENGTH, Finish.REFUSAL])
async def test_finish_reasons(stage: Stage, finish: Finish) -> None:
    async with stage(Say("as far as it goes", finish=finish)) as (model, _):
        assert (await model.reply(CALL)).finish is finish


async def test_tool_calls(stage: Stage) -> None:
    tools = (script.Tool("search", '{"query": "größe"}', "call_a"), script.Tool("now", "", "call_b"))
    call = Call("", CALL.messages, 50, tools=(Tool("search", "Searches.", {"type": "object", "properties": {}}),))
    async with stage(CallTool(tools, text="One moment.")) as (model, _):
        reply = await model.reply(call)
    expected = (ToolCall("call_a", "search", '{"query": "größe"}'), ToolCall("call_b", "now", "{}"))
    assert reply == Reply("One moment.", Finish.TOOL, Usage(10, 5, 15), expected)


async def test_the_schema_is_asked_for_by_name(stage: Stage) -> None:
    async with stage() as (model, vendor):
        vendor.script.when("intent", Say('{"intent": "question"}'))
        await model.reply(Call("", CALL.messages, 50, schema=Schema("intent", SHAPE)))
    assert vendor.requests[0].shape["properties"]["intent"]["enum"] == ["question", "off_topic"]
    assert vendor.requests[0].shape["additionalProperties"] is False


async def test_usage_that_is_not_reported_is_unknown(stage: Stage) -> None:
    async with stage(Say("text", usage=None)) as (model, _):
        assert (await model.reply(CALL)).usage == UNKNOWN


async def test_characters_cut_in_half_are_joined_and_rubbish_is_left_out(stage: Stage) -> None:
    heard: list[str] = []
    async with stage(Say(chunks=("a\ud83d", "\ude00b", "\0\udfff", "c\ud800"))) as (model, _):
        reply = await model.reply(CALL, heard.append)
    assert (reply.text, heard) == ("a😀bc", ["a", "😀b", "c"])


async def test_one_connection_serves_call_after_call(stage: Stage) -> None:
    async with stage(Say("one"), Say("two"), Fail(500), Say("three")) as (model, vendor):
        assert [(await model.reply(CALL)).text for _ in "12"] == ["one", "two"]
        with pytest.raises(ModelError):
            await model.reply(CALL)
        assert (await model.reply(CALL)).text == "three"
    assert vendor.connected == 1


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (Fail(401, "authentication_error"), Trouble.AUTHENTICATION),
        (Fail(429, "rate_limit_error"), Trouble.RATE_LIMITED),
        (Fail(404, "", "The model `x` does not exist"), Trouble.NOT_AVAILABLE),
        (Fail(400, "", "prompt is too long: 9 tokens > 8 maximum"), Trouble.CONTEXT_TOO_LONG),
        (Fail(400, "", "messages: at least one is required"), Trouble.BAD_REQUEST),
        (Fail(500), Trouble.OVERLOADED),
        (Fail(529, "overloaded_error"), Trouble.OVERLOADED),
        (Raw((b"<html>Bad gateway</html>",), 502, "text/html"), Trouble.OVERLOADED),
        (
            Raw((b'[{"error": {"code": 400, "message": "API key not valid."}}]',), 400, "application/json"),
            Trouble.AUTHENTICATION,
        ),
    ],
)
async def test_refused_calls_cost_nothing(stage: Stage, answer: script.Answer, trouble: Trouble) -> None:
    error, heard = await failure(stage, answer)
    assert (error.trouble, error.status, error.usage) == (trouble, answer.status, Usage())  # type: ignore[union-attr]
    assert (error.heard, heard) == (False, [])


async def test_the_provider_says_when_to_ask_again(stage: Stage) -> None:
    error, _ = await failure(stage, Fail(429, "rate_limit_error", headers={"retry-after": "7"}))
    assert error.retry_after == 7.0


async def test_a_key_that_the_provider_repeats_is_not_passed_on(stage: Stage) -> None:
    error, _ = await failure(stage, Fail(401, "authentication_error", f"bad key {KEY}"))
    assert str(error) == "bad key ***"
    assert error.__context__ is None or error.__suppress_context__


async def test_nobody_listens(stage: Stage) -> None:
    async with stage() as (model, vendor):
        await vendor.stop_listening()
        with pytest.raises(ModelError) as caught:
            await model.reply(CALL)
    assert (caught.value.trouble, caught.value.usage) == (Trouble.UNREACHABLE, Usage())


@pytest.mark.parametrize("how", ["ends", "torn", "reset"])
async def test_a_stream_without_its_end_is_broken_off(stage: Stage, how: Literal["ends", "torn", "reset"]) -> None:
    error, heard = await failure(stage, BreakOff("so far", how))
    assert (error.trouble, error.heard, heard) == (Trouble.BROKEN_OFF, True, ["so far"])
    assert error.usage.output is None


@pytest.mark.parametrize(
    "body",
    [
        (b"<html><body>Sign in to the hotel's network</body></html>",),
        (b"",),
        (b"data: {not json}\n\n",),
        (b"data: [1, 2]\n\ndata: null\n\n: ping\n\n",),
        (b"data: [DONE]\n\n",),
        (b'{"choices": [{"message": {"content": "not a stream"}}]}',),
    ],
)
async def test_two_hundred_is_not_yet_an_answer(stage: Stage, body: tuple[bytes, ...]) -> None:
    error, heard = await failure(stage, Raw(body))
    assert (error.trouble, error.heard, heard) == (Trouble.BROKEN_OFF, False, [])


async def test_an_error_inside_a_stream(stage: Stage) -> None:
    error, heard = await failure(stage, FailInStream("overloaded_error", "Overloaded", text="so far"))
    assert (error.trouble, error.status, error.code) == (Trouble.OVERLOADED, 200, "overloaded_error")
    assert (error.heard, heard, str(error)) == (True, ["so far"], "Overloaded")


async def test_silence_between_events_has_a_limit_of_its_own(stage: Stage) -> None:
    patient = Patience(first_event=60, between_events=0.1)
    error, heard = await failure(stage, Hang("text", "so far"), patience=patient)
    assert (error.trouble, heard) == (Trouble.TIMEOUT, ["so far"])


async def test_an_answer_may_take_longer_than_its_first_event(stage: Stage) -> None:
    said = Say("a b c d e f g h", chunks=8, delay=0.05)
    async with stage(said, patience=Patience(first_event=0.25, between_events=60)) as (model, _):
        assert (await model.reply(CALL)).text == said.text


@pytest.mark.parametrize("answer", [Hang(), Hang("headers"), Hang("text", "so far")])
async def test_silence_ends_in_a_time_out(stage: Stage, answer: Hang) -> None:
    error, heard = await failure(stage, answer, patience=HASTY)
    assert (error.trouble, error.heard, "".join(heard)) == (Trouble.TIMEOUT, bool(answer.text), answer.text)
    assert error.usage.output is None


@pytest.mark.parametrize("answer", [Hang(), Hang("headers"), Hang("text", "so far")])
async def test_cancelling_closes_the_socket(stage: Stage, answer: Hang) -> None:
    said = asyncio.Event()
    async with stage(answer) as (model, vendor):
        task = asyncio.create_task(model.reply(CALL, lambda _: said.set()))
        request = await vendor.arrivals.get()
        if answer.text:
            await said.wait()
        at = asyncio.get_running_loop().time()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await request.closed.wait()
    assert request.closed_at is not None
    assert request.closed_at - at < 0.1


async def test_a_hearer_that_raises_closes_the_socket_and_is_not_translated(stage: Stage) -> None:
    class Enough(Exception):
        pass

    def hear(_: str) -> None:
        raise Enough

    async with stage(Say("much more than that", hold=asyncio.Event())) as (model, vendor):
        with pytest.raises(Enough):
            await model.reply(CALL, hear)
        await vendor.requests[0].closed.wait()


def setting(said: asyncio.Event) -> Hear:
    return lambda _: said.set()


async def test_nothing_is_left_behind_by_cancelled_calls(stage: Stage) -> None:
    async with stage(*[Hang("text", "so far")] * 5, Say("still works")) as (model, vendor):
        for _ in range(5):
            said = asyncio.Event()
            task = asyncio.create_task(model.reply(CALL, setting(said)))
            await said.wait()
            task.cancel()
            await asyncio.wait([task])
        assert (await model.reply(CALL)).text == "still works"
        gc.collect()
        assert vendor.open_connections == 1


async def test_a_whole_answer_does_not_wait_for_a_connection_that_stays_open(stage: Stage, wire: str) -> None:
    async with stage(Raw((WHOLE[wire],), size=10_000, then=Hang()), patience=HASTY) as (model, _):
        assert await model.reply(CALL) == Reply("all", Finish.STOP, UNKNOWN)


async def test_after_its_last_event_a_stream_is_not_waited_for(stage: Stage, wire: str) -> None:
    body, patient = (WHOLE[wire] + LAST[wire],), Patience(after_finish=60, after_end=0.05)
    async with stage(Raw(body, size=10_000, then=Hang()), patience=patient) as (model, _):
        assert (await model.reply(CALL)).text == "all"


async def test_an_answer_torn_after_its_finish_reason_is_whole(stage: Stage, wire: str) -> None:
    async with stage(Raw((WHOLE[wire],), size=10_000)) as (model, _):
        assert (await model.reply(CALL)).text == "all"


async def test_conversations_carry_tool_rounds(stage: Stage) -> None:
    messages = (
        Message("user", "What time is it?"),
        Message("assistant", "", (ToolCall("call_a", "now", "{}"), ToolCall("call_b", "zone", "not json"))),
        Message("tool", "12:00", tool_call_id="call_a"),
        Message("tool", "UTC", tool_call_id="call_b"),
    )
    async with stage(Say("Noon.")) as (model, vendor):
        await model.reply(Call("", messages, 50))
    sent = vendor.requests[0].body["messages"]
    assert [message["role"] for message in sent][:2] == ["user", "assistant"]
    assert "call_a" in str(sent[2])
    assert "call_b" in str(sent[-1])
