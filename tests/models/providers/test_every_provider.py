"""One suite for all wires, over real HTTP, through the vendors' own SDKs. Each test is a row, and so is each odd event.

Where a row cannot apply to a wire, INAPPLICABLE says why; the row is run all the same, and must fail.
"""

import asyncio
import gc
import json
from collections.abc import Mapping
from typing import Any, Literal

import pytest

from flowassist.models.model import (
    UNKNOWN,
    Call,
    Finish,
    Hear,
    Message,
    ModelError,
    Remedy,
    Reply,
    Schema,
    Tool,
    ToolCall,
    Trouble,
    Usage,
)
from flowassist.models.providers.connections.endpoint import Patience
from tests.models.conftest import CALL
from tests.models.providers.conftest import SERVERS, Stage
from tests.vendors import odd, script
from tests.vendors.script import BreakOff, CallTool, Fail, FailInStream, Hang, Idle, Raw, Say
from tests.vendors.server import KEY, Wire

ODD_ROWS = sorted({row for rows in odd.SAYING_NOTHING.values() for row in rows})
NO_CHOICES = "its events hold no choices"
INAPPLICABLE: Mapping[tuple[str, object], str] = {
    ("anthropic", "another choice"): NO_CHOICES,
    ("anthropic", "no choices"): NO_CHOICES,
    ("anthropic", "no list of choices"): NO_CHOICES,
    ("anthropic", "the text again"): "its blocks end without their text",
    ("ollama", "another choice"): NO_CHOICES,
    ("ollama", "another event"): "its lines are no events with fields",
    ("ollama", "empty data"): "its lines are no events with fields",
    ("ollama", "no choices"): NO_CHOICES,
    ("ollama", "no list of choices"): NO_CHOICES,
    ("ollama", "null arguments"): "its calls come whole",
    ("ollama", "ping"): "it sends nothing while a model loads",
    ("ollama", "the text again"): "no line repeats what came before",
    ("ollama", Finish.REFUSAL): "its models refuse in their own words",
    ("openai_responses", "another choice"): NO_CHOICES,
    ("openai_responses", "no choices"): NO_CHOICES,
    ("openai_responses", "no list of choices"): NO_CHOICES,
    ("openai_responses", "usage only"): "usage comes with the end and nowhere else",
    ("watsonx", "test_the_key_comes_with_the_request"): "its key buys the tokens that come with requests",
    **{(wire, "ping"): "it sends comments, no pings" for wire in odd.CHAT_WIRES},
    **{(wire, "the text again"): "no chunk repeats what came before" for wire in odd.CHAT_WIRES},
}
HASTY = Patience(connect=0.5, first_event=0.15, between_events=0.15, after_finish=0.1, after_end=0.05)
TOOL = Tool("search", "Searches.", {"type": "object", "properties": {}})
SHAPE = {
    "type": "object",
    "properties": {"intent": {"type": "string", "enum": ["question", "off_topic"]}},
    "required": ["intent"],
    "additionalProperties": False,
}
ASKING_FOR_JSON = Call("Be brief.", CALL.messages, 50, schema=Schema("intent", SHAPE))
TOKENS = Usage(10, 5, 15)


@pytest.fixture(autouse=True)
def applies(request: pytest.FixtureRequest) -> None:
    if "wire" not in request.fixturenames:
        return
    params = request.node.callspec.params
    row = params.get("odd_row", params.get("finish", request.node.originalname))
    if reason := INAPPLICABLE.get((request.getfixturevalue("wire"), row)):
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))


def test_reasons_are_given_for_rows_and_wires_that_exist() -> None:
    tests = {name for name in globals() if name.startswith("test_")}
    assert {row for _, row in INAPPLICABLE} <= tests | {*ODD_ROWS, *Finish}
    assert {wire for wire, _ in INAPPLICABLE} <= set(SERVERS)


def body_of(wire: str, *between: bytes, pieces: tuple[str, ...] = ("a", "b")) -> tuple[Wire, bytes]:
    """A whole answer as the wire's server would write it, with `between` before, between and after its pieces."""
    server, said, more = SERVERS[wire](), Say("".join(pieces)), b"".join(between)
    texts = [server.text(piece) for piece in pieces]
    return server, server.opening(said) + more + more.join(texts) + more + server.closing(said) + more


