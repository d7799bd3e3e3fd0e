from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.models.providers.streams import sse

ENDS = ("\n", "\r\n", "\r")
# every line end that is none here: str.splitlines would cut at each of them
TEXT = st.text(st.sampled_from('ab: {}"€😀\u2028\u2029\x85\x0b\x0c\x1c\ufeff'), max_size=12)


def read(*chunks: bytes) -> list[str]:
    reader = sse.Reader()
    return [event for chunk in chunks for event in reader.feed(chunk)]


def cut(body: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(body) + 1) for place in places), len(body)]
    return [body[start:end] for start, end in pairwise(edges)]


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """A body with comments, other fields and mixed line ends, and the data in it."""
    body, events = "", []
    for lines in draw(st.lists(st.lists(TEXT, min_size=1, max_size=3), max_size=5)):
        end = draw(st.sampled_from(ENDS))
        other = draw(st.sampled_from(["", f": ping{end}", f"event: message{end}", f"id: 7{end}retry: 10{end}", end]))
        body += other + "".join(f"data: {line}{end}" for line in lines) + end
        events.append("\n".join(lines))
    return body.encode(), events


@given(streams(), st.lists(st.integers(0, 10_000), max_size=30))
def test_the_events_do_not_depend_on_how_the_bytes_are_cut(stream: tuple[bytes, list[str]], places: list[int]) -> None:
    body, events = stream
    assert read(body) == events
    assert read(*cut(body, places)) == events


@given(streams())
def test_byte_by_byte_is_no_other_stream(stream: tuple[bytes, list[str]]) -> None:
    body, events = stream
    assert read(*(body[place : place + 1] for place in range(len(body)))) == events


@given(st.binary(max_size=200), st.lists(st.integers(0, 10_000), max_size=10))
def test_rubbish_is_read_alike_in_any_cut(body: bytes, places: list[int]) -> None:
    assert read(*cut(body, places)) == read(body)


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"data: a\n\n", ["a"]),
        (b"data:a\n\n", ["a"]),
        (b"data:  a\n\n", [" a"]),
        (b"data\n\n", [""]),
        (b"data: a\ndata: b\n\n", ["a\nb"]),
        (b"data: a\r\rdata: b\r\n\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfdata: a\n\n", ["a"]),
        (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", ["a"]),
        (b": comment\n\n\n\n", []),
        (b"event: ping\n\n", []),
        (b"datum: a\n\n", []),
        (b"data: not closed\n", []),
        (b"data: \xff\n\n", ["\ufffd"]),
        (b"<html>\n\n<p>data: no</p>\n\n", []),
    ],
)
def test_the_standard(body: bytes, events: list[str]) -> None:
    assert read(body) == events


def test_an_event_is_there_as_soon_as_its_empty_line_ended() -> None:
    reader = sse.Reader()
    assert reader.feed(b"data: a\r\n\r") == ["a"]
    assert reader.feed(b"\ndata: b\r\n\r\n") == ["b"]


@pytest.mark.parametrize("chunk", [b"x" * 2**20, b"data: " + b"x" * 2**20 + b"\n", b"data:\n" * 2**18])
def test_an_event_without_end_is_refused(chunk: bytes) -> None:
    with pytest.raises(sse.TooLong):
        read(*[chunk] * (sse.MAX_EVENT_BYTES // 2**20 + 1))


@pytest.mark.timeout(15)
def test_a_long_line_in_small_pieces_takes_time_in_proportion() -> None:
    pieces = [b"data: " + b"x" * 4_000_000, *[b"x"] * 100_000, b"\n\n"]
    (event,) = read(*pieces)
    assert len(event) == 4_100_000


def test_the_end_of_the_body_ends_its_last_event() -> None:
    reader = sse.Reader()
    assert reader.feed(b"data: a\n\ndata: b") == ["a"]
    assert reader.end() == ["b"]
    assert reader.end() == []
