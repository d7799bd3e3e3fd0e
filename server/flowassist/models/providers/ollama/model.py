"""Models that Ollama serves, on this machine, on another, or in its cloud."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Finish,
    Hear,
    Message,
    ModelError,
    Remedy,
    Reply,
    Spent,
    Strength,
    Tool,
    ToolCall,
    Trouble,
    Usage,
    nobody,
    uncounted,
)
from flowassist.models.providers import shapes
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.ollama import faults as ollama_faults
from flowassist.models.providers.ollama.profile import LOADING, Profile, by_preference, need_of, window_for
from flowassist.models.providers.streams import lines, stream
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.streams.thoughts import Unthinking
from flowassist.models.providers.wire import Wire
from flowassist.secret import Hides

if TYPE_CHECKING:
    from flowassist.models.providers.ollama.client import Client

OWN_ADDRESS = "http://127.0.0.1:11434"
PORT = 11434
EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only to be replaced
THOUGHTS = 1024
"""Tokens on top of a call's limit for models that cannot stop thinking."""
FINISHES: Mapping[str, Finish] = {"stop": Finish.STOP, "length": Finish.LENGTH}
POSSIBLE = frozenset({Remedy.NO_SCHEMA})
NOT_INSTALLED = "the ollama package is not installed (pip install 'flowassist[ollama]')"


def missing() -> str:
    """What this installation lacks, in words; empty if it lacks nothing."""
    return "" if find_spec("ollama") else NOT_INSTALLED


def address(given: str) -> str:
    """The URL that `given` means: also a bare host or host:port, as OLLAMA_HOST has it, and with or without /api.

    "All addresses", which a server listens at, are reached at this machine. Raises ValueError for what is no address.
    """
    given = given.strip().rstrip("/") or OWN_ADDRESS
    bare = "://" not in given
    parts = urlsplit(f"http://{given}" if bare else given)
    host = EVERYWHERE.get(parts.hostname or "", parts.hostname)
    port = parts.port or (PORT if bare else None)
    named = f"[{host}]" if host and ":" in host else host
    path = parts.path.rstrip("/").removesuffix("/api").removesuffix("/v1")
    return f"{parts.scheme}://{named}{f':{port}' if port else ''}{path}"


def endpoint(access: Access, patience: Patience) -> "Endpoint[Client]":
    """One endpoint for all models behind one address and key; the key may be empty."""
    patience = replace(patience, first_event=patience.first_event * LOADING)
    with suppress(ValueError):
        access = replace(access, base_url=address(access.base_url))
    return Endpoint(access, _client, patience)


def _client(place: "Endpoint[Client]") -> "Client":
    if absent := missing():
        raise ModelError(Trouble.NOT_AVAILABLE, absent, usage=Usage())
    from flowassist.models.providers.ollama import client as ollama_client  # noqa: PLC0415

    try:
        return ollama_client.Client(place)
    except ValueError:
        raise ModelError(Trouble.UNREACHABLE, f"{place.base_url!r:.100} is no address", usage=Usage()) from None