def raw_of(wire: str, *between: bytes, **settings: Any) -> Raw:
    server, body = body_of(wire, *between)
    return Raw((body,), content_type=server.media, **settings)


async def failure(stage: Stage, *answers: script.Answer, **settings: object) -> tuple[ModelError, list[str]]:
    heard: list[str] = []
    async with stage(*answers, **settings) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL, heard.append)
    return caught.value, heard


async def test_text_is_heard_in_its_pieces_and_returned_whole(stage: Stage) -> None:
    heard: list[str] = []
    pieces = ("Langflow ", "builds flows. 😀", " größer \\n\n", "Ende")
    async with stage(Say(chunks=pieces)) as (ask, _):
        reply = await ask(CALL, heard.append)
    assert reply == Reply("".join(pieces), Finish.STOP, TOKENS)
    assert heard == list(pieces)


async def test_the_key_comes_with_the_request(stage: Stage) -> None:
    async with stage(Say("yes")) as (ask, vendor):
        await ask(CALL)
    assert KEY in {value.removeprefix("Bearer ") for value in vendor.requests[0].headers.values()}


async def test_line_ends_of_unicode_are_text(stage: Stage) -> None:
    async with stage(Say(chunks=("a\u2028", "\x85b\u2029", "c"))) as (ask, _):
        assert (await ask(CALL)).text == "a\u2028\x85b\u2029c"


async def test_line_ends_of_unicode_may_come_unescaped(stage: Stage, wire: str) -> None:
    server, body = body_of(wire, pieces=("a\u2028b", "c"))
    raw = body.replace(b"\\u2028", "\u2028".encode())
    assert raw != body
    async with stage(Raw((raw,), content_type=server.media)) as (ask, _):
        assert (await ask(CALL)).text == "a\u2028bc"


@pytest.mark.parametrize("size", [1, 7, 100])
async def test_it_does_not_matter_how_the_bytes_are_cut(stage: Stage, wire: str, size: int) -> None:
    server, body = body_of(wire, pieces=("größer ", "😀"))
    cut = tuple(body[start : start + size] for start in range(0, len(body), size))
    async with stage(Raw(cut, content_type=server.media)) as (ask, _):
        assert await ask(CALL) == Reply("größer 😀", Finish.STOP, TOKENS)


async def test_characters_cut_in_half_are_joined_and_rubbish_is_left_out(stage: Stage) -> None:
    heard: list[str] = []
    async with stage(Say(chunks=("a\ud83d", "\ude00b", "\0\udfff", "c\ud800"))) as (ask, _):
        reply = await ask(CALL, heard.append)
    assert (reply.text, heard) == ("a😀bc", ["a", "😀b", "c"])


@pytest.mark.parametrize("finish", [Finish.STOP, Finish.LENGTH, Finish.REFUSAL])
async def test_finish_reasons(stage: Stage, finish: Finish) -> None:
    async with stage(Say("as far as it goes", finish=finish)) as (ask, _):
        assert await ask(CALL) == Reply("as far as it goes", finish, TOKENS)


@pytest.mark.parametrize("text", ["One moment.", ""])
async def test_tools_are_called_with_arguments_in_pieces(stage: Stage, text: str) -> None:
    tools = (script.Tool("search", '{"query": "größe"}', "call_a"), script.Tool("now", "{}", "call_b"))
    async with stage(CallTool(tools, text=text)) as (ask, _):
        reply = await ask(Call("", CALL.messages, 50, tools=(TOOL,)))
    assert (reply.text, reply.finish, reply.usage) == (text, Finish.TOOL, TOKENS)
    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [
        ("search", {"query": "größe"}),
        ("now", {}),
    ]
    assert len({call.id for call in reply.tool_calls}) == 2


async def test_tools_are_offered(stage: Stage) -> None:
    shape = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    async with stage(Say("no need")) as (ask, vendor):
        await ask(Call("", CALL.messages, 50, tools=(Tool("search", "Searches the docs.", shape),)))
    (offered,) = vendor.requests[0].body["tools"]
    assert all(part in json.dumps(offered) for part in ("search", "Searches the docs.", json.dumps(shape)))


