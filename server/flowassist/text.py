"""Text as protobuf and databases take it."""

import re

_NO_TEXT = re.compile("[\ud800-\udfff\0]")


def clean(text: str) -> str:
    """`text` with surrogate pairs joined, and without lone surrogates and NULs."""
    if not _NO_TEXT.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore").replace("\0", "")
