"""Ollama's SDK client, and what one endpoint's models are known to be. Imports the SDK: import this module lazily.

The SDK's own `chat` is passed by: it cuts lines at U+0085, drops the ids of tool calls, the fields of a tool's schema
that it does not know and the headers of an error, and cannot send `truncate`. Address, identity, connections, `show`
and `list` are the SDK's.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from typing import Any

import httpx
import ollama

from flowassist.models.model import ModelError, Trouble, Usage
from flowassist.models.providers.connections import bounds
from flowassist.models.providers.connections.endpoint import Endpoint
from flowassist.models.providers.connections.hush import hushed
from flowassist.models.providers.connections.steady import Steady
from flowassist.models.providers.failures import faults
from flowassist.models.providers.ollama import faults as ollama_faults
from flowassist.models.providers.ollama.profile import LOADING, NOBODY_KNOWS, Profile, profile_of
from flowassist.models.providers.streams.answer import Answer
from flowassist.models.providers.streams.stream import Body
from flowassist.secret import Hides

LOOK_UP_SECONDS = 10.0
"""For all look-ups of one call together, where a first token may not come sooner."""
PROFILE_SECONDS = 300.0
FIRST_TO_REFUSE = (0, 12, 6)
"""The first version that takes `truncate: false`; older ones cut a long prompt and say nothing."""

NOT_OLLAMA = (ValueError, TypeError)
"""What the SDK raises for an answer that is no JSON, or JSON of another shape."""


class Failed(Exception):
    """An HTTP error, as it passes through the SDK. `error` has its usage: Ollama did not work on the request."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(str(error))
        self.error = error


class Client(ollama.AsyncClient):
    """One endpoint's connections, and what is known of its models; shared by all of them."""

    def __init__(self, place: "Endpoint[Client]") -> None:
        hushed()
        key = place.key.reveal()
        super().__init__(
            host=place.base_url,
            headers={"authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(None, connect=place.patience.connect),
            trust_env=not place.is_local,
            follow_redirects=False,
            event_hooks={"request": [bounds.plainly], "response": [bounds.bounded, self._checked]},
        )
        if not key:
            self._client.headers.pop("authorization", None)  # the SDK takes one from this process's environment
        self._key = place.key
        self._look_up_seconds = min(LOOK_UP_SECONDS, place.patience.first_event / LOADING)
        self._profiles: dict[str, tuple[float, Profile]] = {}
        self.windows: dict[str, int] = {}

    @asynccontextmanager
    async def looking_up(self) -> AsyncIterator[None]:
        """The time limit of all look-ups inside. Raises ModelError."""
        try:
            async with asyncio.timeout(self._look_up_seconds):
                yield
        except TimeoutError:
            text = f"Ollama did not answer within {self._look_up_seconds:g} seconds"
            raise ModelError(Trouble.TIMEOUT, text, usage=Usage()) from None

    async def profile(self, model: str) -> Profile:
        """What the server tells of `model`, remembered for some minutes.

        Call it while `looking_up`, as what is below. Raises ModelError, also for a missing one.
        """
        until, known = self._profiles.get(model, (0.0, NOBODY_KNOWS))
        if monotonic() < until:
            return known
        known = await self._shown(model)
        self._profiles[model] = monotonic() + PROFILE_SECONDS, known
        return known

    async def refuses_to_cut(self) -> bool:
        """Whether the server refuses a prompt that is too long; one that tells no version is trusted.

        Raises ModelError.
        """
        try:
            with translated(self._key):
                return _is_new((await Steady(self._client.get("/api/version"))).json())
        except NOT_OLLAMA:
            return True
        except ModelError as error:
            if error.status is None:
                raise
            return True

    async def models(self) -> Sequence[ollama.ListResponse.Model]:
        """Every model of the endpoint. Raises ModelError."""
        try:
            with translated(self._key):
                return (await Steady(self.list())).models
        except NOT_OLLAMA as error:
            raise ModelError(Trouble.UNREACHABLE, f"no list of models at this address: {error!s:.100}") from None

    @asynccontextmanager
    async def chatting(self, request: Mapping[str, Any], answer: Answer) -> AsyncIterator[Body]:
        """The body of a streamed answer. Raises Failed, or httpx's errors."""
        sent = self._client.build_request("POST", "/api/chat", json=request)
        response = await self._client.send(sent, stream=True)
        try:
            yield _Lines(response, answer, self._key)
        finally:
            await Steady(response.aclose())

    async def _shown(self, model: str) -> Profile:
        """A server that answers this with anything but a model or an Ollama's error can only be asked."""
        try:
            with translated(self._key):
                return profile_of(await Steady(self.show(model)))
        except ModelError as error:
            if error.status in {404, 405, 501} and error.trouble is not Trouble.NOT_AVAILABLE:
                return NOBODY_KNOWS
            raise
        except NOT_OLLAMA:
            return NOBODY_KNOWS

    async def _checked(self, response: httpx.Response) -> None:
        """Raise an HTTP error while its headers are there; the SDK would pass on its text alone."""
        if not response.is_success:
            await Steady(response.aread())
            raise Failed(ollama_faults.of_response(response, self._key))


class _Lines:
    """A response's body, ending in a line end, with a torn connection told in this server's words."""

    def __init__(self, response: httpx.Response, answer: Answer, key: Hides) -> None:
        self._response, self._answer, self._key = response, answer, key

    async def iter_bytes(self) -> AsyncIterator[bytes]:
        chunks = self._response.aiter_bytes()
        try:
            while chunk := await Steady(anext(chunks, b"")):
                yield chunk
        except (httpx.HTTPError, httpx.StreamError) as error:
            if self._answer.finish is None:
                raise faults.cut(error, self._key) from None
            return
        yield b"\n"


@contextmanager
def translated(key: Hides) -> Iterator[None]:
    """What a request that got no stream raises, as ModelError."""
    try:
        yield
    except Failed as failed:
        raise failed.error from None
    except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
        raise faults.unsent(error, key) from None
    except ConnectionError as error:  # the SDK's advice, in place of what happened
        raise faults.unsent(error.__context__ or error, key) from None


def _is_new(body: object) -> bool:
    """Of `{"version": "0.12.6"}`; builds without a number are a developer's, and new."""
    version = body.get("version") if isinstance(body, Mapping) else None
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", version if isinstance(version, str) else "")
    return numbers is None or numbers[0] == "0.0.0" or tuple(map(int, numbers.groups())) >= FIRST_TO_REFUSE
