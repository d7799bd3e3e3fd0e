"""Why a piece of generated code failed: one clean sentence, the user's line, and whose fault it is."""

import ast
import dis
import errno
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType, TracebackType

from pydantic import ValidationError

from flowassist.zygote.library import INSTALLED

Fault = dict[str, object]  # shaped as flowassist.sandbox.claims.Fault

CODE, BOUNDARY, LIMITS = "code", "boundary", "limits"
_SOURCE_FILE = "<string>"  # the name under which lfx compiles a component
_MESSAGE_CHARACTERS = 500
_CAUSES_FOLLOWED = 12
_WRAPPER = re.compile(r"Error creating class\.|Name error \(|Syntax error in code:|Invalid Python code:|Error running ")
_OWN_ATTRIBUTE = re.compile(r"Attribute \w+ not found in \w+$")
_NETWORK_ERRORS = {
    "APIConnectionError",
    "ClientConnectorError",
    "ConnectError",
    "ConnectTimeout",
    "MaxRetryError",
    "NameResolutionError",
    "NewConnectionError",
    "URLError",
}
_PLACE_OF_MODULE = re.compile(r" \((?:/[^()]*|unknown location)\)$")
_RAISE = dis.opmap["RAISE_VARARGS"]
_NO_NETWORK = "It needs the network, which the sandbox does not have."


@dataclass(frozen=True, slots=True)
class Source:
    """The user's code, and how many lines lfx puts before it."""

    code: str
    lines_before: int

    def line(self, number: int | None) -> int | None:
        """The user's line of a line in the compiled file, None for lfx's own."""
        if number is None:
            return None
        mine = number - self.lines_before
        return mine if 1 <= mine <= self.code.count("\n") + 1 else None


def fault(error: BaseException, source: Source, absent: Mapping[str, str] | None = None) -> Fault:
    """`absent` names what the code asked for and the sandbox cannot give."""
    root = _unwrapped(error)
    blame, message = _judged(root, absent or {})
    return made(type(root).__name__, message, blame, _line(root, source))


def made(kind: str, message: str, blame: str, line: int | None = None) -> Fault:
    return {"type": kind, "message": message, "blame": blame, "line": line}


def sentence(error: BaseException) -> str:
    """As Python prints it in its last line, without lfx's wrapping."""
    root = _unwrapped(error)
    return _cut(f"{type(root).__name__}: {_text(root)}".removesuffix(": "))


def about_the_sample(error: Exception) -> bool:
    """Whether another value in the inputs might do: not so for what is wrong with any value."""
    root = _unwrapped(error)
    return not isinstance(root, ImportError | MemoryError) and not _surely_of_code(root)


def missing(absent: Mapping[str, str]) -> str:
    needs = " and ".join(f"{need} ({name})" for name, need in absent.items())
    return f"It needs {needs}, which the sandbox does not have."


def offline() -> Fault:
    """What a value is worth that was made without the network that its code asked for."""
    return made("Needs", _NO_NETWORK, BOUNDARY)


def _judged(root: BaseException, absent: Mapping[str, str]) -> tuple[str, str]:
    if isinstance(root, MemoryError) or _hit_a_limit(root):
        return LIMITS, _limit_text(root)
    if isinstance(root, ImportError):
        return (BOUNDARY if _hidden_by_boundary(root) else CODE), sentence(root)
    if _surely_of_code(root):
        return CODE, sentence(root)
    if absent:
        return BOUNDARY, missing(absent)
    return _outside_reached(root) or (CODE, sentence(root))


def _hit_a_limit(root: BaseException) -> bool:
    full = isinstance(root, OSError) and root.errno in (errno.EFBIG, errno.ENOSPC, errno.EMFILE)
    return full or (isinstance(root, RuntimeError) and "can't start new thread" in _text(root))


def _limit_text(root: BaseException) -> str:
    if isinstance(root, MemoryError):
        return "MemoryError: The code needs more memory than the sandbox gives."
    return sentence(root)


def _hidden_by_boundary(root: ImportError) -> bool:
    """A whole package that is installed and still not found: the child cannot read it."""
    name = root.name or ""
    return isinstance(root, ModuleNotFoundError) and "." not in name and name in INSTALLED