async def test_what_tools_said_goes_back(stage: Stage) -> None:
    messages = (
        Message("user", "What time is it?"),
        Message("assistant", "", (ToolCall("call_a", "now", "{}"), ToolCall("call_b", "zone", '{"near": "Ulm"}'))),
        Message("tool", "12:00", tool_call_id="call_a"),
        Message("tool", "UTC", tool_call_id="call_b"),
    )
    async with stage(Say("Noon.")) as (ask, vendor):
        assert (await ask(Call("", messages, 50, tools=(TOOL,)))).text == "Noon."
    sent = json.dumps(vendor.requests[0].body)
    places = [sent.index(part) for part in ("What time is it?", "zone", "Ulm", "12:00", "UTC")]
    assert places == sorted(places)


async def test_json_is_asked_for_by_its_schema(stage: Stage) -> None:
    async with stage() as (ask, vendor):
        vendor.script.when("intent", Say('{"intent": "question"}'))
        assert json.loads((await ask(ASKING_FOR_JSON)).text) == {"intent": "question"}
    assert vendor.requests[0].shape["properties"]["intent"]["enum"] == ["question", "off_topic"]
    assert vendor.requests[0].shape["additionalProperties"] is False


async def test_json_is_asked_for_in_words_where_schemas_are_refused(stage: Stage) -> None:
    async with stage(Say('{"intent": "question"}')) as (ask, vendor):
        assert Remedy.NO_SCHEMA in ask.model.lessons.possible
        await ask(ASKING_FOR_JSON, remedies=frozenset({Remedy.NO_SCHEMA}))
    request = vendor.requests[0]
    assert (request.schema, request.shape) == ("", {})
    assert "Be brief." in json.dumps(request.body)
    assert "off_topic" in json.dumps(request.body)


async def test_usage_that_is_not_reported_is_unknown(stage: Stage) -> None:
    async with stage(Say("text", usage=None)) as (ask, _):
        assert await ask(CALL) == Reply("text", Finish.STOP, UNKNOWN)


async def test_usage_is_told_as_it_comes(stage: Stage) -> None:
    told: list[Usage] = []
    async with stage(Say("text")) as (ask, _):
        reply = await ask(CALL, spent=told.append)
    assert told[-1] == reply.usage == TOKENS


async def test_one_connection_serves_call_after_call(stage: Stage) -> None:
    async with stage(Say("one"), Say("two"), Fail(500), Say("three")) as (ask, vendor):
        assert [(await ask(CALL)).text for _ in "12"] == ["one", "two"]
        with pytest.raises(ModelError):
            await ask(CALL)
        assert (await ask(CALL)).text == "three"
    assert vendor.connected == 1


@pytest.mark.parametrize("odd_row", ODD_ROWS)
async def test_odd_events_say_nothing(stage: Stage, wire: str, odd_row: str) -> None:
    heard: list[str] = []
    async with stage(raw_of(wire, odd.SAYING_NOTHING[wire][odd_row])) as (ask, _):
        assert await ask(CALL, heard.append) == Reply("ab", Finish.STOP, TOKENS)
    assert heard == ["a", "b"]


async def test_odd_events_do_not_disturb_tools(stage: Stage, wire: str) -> None:
    server, more = SERVERS[wire](), b"".join(odd.SAYING_NOTHING[wire].values())
    calling = CallTool((script.Tool("search", '{"query": "größe"}', "call_a"), script.Tool("now", "{}", "call_b")))
    body = more.join([server.opening(calling), *server.tools(calling), server.closing(calling)])
    async with stage(Raw((body,), content_type=server.media)) as (ask, _):
        reply = await ask(Call("", CALL.messages, 50, tools=(TOOL,)))
    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [
        ("search", {"query": "größe"}),
        ("now", {}),
    ]
    assert (reply.text, reply.finish, reply.usage) == ("", Finish.TOOL, TOKENS)


async def test_the_end_may_be_told_twice(stage: Stage, wire: str) -> None:
    server, body = body_of(wire)
    twice = body + server.closing(Say("ab"))
    async with stage(Raw((twice,), content_type=server.media)) as (ask, _):
        assert await ask(CALL) == Reply("ab", Finish.STOP, TOKENS)