class OllamaModel:
    """A Model over /api/chat."""

    def __init__(self, place: "Endpoint[Client]", name: str) -> None:
        self.provider, self.name, self.strength = "ollama", name, Strength.STRONG
        self.lessons = place.lessons(name, POSSIBLE)
        self._place = place

    async def ready(self) -> None:
        """Look the model up: whether it is there, can chat, and how strong it is. It is not loaded by this."""
        client = await self._place.client()
        async with client.looking_up():
            await self._profile(client)

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask; see `Model.reply`."""
        client = await self._place.client()
        from flowassist.models.providers.ollama.client import translated  # noqa: PLC0415

        call = shapes.in_words(call) if Remedy.NO_SCHEMA in remedies else call
        async with client.looking_up():
            request = await self._request(client, call)
        answer, key = Answer(hear, spent), self._place.key
        take = Lines(answer, key, request["options"]["num_ctx"])
        with translated(key):
            opening = client.chatting(request, answer)
            return await stream.read(opening, answer, take, self._place.patience, key, lines.Reader)

    async def _profile(self, client: "Client") -> Profile:
        profile = await client.profile(self.name)
        self.strength = profile.strength
        if not profile.can("completion"):
            raise self._unasked(Trouble.NOT_AVAILABLE, "cannot chat")
        return profile

    async def _request(self, client: "Client", call: Call) -> dict[str, Any]:
        """Raises ModelError for what the model surely cannot do."""
        profile = await self._profile(client)
        if call.tools and not profile.can("tools"):
            raise self._unasked(Trouble.NO_TOOLS, "does not support tools")
        window, limit = await self._window(client, call, profile)
        options: dict[str, Any] = {"num_ctx": window, "num_predict": limit}
        if call.temperature is not None:
            options["temperature"] = call.temperature
        request = {
            "model": self.name,
            "messages": [*_system(call.system), *_messages(call.messages)],
            "stream": True,
            "truncate": False,
            "shift": False,
            "options": options,
            **profile.thinking,
        }
        if call.tools:
            request["tools"] = [_tool(tool) for tool in call.tools]
        if call.schema:
            request["format"] = {"title": call.schema.name, **call.schema.shape}
        return request

    async def _window(self, client: "Client", call: Call, profile: Profile) -> tuple[int, int]:
        """How many tokens the model has to hold, and how many of them it may write."""
        need, limit = need_of(call), call.max_tokens + THOUGHTS * profile.cannot_stop_thinking
        may_not_fit = 0 < profile.context <= need.most
        if may_not_fit and (need.fewest >= profile.context or not await client.refuses_to_cut()):
            raise self._unasked(Trouble.CONTEXT_TOO_LONG, f"cannot hold more than {profile.context} tokens")
        window = window_for(need.most + limit, profile, client.windows.get(self.name, 0))
        client.windows[self.name] = window
        return window, limit

    def _unasked(self, trouble: Trouble, text: str) -> ModelError:
        return ModelError(trouble, f"the model {self.name} {text}", usage=Usage())


class Lines:
    """Reads the lines of an answer; what the model thinks is not said. `window` is the context that was asked for."""

    def __init__(self, answer: Answer, key: Hides, window: int) -> None:
        self._answer, self._key, self._window = answer, key, window
        self._text = Unthinking(answer.say)

    def __call__(self, line: Mapping[str, object]) -> None:
        if line.get("error"):
            raise ollama_faults.in_stream(line, self._key)
        message = line.get("message")
        if isinstance(message, Mapping):
            self._message(message)
        if line.get("done") is True:
            self._done(line)

    def _message(self, message: Mapping[str, object]) -> None:
        text, calls = message.get("content"), message.get("tool_calls")
        if isinstance(text, str) and text:
            self._text(text)
        for call in calls if isinstance(calls, list) else ():
            match call:
                case {"function": {"name": str(name)} as function}:
                    self._tool(call.get("id"), name, function.get("arguments"))

    def _tool(self, ident: object, name: str, arguments: object) -> None:
        """A call comes whole; only newer servers give it an id."""
        pieces = self._answer.tool(self._answer.next_tool)
        pieces.id, pieces.name = ident if isinstance(ident, str) else "", name
        if arguments:
            pieces.arguments.append(arguments if isinstance(arguments, str) else _plainly(arguments))

    def _done(self, line: Mapping[str, object]) -> None:
        """Servers that count no prompt had the whole of it in their cache; a full window means that it was cut."""
        self._text.end()
        read = line.get("prompt_eval_count")
        self._answer.count(input=read, output=line.get("eval_count"))
        self._answer.sum()
        if isinstance(read, int) and read >= self._window:
            raise ModelError(Trouble.CONTEXT_TOO_LONG, f"the prompt was cut: it filled all {self._window} tokens")
        self._answer.finished(FINISHES, line.get("done_reason") or "stop")
        self._answer.ended = True


def _plainly(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _system(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": text}] if text else []


def _messages(messages: tuple[Message, ...]) -> Iterator[dict[str, Any]]:
    """Results go back with the name of their tool, for older servers, and the id of their call, for newer ones."""
    names: dict[str, str] = {}
    for message in messages:
        names |= {call.id: call.name for call in message.tool_calls}
        plain = {"role": message.role, "content": message.text}
        if message.role == "tool":
            yield {**plain, "tool_name": names.get(message.tool_call_id, ""), "tool_call_id": message.tool_call_id}
        elif message.tool_calls:
            yield {**plain, "tool_calls": list(map(_call, message.tool_calls))}
        else:
            yield plain


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "function": {"name": call.name, "arguments": _arguments(call.arguments)}}


def _arguments(text: str) -> dict[str, Any]:
    """The API takes objects only: what a model wrote wrongly is shown to it as it was."""
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = None
    return arguments if isinstance(arguments, dict) else {"arguments": text}


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


async def listed(place: "Endpoint[Client]") -> tuple[Listing, ...]:
    """The models that can chat, the one to prefer first. Raises ModelError."""
    client = await place.client()
    async with client.looking_up():
        models = await client.models()
    return tuple(Listing(name, name) for name in by_preference(models))


WIRE = Wire(endpoint, OllamaModel, listed=listed)