def _surely_of_code(root: BaseException) -> bool:
    if isinstance(root, AttributeError) and _OWN_ATTRIBUTE.match(_text(root)):
        return True
    return isinstance(root, NameError | RecursionError) or not isinstance(root, Exception)


def _outside_reached(root: BaseException) -> tuple[str, str] | None:
    """Whether the code only failed because there is no outside here."""
    for error in _behind(root):
        if _raised_by_code(error):
            continue
        if type(error).__name__ in _NETWORK_ERRORS or isinstance(error, socket.gaierror | ConnectionError):
            return BOUNDARY, _NO_NETWORK
        if isinstance(error, PermissionError) and error.errno in (errno.EPERM, errno.EACCES):
            return BOUNDARY, _forbidden(error)
        if isinstance(error, FileNotFoundError) and error.filename:
            return BOUNDARY, f"It needs the file {error.filename!r}, which the sandbox does not have."
    return None


def _forbidden(error: PermissionError) -> str:
    if error.filename:
        return f"It needs {error.filename!r}, which the sandbox does not open."
    return _NO_NETWORK if _raised_in(error, ("socket.py", "asyncio")) else f"The sandbox does not allow it ({error})."


def _raised_in(error: BaseException, files: tuple[str, ...]) -> bool:
    """Below the code's own last frame: what ran it stands above, and is no witness."""
    below: list[str] = []
    for frame, _ in _frames(error):
        below = [] if frame.f_code.co_filename == _SOURCE_FILE else [*below, frame.f_code.co_filename]
    return any(name in file for file in below for name in files)


def _raised_by_code(error: BaseException) -> bool:
    """Whether a `raise` statement of the generated code made it, and not something that it called."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename != _SOURCE_FILE:
        return False
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] == _RAISE


def _behind(root: BaseException) -> Iterator[BaseException]:
    """The error, and what it was raised from or while handling."""
    current: BaseException | None = root
    for _ in range(_CAUSES_FOLLOWED):
        if current is None:
            return
        yield current
        current = current.__cause__ or current.__context__


def _unwrapped(error: BaseException) -> BaseException:
    """lfx wraps what went wrong in sentences of its own; the cause says more."""
    for _ in range(_CAUSES_FOLLOWED):
        inner = error.__cause__
        if inner is None or not (_WRAPPER.match(_text(error)) or isinstance(inner, ValidationError)):
            return error
        error = inner
    return error


def _text(error: BaseException) -> str:
    """Exceptions of generated code may fail even at being printed."""
    with suppress(Exception):
        if isinstance(error, ValidationError):
            return _fields(error)
        if isinstance(error, SyntaxError):
            return error.msg
        if isinstance(error, ImportError):
            return _PLACE_OF_MODULE.sub("", str(error))
        detail = getattr(error, "detail", None)
        return str(detail.get("error", "")) if isinstance(detail, dict) else str(error)
    return ""


def _fields(error: ValidationError) -> str:
    """ "Extra inputs are not permitted: colour (MessageTextInput)"."""
    return "; ".join(_field(error, one["msg"], one["loc"]) for one in error.errors())


def _field(error: ValidationError, message: str, place: tuple[int | str, ...]) -> str:
    where = ".".join(map(str, place)) or "value"
    return f"{message.removeprefix('Value error, ')}: {where} ({error.title})"


def _cut(text: str) -> str:
    return text if len(text) <= _MESSAGE_CHARACTERS else text[: _MESSAGE_CHARACTERS - 1] + "…"


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _line(root: BaseException, source: Source) -> int | None:
    if isinstance(root, SyntaxError) and (line := source.line(root.lineno)):
        return line
    own = [source.line(line) for frame, line in _frames(root) if frame.f_code.co_filename == _SOURCE_FILE]
    if mine := [line for line in own if line]:
        return mine[-1]
    return _import_line(root, source) if isinstance(root, ImportError) else None


def _import_line(root: ImportError, source: Source) -> int | None:
    """The first import statement that names what was not found."""
    quoted = set(re.findall(r"'([^']+)'", _text(root)))
    roots = quoted | {name.replace("lfx", "langflow", 1) for name in quoted}
    for node in ast.walk(ast.parse(source.code)):
        if isinstance(node, ast.ImportFrom) and node.module in roots:
            return node.lineno
        if isinstance(node, ast.Import) and any(alias.name in roots for alias in node.names):
            return node.lineno
    return None
