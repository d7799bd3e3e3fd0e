"""The server's side of the embedded model: starts its process on first use, watches it, and speaks to it."""

import asyncio
import contextlib
import importlib.util
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from flowassist.models.embedded.launch import Running, launched
from flowassist.models.embedded.server import Order
from flowassist.models.embedded.weights import QWEN, Weights, WeightsError
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Hear,
    Lessons,
    Model,
    ModelError,
    Remedy,
    Reply,
    Spent,
    Strength,
    Trouble,
    nobody,
    uncounted,
)
from flowassist.models.providers.connections.endpoint import Endpoint
from flowassist.models.providers.openai import COMPATIBLE, OpenAIModel

PROVIDER = "embedded"

_SLOTS = 4
_NOTICE_SECONDS = 1.0
"""How long after a broken call its process may take to be seen dead."""

_MAX_PAUSE_SECONDS = 30.0


def _steady(call: Call) -> Mapping[str, object]:
    return {"temperature": 0.0} if call.temperature is None else {}


_DIALECT = replace(COMPATIBLE, more=_steady)


class EmbeddedModel:
    """Opens models that one child process answers. `weights` takes another GGUF file than the pinned one.

    Nothing is downloaded and nothing started before the first call. A process that died is started again by the next
    call, after a pause that grows while it keeps dying without having answered.
    """

    def __init__(
        self,
        *,
        enabled: bool = True,
        weights: Path | None = None,
        pinned: Weights = QWEN,
        threads: int | None = None,
    ) -> None:
        self._enabled, self._own, self._pinned = enabled, weights, pinned
        self._threads = threads or len(os.sched_getaffinity(0))
        self._running: Running | None = None
        self._starting: asyncio.Task[Running] | None = None
        self._deaths = 0

    def configured(self) -> str:
        """What is missing, in words; empty if it could answer now."""
        if not self._enabled:
            return "the embedded model is switched off"
        if not _runtime_is_there():
            return "xllamacpp is not installed"
        if self._own is not None:
            return "" if self._own.is_file() else "the file that FLOWASSIST_EMBEDDED_WEIGHTS names is not there"
        return "" if self._pinned.present() else "its weights are missing: run `flowassist model fetch`"

    def open(self, model_name: str) -> Model:
        return LocalModel(self, model_name or self._pinned.name)

    @property
    def pid(self) -> int | None:
        """Of the process that runs now."""
        return self._running.process.pid if self._running and self._running.is_alive else None

    async def place(self) -> Endpoint[Any]:
        """Where the model answers, started if need be. Raises ModelError (UNREACHABLE).

        A cancelled caller leaves the start to those who still wait for it.
        """
        if self._running and self._running.is_alive:
            return self._running.place
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start())
            self._starting.add_done_callback(_seen)
        running = await asyncio.shield(self._starting)
        return running.place

    async def broke(self) -> None:
        """A call broke off: if that is because the process died, see it now."""
        if self._running:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._running.process.wait(), _NOTICE_SECONDS)

    def answered(self) -> None:
        self._deaths = 0

    async def aclose(self) -> None:
        """End the process. A call after this starts a new one."""
        starting, self._starting = self._starting, None
        if starting and not starting.done():
            starting.cancel()
            await asyncio.wait([starting])
        running, self._running = self._running, None
        if running:
            await running.end()

    async def _start(self) -> Running:
        if self._running:
            await self._bury(self._running)
        order = Order(
            path=str(await asyncio.to_thread(self._file)),
            alias=self._pinned.name,
            key=secrets.token_urlsafe(32),
            slots=_SLOTS,
            threads=self._threads,
            parent=os.getpid(),
        )
        self._running = await launched(order)
        return self._running

    async def _bury(self, dead: Running) -> None:
        self._running = None
        await dead.end()
        pause = min(2.0 ** (self._deaths - 1), _MAX_PAUSE_SECONDS) if self._deaths else 0.0
        self._deaths += 1
        await asyncio.sleep(pause)

    def _file(self) -> Path:
        """Blocks for seconds where the weights were not verified yet."""
        if missing := self.configured():
            raise ModelError(Trouble.UNREACHABLE, missing)
        if self._own is not None:
            return self._own
        try:
            self._pinned.verify()
        except (WeightsError, OSError) as error:
            raise ModelError(Trouble.UNREACHABLE, str(error)) from error
        return self._pinned.path


class LocalModel:
    """One model of the embedded process."""

    provider = PROVIDER
    strength = Strength.WEAK

    def __init__(self, home: EmbeddedModel, name: str) -> None:
        self._home, self.name = home, name
        self.lessons = Lessons()

    async def ready(self) -> None:
        """Start the process and load the model. Raises ModelError."""
        await self._home.place()

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask; see `Model.reply`. The first call waits until the model is loaded."""
        place = await self._home.place()
        speaker = OpenAIModel(place, self.name, provider=self.provider, strength=self.strength, dialect=_DIALECT)
        try:
            reply = await speaker.reply(call, hear, remedies=remedies, spent=spent)
        except ModelError as error:
            if error.trouble in {Trouble.UNREACHABLE, Trouble.BROKEN_OFF}:
                await self._home.broke()
            raise
        self._home.answered()
        return reply


def _seen(task: "asyncio.Task[Running]") -> None:
    """A start that failed is told to those who wait; with nobody left, it is no stray exception."""
    if not task.cancelled():
        task.exception()


@cache
def _runtime_is_there() -> bool:
    return importlib.util.find_spec("xllamacpp") is not None
