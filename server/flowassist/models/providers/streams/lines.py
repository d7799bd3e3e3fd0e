"""Lines out of raw bytes, and the JSON lines that Ollama streams."""

MAX_EVENT_BYTES = 4 * 2**20


class TooLong(Exception):
    """One event grew over MAX_EVENT_BYTES."""


class Cutter:
    """Cuts bytes at \\n, however they come, in time that grows with what is fed and not with what waits."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._waiting = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completed, in order. Raises TooLong."""
        first, *lines = chunk.split(b"\n")
        self._add(first)
        if not lines:
            return []
        whole = b"".join(self._pieces)
        self._pieces, self._waiting = [], 0
        self._add(lines.pop())
        return [whole, *lines]

    def _add(self, piece: bytes) -> None:
        self._waiting += len(piece)
        if self._waiting > MAX_EVENT_BYTES:
            raise TooLong(f"a line of more than {MAX_EVENT_BYTES} bytes")
        if piece:
            self._pieces.append(piece)


class Reader:
    """Feed it chunks, however they are cut; it gives back the lines that are complete.

    Lines end at \\n and nowhere else: the line splitting of Python, and of Ollama's SDK, ends them at U+2028, U+2029,
    U+0085 and others too, which may stand unescaped in a JSON text. Bytes that are no UTF-8 become U+FFFD.
    """

    def __init__(self) -> None:
        self._cutter = Cutter()

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that `chunk` completed, in order. Raises TooLong."""
        return [line.decode(errors="replace") for line in self._cutter.feed(chunk)]

    def end(self) -> list[str]:
        """What the body's end completes."""
        return self.feed(b"\n")
