import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flowassist.models.providers.streams.thoughts import Unthinking


def said(*pieces: str) -> list[str]:
    heard: list[str] = []
    text = Unthinking(heard.append)
    for piece in pieces:
        text(piece)
    text.end()
    return heard


@given(st.text(st.sampled_from("a <>/think\n")), st.text(st.sampled_from("b <>/think\n")), st.integers(1, 12))
def test_one_block_at_the_beginning_is_left_out_however_it_is_cut(thought: str, answer: str, size: int) -> None:
    whole = f"\n<think>{thought.replace('</think>', '')}</think>\n\n{answer}"
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    assert "".join(said(*pieces)) == whole.partition("</think>")[2].lstrip()


@given(st.text(st.sampled_from("a <>/think\n")), st.integers(1, 12))
def test_everything_else_is_said(text: str, size: int) -> None:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    assume(not text.lstrip().startswith("<think>"))
    assert "".join(said(*pieces)) == text


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (("a", "", "b"), ["a", "", "b"]),
        (("The ", "<think> tag"), ["The ", "<think> tag"]),
        (("<", "b>", "x"), ["<b>", "x"]),
        (("<thin",), ["<thin"]),
        ((" ", "\n"), [" \n"]),
        (("<think>never", " ends"), []),
    ],
)
def test_pieces_are_passed_on_as_they_come(pieces: tuple[str, ...], expected: list[str]) -> None:
    assert said(*pieces) == expected
