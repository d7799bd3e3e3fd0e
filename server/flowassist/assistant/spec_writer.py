"""How weak models write a component: a typed spec, then one plain function; the class around them is rendered.

A change of an earlier component goes over its code alone: the spec is read back from it (`spec_of`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flowassist.assistant import changes, rules
from flowassist.components.extract import extract
from flowassist.components.function import read_function
from flowassist.components.render import render, signature
from flowassist.components.rendered import function_of, spec_of
from flowassist.components.spec import SHAPE, Spec, SpecError, as_json, read_spec
from flowassist.models.model import Ask, Call, Finish, Message, Reply, Schema

PHASE = "component"


@dataclass(frozen=True, slots=True)
class _Tried:
    """A function that failed."""

    function: str
    error: str

    @property
    def messages(self) -> tuple[Message, ...]:
        wrong = Message("user", f"That fails: {self.error}\nWrite the whole function again, put right.")
        return Message("assistant", f"```python\n{self.function}\n```"), wrong


_FRAME = re.compile(r"\b(?:pandas )?data ?frames?\b", re.IGNORECASE)
_SPEC_ROOM = 500
_ROOM, _MORE_ROOM = 700, 1400


@dataclass(frozen=True, slots=True)
class Before:
    """An earlier component: with `error`, one that did not pass and is to be repaired; without, one to be changed."""

    code: str
    error: str


@dataclass(frozen=True, slots=True)
class Written:
    """A whole component, and the text to show with it. `code` is empty where `finish` is not STOP."""

    code: str
    class_name: str
    text: str
    finish: Finish


_NOT_IDLE = "do not return the arguments as they are: compute the result from them, step by step"

_SPEC = """\
You describe a Langflow component as JSON.
"display_name": a short title.
"description": one sentence that says exactly what the component does.
"icon": one that fits.
"inputs": what the user has to give, in natural order, nothing else. Each has a snake_case name and a type:
"text" a short string, "multiline" a long text, "int" a whole number, "float" any number, "bool" a switch, \
"secret" an API key. A list is one "multiline" text.
"output": "message" for a text, a changed text, one number or yes/no; "data" for one record of several computed \
fields; "dataframe" for a table, or one row for each of several items.

Request: Create a component that repeats a text n times
{"display_name": "Repeat Text", "description": "Repeats a text a given number of times.", "icon": "repeat", \
"inputs": [{"name": "text", "type": "multiline"}, {"name": "times", "type": "int"}], "output": "message"}
Request: I need a node for the area and perimeter of a rectangle
{"display_name": "Rectangle Measures", "description": "Computes the area and the perimeter of a rectangle.", \
"icon": "calculator", "inputs": [{"name": "width", "type": "float"}, {"name": "height", "type": "float"}], \
"output": "data"}
Request: a component that indents every line of a text
{"display_name": "Indent Lines", "description": "Indents every line of a text by two spaces.", "icon": "type", \
"inputs": [{"name": "text", "type": "multiline"}], "output": "message"}
Request: component that lists the words of a text with their lengths
{"display_name": "Word Lengths", "description": "Lists every word of a text with its length.", "icon": "list", \
"inputs": [{"name": "text", "type": "multiline"}], "output": "dataframe"}"""

_FUNCTION = """\
You write one Python function for a given task. Begin with the given signature and do exactly what the task says.
- Only Python's standard library, no pandas and no numpy; write the imports above the function. For HTTP use httpx.
- "-> str" returns the finished text alone, without a label. "-> dict" returns one record. "-> list[dict]" returns \
rows, one dict for each item.
- It must be right for every input: capitals, other languages, empty text. Several spaces or marks in a row count as \
one: use re with "+". No empty items or pieces in the result.
- Lists arrive as text: split them at commas or lines and strip the items. Keep the order of items.
- Never print, never read files or the environment. No example calls.
Answer with one ```python block and nothing else."""

_EXAMPLES = (
    Message("user", "Task: Repeats a text a given number of times.\ndef compute(text: str, times: int) -> str:"),
    Message("assistant", "```python\ndef compute(text: str, times: int) -> str:\n    return text * times\n```"),
    Message("user", "Task: Lists every word of a text with its length.\ndef compute(text: str) -> list[dict]:"),
    Message(
        "assistant",
        "```python\nimport re\n\n\ndef compute(text: str) -> list[dict]:\n"
        '    words = re.findall(r"\\w+", text)\n'
        '    return [{"word": word, "length": len(word)} for word in words]\n```',
    ),
    Message(
        "user",
        "Task: Computes the area and the perimeter of a rectangle.\ndef compute(width: float, height: float) -> dict:",
    ),
    Message(
        "assistant",
        "```python\ndef compute(width: float, height: float) -> dict:\n"
        '    return {"area": width * height, "perimeter": 2 * (width + height)}\n```',
    ),
)


