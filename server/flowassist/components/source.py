"""Turn code into a syntax tree, or into the finding that says why it has none."""

import ast
import threading
import warnings

from flowassist.components.report import Finding

MAX_BYTES = 200_000

_filters = threading.Lock()


def tree_of(code: str) -> ast.Module:
    """Parse without a word about odd escapes. Raises SyntaxError, ValueError, RecursionError or MemoryError."""
    with _filters, warnings.catch_warnings(action="ignore"):
        return ast.parse(code)


def parse(code: str) -> ast.Module | Finding:
    """The tree of code of at most `MAX_BYTES`; a line of the finding counts from 1."""
    try:
        if len(code.encode()) > MAX_BYTES:
            return _too_large()
        return _unreadable() if "\x00" in code else tree_of(code)
    except SyntaxError as error:
        return Finding("syntax", f"SyntaxError: {error.msg}", "Write valid Python 3.11.", _line(error, code))
    except ValueError:
        return _unreadable()
    except (RecursionError, MemoryError):
        return too_deep()


def too_deep() -> Finding:
    return Finding("too-deep", "The code is nested too deeply to be read.", "Break the nested expression up.")


def _unreadable() -> Finding:
    return Finding("unreadable", "The code holds characters that Python cannot read.", "Remove them.")


def _too_large() -> Finding:
    message = f"The code is larger than {MAX_BYTES // 1000} kB."
    return Finding("too-large", message, "Write a smaller component; data belongs into an input.")


def _line(error: SyntaxError, code: str) -> int | None:
    if error.lineno is None:
        return None
    return max(1, min(error.lineno, len(code.splitlines())))
