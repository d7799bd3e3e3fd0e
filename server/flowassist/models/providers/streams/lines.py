"""JSON lines out of raw bytes, as Ollama streams them."""

from flowassist.models.providers.streams.sse import MAX_EVENT_BYTES, TooLong


class Reader:
    """Feed it chunks, however they are cut; it gives back the lines that are complete.

    Lines end at \\n and nowhere else: the line splitting of Python, and of Ollama's SDK, ends them at U+2028, U+2029,
    U+0085 and others too, which may stand unescaped in a JSON text. Bytes that are no UTF-8 become U+FFFD.
    """

    def __init__(self) -> None:
        self._line = b""

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that `chunk` completed, in order. Raises TooLong."""
        *lines, self._line = (self._line + chunk).split(b"\n")
        if len(self._line) > MAX_EVENT_BYTES:
            raise TooLong(f"a line of more than {MAX_EVENT_BYTES} bytes")
        return [line.decode(errors="replace") for line in lines]
