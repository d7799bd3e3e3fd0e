"""What is fed, with what it is begun, and what must hold of anything that goes in."""

import ast
import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass

from flowassist.components.extract import extract
from flowassist.components.reading import read
from flowassist.components.report import Finding
from flowassist.components.scan import scan
from flowassist.sandbox import claims
from flowassist.sandbox.claims import Blame, Claim, ClaimError, Fault, Output, Run, Stage
from flowassist.zygote import frames

COMPONENT = '''"""A component, as models write them."""

import json
import os as system
from dataclasses import dataclass
from typing import Any

import httpx
from lfx.custom import Component
from lfx.io import DropdownInput, IntInput, MessageTextInput, Output
from lfx.schema import Data, DataFrame, Message

LIMIT: int = 3
PROMPT = """
```python
x = 1
```
"""


@dataclass
class Row:
    text: str


class Words(Component):
    display_name = "Words"
    inputs: list = [
        MessageTextInput(name="text", display_name="Text", tool_mode=True),
        IntInput(name="count", display_name="Count", value=2),
        DropdownInput(name="mode", display_name="Mode", options=["a", "b"], value="a"),
    ]
    outputs = [
        Output(name="said", display_name="Said", method="say"),
        Output(name="rows", display_name="Rows", method="list_rows"),
    ]

    def _parts(self, *extra: Any, sep: str = " ", **more: Any) -> list[str]:
        return [part for part in (self.text or "").split(sep) if part] + list(extra)

    def say(self) -> Message:
        with httpx.Client() as client:
            found = client.get("https://example.org", params={"q": self.text})
        try:
            shown = json.loads(found.text)
        except (ValueError, KeyError) as error:
            self.status = f"{error!r}: {system.path.basename('a/b')}"
            shown = {}
        return Message(text=str(shown or "{}".format(self.count)))

    async def list_rows(self) -> DataFrame:
        total = sum(len(part) for part in self._parts())
        match self.mode:
            case "a" if (half := total // 2) > 1:
                return DataFrame([asdict for asdict in map(lambda part: {"text": part}, self._parts())][:half])
            case _:
                return DataFrame([Data(data={"text": "x"}).data])
'''
HOSTILE = """import builtins as b, importlib
from os import *
run = getattr(b, "ev" + "al")
class Evil(__import__("lfx.custom").custom.Component):
    x, *y = (open, exec)
    def go(self, f=vars(b)["exec"]):
        for z in [().__class__.__base__.__subclasses__()]: yield z
        return (lambda: (yield))(*[run, self.get_variables], **{"k": importlib.import_module("subprocess")})
"""
ANSWERS = (
    f"Here it is.\n\n```python\n{COMPONENT}```\n\nUse it well.\n",
    f"~~~py\r\n{COMPONENT}~~~".replace("\n", "\r\n"),
    f"1. First:\n   ```python title=a.py\n   {COMPONENT}   ```\n```json\n{{}}\n```\n",
    f"<think>```python\nclass A(Component): pass\n```</think>\n{COMPONENT}\nThat is all.",
    "```bash\nls\n```\n> ```python\n> import os\n> ```\n",
)
FAULT = Fault("NameError", "NameError: name 'a' is not defined", Blame.CODE, 7)
CLAIMS = tuple(
    json.dumps(asdict(claim))
    for claim in (
        Claim(Stage.CREATE, fault=FAULT),
        Claim(
            Stage.DONE, "Words", "Words", "Says.", ("text", "count"), (Output("said", "say", ("Message",)),),
            (Run("said", "plain", "Message", "HELLO", '{"text": "HELLO"}'), Run("said", "empty", fault=FAULT)),
            milliseconds=31.5,
            node='{"template":{"code":{"value":""},"text":{"value":1.5},"count":{}},'
            '"outputs":[{"name":"said","method":"say"}]}',
        ),
    )
)  # fmt: skip
FRAMES = tuple(
    (frames.pack({"id": number, "stage": "run"}, b"body" * number) * 2).decode("latin-1") for number in range(3)
)


@dataclass(frozen=True, slots=True)
class Target:
    """`feed` gives what came of an input, as few distinct values as tell two ways of coming out apart; or raises."""

    name: str
    seeds: Sequence[str]
    feed: Callable[[str], Hashable]


def extraction(text: str) -> Hashable:
    """What is taken out stands in the answer, line by line."""
    found = extract(text)
    if found is None:
        return None
    assert found.code.strip()
    assert found.code.endswith("\n")
    assert found.code in _Lines(text), "lines that nobody wrote"
    return found.complete, found.code.count("class ") > 1, found.code[:1] in " \t"


class _Lines:
    """Code is in them if each of its lines is, indentation apart."""

    def __init__(self, text: str) -> None:
        self._lines = {line.strip("> \t") for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")}

    def __contains__(self, code: str) -> bool:
        return all(not line.strip() or self._holds(line) for line in code.split("\n"))

    def _holds(self, line: str) -> bool:
        bare = line.strip("> \t")
        return bare in self._lines or any(bare in one for one in self._lines)


def reading(code: str) -> Hashable:
    """Findings name lines of the code, and reading twice finds the same."""
    first = read(code)
    _placed(first.findings, code)
    assert read(code).findings == first.findings
    return first.tree is None, first.anatomy is None, frozenset(finding.rule for finding in first.findings)


def scanning(code: str) -> Hashable:
    read_once = read(code)
    found = scan(read_once)
    _placed(found, code)
    assert scan(read_once) == found
    return frozenset(finding.rule for finding in found)


def _placed(found: Iterable[Finding], code: str) -> None:
    last = len(code.splitlines())
    for finding in found:
        assert finding.rule
        assert finding.message
        assert finding.remedy
        assert finding.line is None or 1 <= finding.line <= max(1, last), f"line {finding.line} of {last}"


def claim(text: str) -> Hashable:
    """A claim that was read is read again as itself."""
    try:
        read_once = claims.parse(text.encode(errors="surrogatepass"))
    except ClaimError as error:
        return str(error)
    assert claims.parse(json.dumps(asdict(read_once)).encode()) == read_once
    return read_once.stage, bool(read_once.runs), bool(read_once.fault)


def framing(text: str) -> Hashable:
    """The same frames come out in whatever pieces the bytes come in."""
    raw = text.encode("latin-1", errors="replace")
    whole, single = _frames([raw]), _frames([raw[at : at + 1] for at in range(len(raw))])
    assert whole == single
    return len(whole[0]), whole[1]


def _frames(pieces: Sequence[bytes]) -> tuple[list[tuple[str, bytes]], str]:
    unpacker, found = frames.Unpacker(), list[tuple[str, bytes]]()
    try:
        for piece in pieces:
            found.extend((repr(head), body) for head, body in unpacker.feed(piece))
    except frames.FrameError as error:
        return found, str(error)[:12]
    return found, ""


_CODE = (COMPONENT, HOSTILE, COMPONENT + HOSTILE, ast.unparse(ast.parse(COMPONENT)))
TARGETS = (
    Target("extraction", ANSWERS, extraction),
    Target("reading", _CODE, reading),
    Target("scan", _CODE, scanning),
    Target("claim", CLAIMS, claim),
    Target("frames", FRAMES, framing),
)
"""Each reads what a model or a child wrote."""
