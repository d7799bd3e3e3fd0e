"""Find the component in a model's answer.

Fences are read line by line, as Markdown says, with the liberties that models take: a fence may follow text on its
line or have code behind it, a block that was never closed ends where the next one begins, and a fence inside a
triple-quoted string of the code is part of the code. What a model thought aloud is no answer.
"""

import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from flowassist.components.source import tree_of

_FENCE = re.compile(r"(?P<before>[^`~]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)")
_COMPONENT = re.compile(r"^[ \t]*class[ \t]+\w+[ \t]*\([^)]{0,300}(?:Component|LC)[^)]{0,300}\)[ \t]*:", re.MULTILINE)
_DEFINITION = re.compile(
    r"^[ \t]*(?:class|def|async[ \t]+def)[ \t]+\w+|^(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]", re.MULTILINE
)
_CLASS = re.compile(r"^[ \t]*class[ \t]+\w+", re.MULTILINE)
_FIRST_LINE = re.compile(r"from[ \t]+[\w.]+[ \t]+import[ \t(]|import[ \t]+[\w., \t]+$|class[ \t]+\w+[ \t]*[(:]|@\w")
_TOP_LEVEL = re.compile(r"from |import |class |def |async def |[@#)\]}\"']|[A-Za-z_]\w*[ \t]*(:[^=]*)?=")
_QUOTED = re.compile(r"^(?: {0,3}>.*(?:\n|\Z))+", re.MULTILINE)
_QUOTED_FENCE = re.compile(r"^ {0,3}>[ >]*(?:`{3}|~{3})", re.MULTILINE)
_QUOTE_MARK = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_THINKS = re.compile(r"^[ \t]*<(think|thinking|reasoning)>", re.MULTILINE)
_THOUGHT = re.compile(r"\A.*?^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE | re.DOTALL)
_PYTHON = {"python", "py", "python3", "py3"}
_DATA = {"json", "jsonc", "json5", "diff", "patch"}
_LOOKS_INTO_STRINGS = 32


@dataclass(frozen=True, slots=True)
class Extracted:
    """Code ends with one newline. `complete` is False where it breaks off, whatever the model's finish reason says."""

    code: str
    complete: bool


@dataclass(slots=True)
class _Block:
    """A fenced block; `label` is the first word after the fence, in small letters."""

    fence: str
    indent: int
    label: str
    lines: list[str] = field(default_factory=list)
    closed: bool = False

    @property
    def text(self) -> str:
        first = next((line for line in self.lines if line.strip()), "")
        indent = self.indent if first.startswith(" " * self.indent) else 0
        return _tidy("\n".join(_without(line, indent) for line in self.lines))

    def closed_behind(self, opening: "re.Match[str]") -> bool:
        """Whether the fence may close it behind the last line of its code."""
        before, fence = opening["before"].strip(), opening["fence"]
        return bool(before) and fence == self.fence and not opening["info"].strip() and self.label in _PYTHON

    def closed_by(self, opening: "re.Match[str]") -> bool:
        fence = opening["fence"]
        alone = not opening["before"].strip() and not opening["info"].strip()
        return alone and fence[0] == self.fence[0] and len(fence) >= len(self.fence)


def _without(line: str, indent: int) -> str:
    return line[min(indent, len(line) - len(line.lstrip(" "))) :]


def extract(answer: str) -> Extracted | None:
    """The component of `answer`: of several blocks the last whole one with a component class; None without code.

    Unfenced code has no end mark: it counts as complete unless it breaks off inside a statement.
    """
    text = _unquoted(_spoken(answer.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")))
    blocks, prose = _split(text)
    found = [candidate for block in blocks if (candidate := _candidate(block))]
    if found:
        return max(enumerate(found), key=lambda numbered: (*_worth(numbered[1]), numbered[0]))[1]
    return _unfenced(prose) or _in_json(text, blocks)


def _spoken(text: str) -> str:
    """Without what the model thought; its templates may have taken the mark at the beginning away."""
    spoken: list[str] = []
    while opened := _THINKS.search(text):
        _, closed, after = text[opened.end() :].partition(f"</{opened[1]}>")
        if not closed:
            break
        spoken.append(text[: opened.start()])
        text = after
    whole = "".join(spoken) + text
    return whole if spoken else _THOUGHT.sub("", whole, count=1)


def _unquoted(text: str) -> str:
    """Quotations (`> `) that hold a fence lose their marks."""
    return _QUOTED.sub(lambda found: _bare(found[0]) if _QUOTED_FENCE.search(found[0]) else found[0], text)


def _bare(quoted: str) -> str:
    return _QUOTE_MARK.sub("", quoted)


def _worth(candidate: Extracted) -> tuple[bool, bool, bool]:
    return bool(_COMPONENT.search(candidate.code)), candidate.complete, bool(_CLASS.search(candidate.code))


def _candidate(block: _Block) -> Extracted | None:
    """Blocks of Python; those of another name, or of none, if they look like it."""
    code = block.text
    if not code.strip() or block.label in _DATA:
        return None
    looks = _COMPONENT if block.label else _DEFINITION
    if block.label not in _PYTHON and not looks.search(code):
        return None
    return Extracted(code, block.closed and not _in_string(code))


def _in_json(text: str, blocks: list[_Block]) -> Extracted | None:
    """Code as a value of a JSON object, which is the answer or a block of it."""
    for said in (text, *(block.text for block in blocks if block.label in {"json", ""})):
        for value in _values(said):
            code = _tidy(value.replace("\r\n", "\n"))
            if _COMPONENT.search(value):
                return extract(value) if _FENCE.search(value) else Extracted(code, complete=True)
    return None


def _values(said: str) -> list[str]:
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return []
    return [value for value in found.values() if isinstance(value, str)] if isinstance(found, dict) else []


def _split(text: str) -> tuple[list[_Block], list[str]]:
    """The fenced blocks in their order, the last of which may be unclosed, and the lines outside them."""
    blocks: list[_Block] = []
    prose: list[str] = []
    block: _Block | None = None
    looks = iter(range(_LOOKS_INTO_STRINGS))
    for line in text.split("\n"):
        opening = _FENCE.fullmatch(line)
        ends = _ends(block, opening, looks) if block and opening else None
        if block and not ends:
            block.lines.append(line)
            continue
        if block and ends:
            block.closed = ends.closed
            block.lines += [ends.last] if ends.last else []
        else:
            prose.append(line)
        block = ends.next if ends else _opened(opening)
        blocks += [block] if block else []
    return blocks, prose


@dataclass(frozen=True, slots=True)
class _End:
    """`last` is code that stands before the fence on its line."""

    closed: bool
    next: _Block | None = None
    last: str = ""


def _ends(block: _Block, opening: "re.Match[str]", looks: Iterator[int]) -> _End | None:
    """How a line with a fence ends the block that is open, if it does."""
    if block.closed_behind(opening) and next(looks, None) is not None:
        whole = replace(block, lines=[*block.lines, opening["before"]])
        return None if _complaint(whole.text) else _End(closed=True, last=opening["before"])
    closes = block.closed_by(opening)
    begins = None if closes or opening["before"].strip() else _opened(opening)
    if not closes and not (begins and begins.label in _PYTHON):
        return None
    if block.label in {*_PYTHON, ""} and next(looks, None) is not None and _in_string(block.text):
        return None
    return _End(closes, begins)


def _opened(opening: "re.Match[str] | None") -> _Block | None:
    if not opening:
        return None
    before, label = opening["before"], _label(opening["info"])
    if before.strip() and label not in _PYTHON:
        return None
    behind = opening["info"].strip().partition(" ")[2]
    first = [behind] if label in _PYTHON and _FIRST_LINE.match(behind) else []
    return _Block(opening["fence"], len(before) if not before.strip() else 0, label, first)


def _label(info: str) -> str:
    words = info.strip().strip("{}").lstrip(".").lower().split()
    return re.split(r"[:,;{}.]", words[0].strip("{}.,:"))[0] if words else ""


def _tidy(code: str) -> str:
    body = code.strip("\n").rstrip()
    return (textwrap.dedent(body) if body[:1] in " \t" else body) + "\n"


def _in_string(code: str) -> bool:
    """Whether the code breaks off inside a triple-quoted string."""
    return "unterminated triple-quoted" in _complaint(code)


def _complaint(code: str) -> str:
    try:
        tree_of(code)
    except SyntaxError as error:
        return f"{error.msg} at {'end' if _at_end(error, code) else 'line'}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error)
    return ""


def _at_end(error: SyntaxError, code: str) -> bool:
    return (error.lineno or 0) >= code.count("\n")


def _unfenced(lines: list[str]) -> Extracted | None:
    """Code that stands in the answer without a fence, prose around it taken away."""
    start = next((number for number, line in enumerate(lines) if _FIRST_LINE.match(line)), None)
    if start is None or not _CLASS.search("\n".join(lines[start:])):
        return None
    whole = _tidy("\n".join(lines[start:]))
    code = whole if not _complaint(whole) else _tidy("\n".join(_until_prose(lines[start:])))
    if not _COMPONENT.search(code):
        return None
    return Extracted(code, not _breaks_off(code))


def _until_prose(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if line.strip() and not line[0].isspace() and not _TOP_LEVEL.match(line):
            return
        yield line


def _breaks_off(code: str) -> bool:
    complaint = _complaint(code)
    return "was never closed" in complaint or "unterminated" in complaint or complaint.endswith("at end")
