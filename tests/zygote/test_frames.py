"""Frames survive being cut anywhere, and what is no frame is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from flowassist.zygote.frames import SIZES, FrameError, Unpacker, pack

FRAMES = some.lists(some.tuples(some.dictionaries(some.text(max_size=5), some.integers()), some.binary(max_size=50)))


@given(FRAMES, some.integers(1, 40))
def test_what_was_packed_comes_out_whatever_the_pieces(frames: list[tuple[dict[str, int], bytes]], size: int) -> None:
    stream = b"".join(pack(head, body) for head, body in frames)
    unpacker = Unpacker()
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert [frame for piece in pieces for frame in unpacker.feed(piece)] == frames


@pytest.mark.parametrize(
    "stream",
    [SIZES.pack(5000, 0), SIZES.pack(2, 2**31), SIZES.pack(2, 0) + b"[]", SIZES.pack(3, 0) + b"{x}", b"Traceback"],
)
def test_what_is_no_frame_is_refused(stream: bytes) -> None:
    with pytest.raises(FrameError):
        list(Unpacker().feed(stream))


def test_a_deeply_nested_head_is_refused() -> None:
    with pytest.raises(FrameError):
        list(Unpacker(max_head=1 << 20).feed(SIZES.pack(100_000, 0) + b"[" * 100_000))


def test_a_body_is_never_read_as_a_head() -> None:
    body = pack({"id": 2})
    assert list(Unpacker().feed(pack({"id": 1}, body))) == [({"id": 1}, body)]