async def write_spec(ask: Ask, request: str, before: Before | None, lessons: Sequence[str] = ()) -> Written:
    """One attempt at what `request`, in English, asks for. ModelError passes through.

    `lessons` are faults of earlier attempts that `before` does not show.
    `finish` is LENGTH where an answer was cut, also with more room: half a component is never rendered.
    """
    earlier = spec_of(before.code) if before else None
    if before and before.error and earlier:
        return await _repair(ask, request, earlier, before)
    if before and earlier and not rules.makes_anew(request):
        return await _change(ask, request, earlier, before)
    return await _new(ask, request, lessons)


async def _new(ask: Ask, request: str, lessons: Sequence[str]) -> Written:
    spec = await _spec(ask, Message("user", f"Request: {request}"))
    if not isinstance(spec, Spec):
        return _cut(spec)
    warned = "".join(f"\n    # another way than before, which failed with {lesson}" for lesson in lessons)
    return await _function(ask, spec, Message("user", _task(spec, request).text + warned))


async def _repair(ask: Ask, request: str, spec: Spec, before: Before) -> Written:
    return await _function(ask, spec, _task(spec, request), _Tried(function_of(before.code), before.error))


async def _change(ask: Ask, request: str, earlier: Spec, before: Before) -> Written:
    """By rule where the request names an output type, a new name or what is required; the rest by the model."""
    changed = changes.applied(request, earlier)
    function = function_of(before.code)
    if changed.leaves_nothing and changed.keeps_function and function:
        return _written(changed.spec, function)
    spec: Spec | Reply = changed.spec
    if not changed.leaves_nothing:
        spec = await _changed_spec(ask, request, changed.spec)
    if not isinstance(spec, Spec):
        return _cut(spec)
    task = f"{earlier.description}\nBefore, it was written like this:\n```python\n{function}\n```\nNow: {request}"
    return await _function(ask, spec, _ask_for(task, spec))


async def _changed_spec(ask: Ask, request: str, earlier: Spec) -> Spec | Reply:
    asked = f"Request: {earlier.description}\n{as_json(earlier)}\nThe same component, changed: {request}"
    spec = await _spec(ask, Message("user", asked))
    if not isinstance(spec, Spec):
        return spec
    output = spec.output if changes.names_output(request) is None else earlier.output
    known = {entry.name: entry for entry in earlier.inputs}
    inputs = tuple(known.get(entry.name, entry) for entry in spec.inputs)
    return replace(spec, inputs=inputs, output=output, output_name=earlier.output_name)


async def _spec(ask: Ask, message: Message) -> Spec | Reply:
    """The spec, or the answer that is none."""
    call = Call(_SPEC, (message,), _SPEC_ROOM, schema=Schema("component", SHAPE), temperature=0.0, slot="spec")
    reply = await ask(PHASE, call)
    try:
        return read_spec(reply.text)
    except SpecError:
        return reply


async def _function(ask: Ask, spec: Spec, task: Message, tried: _Tried | None = None) -> Written:
    reply = await _asked(ask, task, *(tried.messages if tried else ()))
    if hint := _hint(reply, tried):
        # a small model repeats what it sees of itself: this time it does not see it
        reply = await _asked(ask, Message("user", f"{task.text}\n    # {hint}"))
    return _written(spec, _source(reply.text)) if reply.finish is Finish.STOP else _cut(reply)


def _hint(reply: Reply, tried: _Tried | None) -> str:
    """What to say to a model that does nothing, or does the same again; empty where the answer is worth a check."""
    source = _source(reply.text)
    if reply.finish is not Finish.STOP:
        return ""
    if tried and source.split() == tried.function.split():
        return f"another way than before, which failed with {tried.error}"
    return _NOT_IDLE if read_function(source).is_idle else ""


async def _asked(ask: Ask, *messages: Message) -> Reply:
    """The answer, asked for again with more room where it was cut."""
    call = Call(_FUNCTION, (*_EXAMPLES, *messages), _ROOM, temperature=0.0, slot="function")
    reply = await ask(PHASE, call)
    return await ask(PHASE, replace(call, max_tokens=_MORE_ROOM)) if reply.finish is Finish.LENGTH else reply


def _task(spec: Spec, request: str) -> Message:
    return _ask_for(f"{spec.description} ({request})", spec)


def _ask_for(task: str, spec: Spec) -> Message:
    """The word DataFrame would lead a small model to pandas, away from the rows that are asked for."""
    plain = _FRAME.sub("list of rows", task)
    return Message("user", f"Task: {plain}\n{signature(spec)}")


def _source(answer: str) -> str:
    found = extract(answer)
    return found.code if found else answer


def _written(spec: Spec, function: str) -> Written:
    code = render(spec, function)
    return Written(code, spec.class_name, f"{spec.description}\n\n```python\n{code}```", Finish.STOP)


def _cut(reply: Reply) -> Written:
    return Written("", "", reply.text, reply.finish)
