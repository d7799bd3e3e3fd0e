"""Reading chat completion chunks."""

import json
from collections.abc import Callable, Mapping

from flowassist.models.model import Finish, ModelError, Trouble
from flowassist.models.providers.failures import faults
from flowassist.models.providers.streams.answer import Answer, ToolPieces
from flowassist.models.providers.streams.stream import Event
from flowassist.secret import Hides

FINISHES: Mapping[str, Finish] = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "eos_token": Finish.STOP,
    "length": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "tool_calls": Finish.TOOL,
    "function_call": Finish.TOOL,
    "content_filter": Finish.REFUSAL,
}
"""OpenAI's, and those of endpoints that speak its protocol: Together, TGI, Mistral."""

FAILED: Mapping[str, Trouble] = {
    "insufficient_system_resource": Trouble.OVERLOADED,
    "function_call_filter": Trouble.MALFORMED,
}
"""Reasons to stop that leave a fragment: DeepSeek's, Google's."""

REFUSING = dict.fromkeys(FINISHES, Finish.REFUSAL)


class Chunks:
    """Reads chat completion chunks into an answer. A field that is missing, null or of another type says nothing.

    `read` turns an endpoint's own form of an event into OpenAI's.
    """

    def __init__(self, answer: Answer, key: Hides, read: Callable[[Event], Event] = lambda event: event) -> None:
        self._answer, self._key, self._read = answer, key, read
        self._refusing = False
        self._places: dict[int, int] = {}
        self._known: dict[str, int] = {}

    def __call__(self, event: Event) -> None:
        chunk = self._read(event)
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            self._usage(usage)
        if chunk.get("error"):
            raise faults.fault_in(chunk, 200, str(chunk["error"])).error(self._key)
        choices = chunk.get("choices")
        if isinstance(choices, list):
            for choice in choices:
                if isinstance(choice, dict) and not choice.get("index"):
                    self._choice(choice)

    def _choice(self, choice: Event) -> None:
        delta = choice.get("delta")
        if isinstance(delta, dict):
            self._delta(delta)
        if reason := _reason(choice.get("finish_reason")):
            if failed := FAILED.get(reason):
                raise ModelError(failed, f"the answer stopped: {reason}")
            self._answer.finished(REFUSING if self._refusing else FINISHES, reason)

    def _delta(self, delta: Event) -> None:
        if said := _said(delta.get("content")):
            self._answer.say(said)
        if isinstance(text := delta.get("refusal"), str) and text:
            self._refusing = True
            self._answer.say(text)
        if isinstance(calls := delta.get("tool_calls"), list):
            for position, piece in enumerate(calls):
                if isinstance(piece, dict):
                    self._tool(position, piece)

    def _tool(self, position: int, piece: Event) -> None:
        index, function = piece.get("index"), piece.get("function")
        named = function if isinstance(function, dict) else {}
        ident, name = _text(piece.get("id")), _text(named.get("name"))
        call = self._call(index if isinstance(index, int) else position, ident, name)
        call.id, call.name = call.id or ident, call.name or name
        call.arguments.append(_arguments(named.get("arguments")))
        call.signature = call.signature or _text(piece.get("signature"))

    def _call(self, index: int, ident: str, name: str) -> ToolPieces:
        """The call that a piece belongs to. Some endpoints give every call the same index."""
        place = self._known.get(ident, self._places.setdefault(index, index))
        if ident not in self._known and _begins(self._answer.tool(place), ident, name):
            place = self._places[index] = self._answer.next_tool
        if ident:
            self._known[ident] = place
        return self._answer.tool(place)

    def _usage(self, usage: Event) -> None:
        reported = usage.get("prompt_tokens"), usage.get("completion_tokens"), usage.get("total_tokens")
        self._answer.count(**dict(zip(("input", "output", "total"), reported, strict=True)))
        if reported[2] is None:
            self._answer.sum()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _reason(value: object) -> str:
    """Google adds what it filtered, behind a colon."""
    return _text(value).partition(":")[0].strip().lower() if isinstance(value, str) else "no word" if value else ""


def _said(content: object) -> str:
    """Text, or the text among parts of several kinds, as Mistral's reasoning models send them."""
    if not isinstance(content, list):
        return _text(content)
    parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(_text(part.get("text")) for part in parts)


def _arguments(value: object) -> str:
    return json.dumps(value) if isinstance(value, dict) else _text(value)


def _begins(call: ToolPieces, ident: str, name: str) -> bool:
    """Whether a piece with this id and name opens another call than `call`, which is told by its index."""
    if not (name and call.name):
        return False
    return ident != call.id if ident else _is_json("".join(call.arguments))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
