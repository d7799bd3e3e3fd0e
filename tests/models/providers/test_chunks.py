import json

import pytest

from flowassist.models.model import UNKNOWN, Finish, Hear, ModelError, Reply, ToolCall, Trouble, Usage
from flowassist.models.providers.chunks import Chunks
from flowassist.models.providers.streams.answer import Answer
from flowassist.secret import Secret

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
        ("content_filter: PROHIBITED_CONTENT", Finish.REFUSAL),
        ("STOP", Finish.STOP),
        ("eos", Finish.STOP),
        ("eos_token", Finish.STOP),
        ("model_length", Finish.LENGTH),
        ("max_tokens", Finish.LENGTH),
    ],
)
def test_finish_reasons(reason: str, finish: Finish) -> None:
    assert read(text("a", finish_reason=reason), STOP).finish is finish


@pytest.mark.parametrize(
    ("reason", "trouble", "told"),
    [
        ("abort", Trouble.BROKEN_OFF, "the answer stopped for an unknown reason: abort"),
        (7, Trouble.BROKEN_OFF, "the answer stopped for an unknown reason: no word"),
        ("Bearer sk-1-very-secret", Trouble.BROKEN_OFF, "the answer stopped for an unknown reason: no word"),
        ("insufficient_system_resource", Trouble.OVERLOADED, "the answer stopped: insufficient_system_resource"),
        (
            "function_call_filter: MALFORMED_FUNCTION_CALL",
            Trouble.MALFORMED,
            "the answer stopped: function_call_filter",
        ),
    ],
)
def test_an_unknown_finish_reason_is_no_end(reason: object, trouble: Trouble, told: str) -> None:
    with pytest.raises(ModelError) as caught:
        read(text("a", finish_reason=reason))
    assert (caught.value.trouble, str(caught.value)) == (trouble, told)


@pytest.mark.parametrize(
    "wrong", [{"error": {"message": "no more"}}, text("a", finish_reason="insufficient_system_resource")]
)
def test_usage_in_the_chunk_that_fails_counts(wrong: dict[str, object]) -> None:
    answer = Answer(lambda _: None)
    with pytest.raises(ModelError):
        Chunks(answer, KEY)(wrong | {"usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}})
    assert answer.usage == Usage(3, 2, 5)


def test_text_among_parts_of_several_kinds() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}]
    assert read(text(parts), text("b"), STOP).text == "ab"


def test_arguments_that_come_as_an_object() -> None:
    piece = {"choices": [{"delta": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}]}}]}
    assert read(piece, STOP).tool_calls == (ToolCall("a", "f", '{"x": 1}'),)


def test_calls_that_are_told_apart_by_id_alone() -> None:
    def piece(ident: str, name: str, arguments: str) -> dict[str, object]:
        call = {"index": 0, "id": ident, "function": {"name": name, "arguments": arguments}}
        return {"choices": [{"delta": {"tool_calls": [call]}}]}

    pieces = [piece("a", "f", '{"x":'), piece("b", "g", '{"y":'), piece("a", "", "1}"), piece("b", "", "2}")]
    assert read(*pieces, STOP).tool_calls == (ToolCall("a", "f", '{"x":1}'), ToolCall("b", "g", '{"y":2}'))


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


def tool(index: int | None, ident: str | None, name: str | None, arguments: str | None) -> dict[str, object]:
    piece = {"index": index, "id": ident, "function": {"name": name, "arguments": arguments}}
    return {"choices": [{"delta": {"tool_calls": [piece]}}]}


@pytest.mark.parametrize(
    "pieces",
    [
        [(0, "a", "now", "{}"), (0, "b", "moon", '{"at": 1}')],
        [(0, "a", "now", None), (0, None, None, "{}"), (0, "b", "moon", '{"at"'), (0, None, None, ": 1}")],
        [(0, "a", "now", ""), (0, "a", "now", "{}"), (1, "b", "moon", '{"at": '), (1, "b", "moon", "1}")],
        [(None, "a", "now", "{}"), (None, "b", "moon", '{"at": 1}')],
        [(1, "a", "now", "{}"), (3, "b", "moon", '{"at": 1}')],
        [(0, "a", "now", "{"), (0, "x", None, "}"), (1, "b", "moon", '{"at": 1}')],
    ],
)
def test_calls_are_told_apart_whatever_their_index(pieces: list[tuple[int | None, str, str, str]]) -> None:
    reply = read(*(tool(*piece) for piece in pieces), STOP)
    assert reply.tool_calls == (ToolCall("a", "now", "{}"), ToolCall("b", "moon", '{"at": 1}'))


def test_calls_without_ids_are_told_apart_where_one_is_whole() -> None:
    pieces = [(0, "", "now", "{}"), (0, "", "now", '{"at"'), (0, "", None, ": 1}")]
    reply = read(*(tool(*piece) for piece in pieces), STOP)
    assert reply.tool_calls == (ToolCall("call_0", "now", "{}"), ToolCall("call_1", "now", '{"at": 1}'))


def test_an_endpoint_may_spell_its_chunks_otherwise() -> None:
    answer = Answer(lambda _: None)
    take = Chunks(answer, KEY, lambda event: event["inner"])  # type: ignore[arg-type,return-value]
    for chunk in (text("a"), STOP):
        take({"inner": chunk})
    assert answer.reply().text == "a"
