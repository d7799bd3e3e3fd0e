"""One validation inside the child: create the class, instantiate it, build its template, run its outputs."""

import ast
import asyncio
import errno
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from flowassist.zygote import blame, frames, runs
from flowassist.zygote.blame import CODE, Fault, Source
from flowassist.zygote.library import build_custom_component_template, create_class, extract_class_name

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """Shaped as flowassist.sandbox.claims.Job."""

    code: str
    class_name: str
    values: Mapping[str, object] = field(default_factory=dict)
    wall_seconds: float = 10.0


@dataclass(slots=True)
class Progress:
    """What is known so far; `stage` is the one that runs, or the one that failed."""

    claim: dict[str, object]
    told: Told

    def enter(self, stage: str) -> None:
        self.claim["stage"] = stage
        self.told(stage)


def validate(job: Job, lines_before: int, told: Told = lambda _: None) -> dict[str, object]:
    """A claim, shaped as flowassist.sandbox.claims.Claim. `told` hears each stage as it begins."""
    began = time.monotonic()
    progress = Progress({"class_name": job.class_name}, told)
    source = Source(job.code, lines_before)
    try:
        _stages(job, source, progress)
    except BaseException as error:  # noqa: BLE001 - generated code raises what it likes
        progress.claim["fault"] = blame.fault(error, source)
    progress.claim["milliseconds"] = (time.monotonic() - began) * 1000
    return progress.claim


def _stages(job: Job, source: Source, progress: Progress) -> None:
    progress.enter("create")
    if broken := _syntax_fault(job.code):
        progress.claim["fault"] = broken
        return
    kind = create_class(job.code, job.class_name or extract_class_name(job.code))
    progress.claim["class_name"] = kind.__name__
    progress.enter("instantiate")
    component = kind(_code=job.code)
    progress.enter("template")
    progress.claim |= _described(component)
    if unusable := _unusable_output(component, source):
        progress.claim["fault"] = unusable
        return
    progress.enter("run")
    _run(kind, component, job, source, progress)


def _syntax_fault(code: str) -> Fault | None:
    """lfx compiles the parts it keeps; a file that Python refuses as a whole is broken all the same."""
    try:
        compile(code, "component", "exec", dont_inherit=True)
    except SyntaxError as error:
        return blame.made("SyntaxError", blame.sentence(error), CODE, error.lineno)
    except ValueError as error:  # NUL characters
        return blame.made("SyntaxError", f"SyntaxError: {error}", CODE)
    return None


class TooLarge(OSError):
    """What a component declares does not fit; a limit that was hit, like that of a file."""

    def __init__(self, characters: int) -> None:
        super().__init__(errno.EFBIG, "too large")
        self._characters = characters

    def __str__(self) -> str:
        return f"Inputs and their values take {self._characters} characters as JSON, of {frames.MAX_NODE} at most."


def _described(component: Any) -> dict[str, object]:
    node, _ = build_custom_component_template(component)
    node["template"]["code"]["value"] = ""  # the server has what it sent
    if len(text := json.dumps(node, default=str, separators=(",", ":"))) > frames.MAX_NODE:
        raise TooLarge(len(text))
    return {
        "node": text,
        "display_name": node.get("display_name") or "",
        "description": node.get("description") or "",
        "inputs": [name for name, entry in node["template"].items() if isinstance(entry, dict) and name != "code"],
        "outputs": [
            {"name": o["name"], "method": o.get("method") or "", "types": list(o.get("types") or [])}
            for o in node["outputs"]
        ],
    }


def _unusable_output(component: Any, source: Source) -> Fault | None:
    """lfx takes outputs whose method does not exist."""
    for output in component.outputs:
        if not callable(getattr(type(component), output.method or "", None)):
            text = f"Output '{output.name}' names the method '{output.method}', which {type(component).__name__} lacks."
            return blame.made("AttributeError", text, CODE, _line_of(output.method, source))
    return None


def _line_of(method: str | None, source: Source) -> int | None:
    """Where the code names the method."""
    nodes: Iterator[ast.AST] = ast.walk(ast.parse(source.code))
    return next((n.lineno for n in nodes if isinstance(n, ast.Constant) and n.value == method), None)


def _run(kind: Any, component: Any, job: Job, source: Source, progress: Progress) -> None:
    done: list[runs.Run] = []
    progress.claim["runs"] = done
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    runner = runs.Runner(kind, component, source, job.wall_seconds, loop)
    for output in component.outputs:
        done += runner.given(output, job.values) if job.values else runner.sampled(output)
    wrong = next((r["fault"] for r in done if r["fault"] and r["fault"]["blame"] != blame.BOUNDARY), None)
    if wrong:
        progress.claim["fault"] = wrong
    else:
        progress.enter("done")
