import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.models.model import UNKNOWN, Finish, ModelError, Reply, ToolCall, Trouble, Usage, nobody
from flowassist.models.providers.streams.answer import Answer, Joint
from flowassist.text import clean

KNOWN = {"stop": Finish.STOP, "length": Finish.LENGTH}
PIECES = st.lists(st.text(st.sampled_from(["a", "é", "😀", "\ud83d", "\ude00", "\0"]), max_size=4), max_size=8)


def correct(text: str) -> str:
    """`text` as its UTF-16 code units read, unpaired ones and NULs left out."""
    units, out, place = [text[i] for i in range(len(text))], "", 0
    while place < len(units):
        unit, after = units[place], units[place + 1] if place + 1 < len(units) else ""
        if "\ud800" <= unit <= "\udbff" and "\udc00" <= after <= "\udfff":
            out += chr(0x10000 + ((ord(unit) - 0xD800) << 10) + (ord(after) - 0xDC00))
            place += 1
        elif not ("\ud800" <= unit <= "\udfff" or unit == "\0"):
            out += unit
        place += 1
    return out


@given(PIECES)
def test_pieces_give_what_the_whole_gives(pieces: list[str]) -> None:
    joint = Joint()
    heard = [joint.add(piece) for piece in pieces]
    assert "".join(heard) == clean("".join(pieces)) == correct("".join(pieces))
    assert all(piece.encode() is not None and "\0" not in piece for piece in heard)


def test_the_first_half_of_a_character_waits_for_the_second() -> None:
    joint = Joint()
    assert [joint.add("a\ud83d"), joint.add(""), joint.add("\ude00b")] == ["a", "", "😀b"]


def test_a_reply_is_what_was_heard() -> None:
    heard: list[str] = []
    answer = Answer(heard.append)
    for piece in ("Hel", "lo\0", "\udead", " \ud83d", "\ude00"):
        answer.say(piece)
    answer.count(input=3, output=2)
    answer.sum()
    answer.finished(KNOWN, "stop")
    assert answer.reply() == Reply("Hello 😀", Finish.STOP, Usage(3, 2, 5))
    assert heard == ["Hel", "lo", " ", "😀"]


def test_nothing_was_heard_while_there_was_only_half_a_character() -> None:
    answer = Answer(nobody)
    answer.say("\ud83d")
    assert not answer.heard


def test_the_first_finish_reason_counts() -> None:
    answer = Answer(nobody)
    answer.finished(KNOWN, "length")
    answer.finished(KNOWN, "stop")
    assert answer.reply().finish is Finish.LENGTH


@pytest.mark.parametrize("reason", ["error", "", 3, None, ["stop"], {"a": 1}])
def test_an_answer_that_stops_for_an_unknown_reason_is_not_whole(reason: object) -> None:
    with pytest.raises(ModelError) as caught:
        Answer(nobody).finished(KNOWN, reason)
    assert caught.value.trouble is Trouble.BROKEN_OFF


def test_without_a_reason_to_stop_there_is_no_reply() -> None:
    answer = Answer(nobody)
    answer.say("all of it")
    with pytest.raises(ModelError) as caught:
        answer.reply()
    assert caught.value.trouble is Trouble.BROKEN_OFF


def test_tool_calls_come_in_pieces_and_in_order() -> None:
    answer = Answer(nobody)
    second, first = answer.tool(1), answer.tool(0)
    second.name, first.id, first.name = "now", "call_a", "search"
    for piece in ('{"q": ', '"a\0b"}'):
        answer.tool(0).arguments.append(piece)
    answer.finished(KNOWN, "stop")
    reply = answer.reply()
    assert reply.tool_calls == (ToolCall("call_a", "search", '{"q": "ab"}'), ToolCall("call_1", "now", "{}"))
    assert reply.finish is Finish.TOOL


def test_a_call_of_which_nothing_was_told_is_none() -> None:
    answer = Answer(nobody)
    answer.tool(0).id = "call_a"
    answer.say("text")
    answer.finished(KNOWN, "stop")
    assert answer.reply() == Reply("text", Finish.STOP, UNKNOWN)


def test_a_signature_stays_with_its_call() -> None:
    answer = Answer(nobody)
    call = answer.tool(answer.next_tool)
    call.id, call.name, call.signature = "c", "now", "x="
    answer.finished(KNOWN, "stop")
    assert answer.reply().tool_calls == (ToolCall("c", "now", "{}", "x="),)
    assert answer.next_tool == 1


def test_a_tool_call_cut_by_the_limit_stays_cut() -> None:
    answer = Answer(nobody)
    answer.tool(0).arguments.append('{"q": ')
    answer.finished(KNOWN, "length")
    assert answer.reply().finish is Finish.LENGTH


@pytest.mark.parametrize("number", [None, -1, 1.5, "7", True, [1]])
def test_what_is_no_count_stays_unknown(number: object) -> None:
    answer = Answer(nobody)
    answer.count(input=number, output=4)
    answer.sum()
    assert answer.usage == Usage(None, 4, None)


def test_nothing_reported_is_unknown() -> None:
    assert Answer(nobody).usage == UNKNOWN
