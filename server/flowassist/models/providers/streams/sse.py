"""Server-sent events out of raw bytes (HTML standard, section 9.2), as far as model providers use them."""

from flowassist.models.providers.streams.lines import MAX_EVENT_BYTES, Cutter, TooLong

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Reader:
    """Feed it chunks, however they are cut; it gives back the data of each event that is complete.

    Lines end at \\n, \\r\\n or \\r and nowhere else: text may hold U+2028 or U+0085. Bytes that are no UTF-8
    become U+FFFD.
    """

    def __init__(self) -> None:
        self._cutter = Cutter()
        self._data: list[bytes] = []
        self._size = 0
        self._after_return = False
        self._started = False

    def feed(self, chunk: bytes) -> list[str]:
        """The events that `chunk` completed, in order. Raises TooLong."""
        lines = self._cutter.feed(self._unified(chunk))
        return [event for line in lines if (event := self._take(line)) is not None]

    def end(self) -> list[str]:
        """What the body's end completes: some endpoints leave out the empty line behind their last event."""
        return self.feed(b"\n\n")

    def _unified(self, chunk: bytes) -> bytes:
        """A \\r ends its line at once; if \\n follows in a later chunk, it belongs to it."""
        if not chunk:
            return chunk
        if self._after_return:
            chunk = chunk.removeprefix(b"\n")
        self._after_return = chunk.endswith(b"\r")
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in chunk else chunk

    def _take(self, line: bytes) -> str | None:
        if not self._started:
            self._started, line = True, line.removeprefix(BYTE_ORDER_MARK)
        if not line:
            return self._dispatch()
        name, _, value = line.partition(b":")
        if name == b"data":
            self._data.append(value.removeprefix(b" "))
            self._size += len(line)
            self._bound(self._size)
        return None

    def _dispatch(self) -> str | None:
        if not self._data:
            return None
        data, self._data, self._size = b"\n".join(self._data), [], 0
        return data.decode(errors="replace")

    def _bound(self, size: int) -> None:
        if size > MAX_EVENT_BYTES:
            raise TooLong(f"an event of more than {MAX_EVENT_BYTES} bytes")