@pytest.mark.parametrize(
    ("status", "trouble"),
    [
        (400, Trouble.BAD_REQUEST),
        (401, Trouble.AUTHENTICATION),
        (402, Trouble.QUOTA),
        (403, Trouble.FORBIDDEN),
        (404, Trouble.UNREACHABLE),
        (408, Trouble.TIMEOUT),
        (409, Trouble.OVERLOADED),
        (413, Trouble.CONTEXT_TOO_LONG),
        (422, Trouble.BAD_REQUEST),
        (429, Trouble.RATE_LIMITED),
        (500, Trouble.OVERLOADED),
        (502, Trouble.OVERLOADED),
        (503, Trouble.OVERLOADED),
        (529, Trouble.OVERLOADED),
    ],
)
async def test_refused_calls_cost_nothing(stage: Stage, status: int, trouble: Trouble) -> None:
    error, heard = await failure(stage, Fail(status))
    assert (error.trouble, error.status, error.usage) == (trouble, status, Usage())
    assert (error.heard, heard) == (False, [])
    assert "the scripted failure" in str(error)


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        (Fail(404, "", "The model `x` does not exist"), Trouble.NOT_AVAILABLE),
        (Fail(400, "", "prompt is too long: 9 tokens > 8 maximum"), Trouble.CONTEXT_TOO_LONG),
        (Raw((b"<html>Bad gateway</html>",), 502, "text/html"), Trouble.OVERLOADED),
        (
            Raw((b'[{"error": {"code": 400, "message": "API key not valid."}}]',), 400, "application/json"),
            Trouble.AUTHENTICATION,
        ),
    ],
)
async def test_words_tell_what_a_status_does_not(stage: Stage, answer: script.Answer, trouble: Trouble) -> None:
    error, _ = await failure(stage, answer)
    assert (error.trouble, error.usage) == (trouble, Usage())


async def test_the_provider_says_when_to_ask_again(stage: Stage) -> None:
    error, _ = await failure(stage, Fail(429, "rate_limit_error", headers={"retry-after": "7"}))
    assert (error.trouble, error.retry_after) == (Trouble.RATE_LIMITED, 7.0)


async def test_a_key_that_the_provider_repeats_is_not_passed_on(stage: Stage) -> None:
    error, _ = await failure(stage, Fail(401, message=f"bad key {KEY}"))
    assert KEY not in str(error)
    assert "bad key ***" in str(error)
    assert error.__context__ is None or error.__suppress_context__


async def test_nobody_listens(stage: Stage) -> None:
    async with stage() as (ask, vendor):
        await vendor.stop_listening()
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
    assert (caught.value.trouble, caught.value.usage) == (Trouble.UNREACHABLE, Usage())


@pytest.mark.parametrize("text", ["so far", ""])
async def test_an_error_inside_a_stream(stage: Stage, text: str) -> None:
    error, heard = await failure(stage, FailInStream("overloaded_error", "Overloaded", text=text))
    assert error.trouble is Trouble.OVERLOADED
    assert (error.heard, "".join(heard), str(error)) == (bool(text), text, "Overloaded")


@pytest.mark.parametrize("row", sorted(odd.FAILURES))
async def test_an_error_inside_a_stream_may_be_spelt_otherwise(stage: Stage, wire: str, row: str) -> None:
    server = SERVERS[wire]()
    body = server.opening(Say("a")) + server.text("so far") + odd.failure(wire, row)
    error, heard = await failure(stage, Raw((body,), content_type=server.media))
    assert (error.trouble, heard, str(error)) == (Trouble.OVERLOADED, ["so far"], "Overloaded")


async def test_an_error_may_come_as_a_plain_body_with_status_200(stage: Stage, wire: str) -> None:
    body = json.dumps(SERVERS[wire]().failure("overloaded_error", "Overloaded")).encode()
    error, _ = await failure(stage, Raw((body[:9], body[9:]), content_type="application/json"))
    assert (error.trouble, str(error)) == (Trouble.OVERLOADED, "Overloaded")


@pytest.mark.parametrize("text", ["so far", ""])
@pytest.mark.parametrize("how", ["ends", "torn", "reset"])
async def test_a_stream_without_its_end_is_broken_off(
    stage: Stage, how: Literal["ends", "torn", "reset"], text: str
) -> None:
    error, heard = await failure(stage, BreakOff(text, how))
    assert (error.trouble, error.heard, "".join(heard)) == (Trouble.BROKEN_OFF, bool(text), text)
    assert error.usage.output is None


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Sign in to the hotel's network</body></html>",
        b"",
        b"data: {not json}\n\n",
        b"data: [1, 2]\n\ndata: null\n\n: ping\n\n",
        b"data: [DONE]\n\n",
        b'{"choices": [{"message": {"content": "not a stream"}}]}',
    ],
)
@pytest.mark.parametrize("kind", ["text/html", ""])
async def test_two_hundred_is_not_yet_an_answer(stage: Stage, wire: str, body: bytes, kind: str) -> None:
    error, heard = await failure(stage, Raw((body,), content_type=kind or SERVERS[wire]().media))
    assert (error.trouble, error.heard, heard) == (Trouble.BROKEN_OFF, False, [])


