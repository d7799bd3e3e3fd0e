import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.models.providers.streams import lines
from flowassist.models.providers.streams.lines import Reader, TooLong

TEXT = st.text(st.sampled_from("ab\r\u2028\u2029\x85\x0b\x0c\x1cß😀"))


@given(st.lists(TEXT), st.integers(1, 9))
def test_lines_end_where_they_end_however_they_are_cut(texts: list[str], size: int) -> None:
    body = "".join(f"{text}\n" for text in texts).encode()
    reader = Reader()
    found = [line for start in range(0, len(body), size) for line in reader.feed(body[start : start + size])]
    assert found == texts


def test_a_line_without_its_end_waits() -> None:
    reader = Reader()
    assert reader.feed(b'{"a"') == []
    assert reader.feed(b": 1}\n\n") == ['{"a": 1}', ""]


def test_bytes_that_are_no_text() -> None:
    assert Reader().feed(b"\xff\n") == ["\ufffd"]


def test_a_line_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_EVENT_BYTES", 8)
    reader = Reader()
    assert reader.feed(b"12345678") == []
    with pytest.raises(TooLong):
        reader.feed(b"9")
