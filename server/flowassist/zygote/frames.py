"""How the server, the zygote and its children speak: frames of a small JSON head and a body of raw bytes.

The head is written by the speaker itself and read by the next hop; the body may be untrusted and travels unread.
"""

import json
import struct
from collections.abc import Iterator, Mapping

SIZES = struct.Struct(">II")
MAX_HEAD = 4096
MAX_BODY = 4 << 20
MOST = SIZES.size + MAX_HEAD + MAX_BODY
MAX_NODE = 200_000  # characters of a component's node in ASCII JSON, its code left out


class FrameError(Exception):
    """The other side does not speak frames."""


Head = dict[str, object]


def pack(head: Mapping[str, object], body: bytes = b"") -> bytes:
    """One frame, ready to be written."""
    text = json.dumps(head).encode()
    return SIZES.pack(len(text), len(body)) + text + body


def sizes(prefix: bytes, max_head: int = MAX_HEAD, max_body: int = MAX_BODY) -> tuple[int, int]:
    """Bytes of head and body that follow the prefix; FrameError above the limits."""
    head, body = SIZES.unpack(prefix)
    if head > max_head or body > max_body:
        raise FrameError(f"a frame of {head} + {body} bytes")
    return head, body


def read_head(raw: bytes) -> Head:
    try:
        head = json.loads(raw)
    except (ValueError, RecursionError):
        raise FrameError("a head that is no JSON") from None
    if not isinstance(head, dict):
        raise FrameError("a head that is no object")
    return head


def read(frame: bytes) -> tuple[Head, bytes]:
    """One whole frame. Raises FrameError."""
    head, _ = sizes(frame[: SIZES.size])
    start = SIZES.size + head
    return read_head(frame[SIZES.size : start]), frame[start:]


class Unpacker:
    """Takes bytes as they come, gives whole frames."""

    def __init__(self, max_head: int = MAX_HEAD, max_body: int = MAX_BODY) -> None:
        self._limits = max_head, max_body
        self._waiting = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[Head, bytes]]:
        """Every frame that is now complete. Raises FrameError."""
        self._waiting += data
        while len(self._waiting) >= SIZES.size:
            head, body = sizes(bytes(self._waiting[: SIZES.size]), *self._limits)
            end = SIZES.size + head + body
            if len(self._waiting) < end:
                return
            frame = bytes(self._waiting[SIZES.size : end])
            del self._waiting[:end]
            yield read_head(frame[:head]), frame[head:]