async def test_a_body_cut_in_an_event_is_broken_off(stage: Stage, wire: str) -> None:
    server = SERVERS[wire]()
    body = server.opening(Say("a")) + server.text("so far") + server.text("and more")[:-9]
    error, heard = await failure(stage, Raw((body,), content_type=server.media))
    assert (error.trouble, heard) == (Trouble.BROKEN_OFF, ["so far"])


@pytest.mark.parametrize("answer", [Hang(), Hang("headers"), Hang("text", "so far")])
async def test_silence_ends_in_a_time_out(stage: Stage, answer: Hang) -> None:
    error, heard = await failure(stage, answer, patience=HASTY)
    assert (error.trouble, error.heard, "".join(heard)) == (Trouble.TIMEOUT, bool(answer.text), answer.text)
    assert error.usage.output is None


@pytest.mark.parametrize("text", ["so far", ""])
async def test_signs_of_life_are_no_answer(stage: Stage, wire: str, text: str) -> None:
    signs = odd.SAYING_NOTHING[wire]
    idle = Idle(signs.get("ping", b"") + signs["keep-alive"], text)
    error, heard = await failure(stage, idle, patience=HASTY)
    assert (error.trouble, "".join(heard)) == (Trouble.TIMEOUT, text)


async def test_silence_between_events_has_a_limit_of_its_own(stage: Stage) -> None:
    patient = Patience(first_event=60, between_events=0.1)
    error, heard = await failure(stage, Hang("text", "so far"), patience=patient)
    assert (error.trouble, heard) == (Trouble.TIMEOUT, ["so far"])


async def test_an_answer_may_take_longer_than_its_first_event(stage: Stage) -> None:
    said = Say("a b c d e f g h", chunks=8, delay=0.05)
    async with stage(said, patience=Patience(first_event=0.25, between_events=60)) as (ask, _):
        assert (await ask(CALL)).text == said.text


async def test_a_whole_answer_does_not_wait_for_a_connection_that_stays_open(stage: Stage, wire: str) -> None:
    async with stage(raw_of(wire, size=100_000, then=Hang()), patience=Patience(after_end=0.05)) as (ask, _):
        assert await ask(CALL) == Reply("ab", Finish.STOP, TOKENS)


async def test_an_answer_torn_after_its_end_is_whole(stage: Stage, wire: str) -> None:
    async with stage(raw_of(wire, size=100_000)) as (ask, _):
        assert await ask(CALL) == Reply("ab", Finish.STOP, TOKENS)


@pytest.mark.parametrize("answer", [Hang(), Hang("headers"), Hang("text", "so far")])
async def test_cancelling_closes_the_socket(stage: Stage, answer: Hang) -> None:
    said = asyncio.Event()
    async with stage(answer) as (ask, vendor):
        task = asyncio.create_task(ask(CALL, setting(said)))
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


def setting(said: asyncio.Event) -> Hear:
    return lambda _: said.set()


async def test_nothing_is_left_behind_by_cancelled_calls(stage: Stage) -> None:
    async with stage(*[Hang("text", "so far")] * 5, Say("still works")) as (ask, vendor):
        for _ in range(5):
            said = asyncio.Event()
            task = asyncio.create_task(ask(CALL, setting(said)))
            await said.wait()
            task.cancel()
            await asyncio.wait([task])
        assert (await ask(CALL)).text == "still works"
        gc.collect()
        assert vendor.open_connections == 1


async def test_a_hearer_that_raises_closes_the_socket_and_is_not_translated(stage: Stage) -> None:
    class Enough(Exception):
        pass

    def hear(_: str) -> None:
        raise Enough

    async with stage(Say("much more than that", hold=asyncio.Event())) as (ask, vendor):
        with pytest.raises(Enough):
            await ask(CALL, hear)
        await vendor.requests[0].closed.wait()
