"""Builds the parts, starts them, and drains them: the one place that knows all of them."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import prometheus_client
import structlog

from flowassist.assistant.story import Storyteller
from flowassist.models.embedded.process import EmbeddedModel
from flowassist.models.registry import Providers
from flowassist.rpc.server import Server
from flowassist.rpc.service import AssistantService
from flowassist.sandbox.supervisor import Sandbox, SandboxUnavailable
from flowassist.settings import CONSENT, Settings
from flowassist.store.store import Store
from flowassist.telemetry.observer import Observer
from flowassist.turns.sessions import Sessions
from flowassist.turns.turn import Surroundings
from flowassist.turns.turns import Turns
from flowassist.zygote import kernel

logger = structlog.get_logger("flowassist")


def embedded_model(settings: Settings) -> EmbeddedModel:
    return EmbeddedModel(enabled=settings.embedded_enabled, weights=_path(settings.embedded_weights))


def sandbox_of(settings: Settings) -> Sandbox:
    return Sandbox(children=settings.sandbox_children, allow_unconfined=settings.unconfined == CONSENT)


class App:
    """One server process. `start`, then `run_until_stopped` or `stop`."""

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        self.settings = settings
        self.registry = prometheus_client.CollectorRegistry()
        self.store = Store(settings.store_url)
        self.sandbox = sandbox_of(settings)
        self.embedded = embedded_model(settings)
        self.providers = Providers(environment, self.embedded)
        around = Surroundings(self.store, Sessions(), Observer(self.registry), settings.max_turn_bytes)
        self.turns = Turns(settings.max_concurrent_turns, around)
        storyteller = Storyteller(self.sandbox, settings.intent_seconds)
        self.server = Server(AssistantService(settings, self.providers, self.turns, storyteller))
        self._warming: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Serve; what takes seconds (lfx, vendors' SDKs) goes on in the background."""
        await self.store.open()
        await self.server.start()
        if self.settings.metrics_port:
            prometheus_client.start_http_server(self.settings.metrics_port, "127.0.0.1", self.registry)
        logger.info("server.serving", host=self.settings.host, port=self.server.port)
        self._warming = asyncio.ensure_future(self._warm())

    async def stop(self) -> None:
        """Drain: health first, then the turns, then the connections, then the processes."""
        await self.server.leave_service()
        await self.turns.drain(self.settings.drain_seconds)
        await self.server.stop(1.0)
        if self._warming:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await asyncio.gather(self.sandbox.close(), self.embedded.aclose(), self.providers.aclose())
        await self.store.close()
        logger.info("server.stopped")

    async def run_until_stopped(self) -> None:
        """Until SIGTERM or SIGINT."""
        stopped = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await stopped.wait()
        await self.stop()

    async def _warm(self) -> None:
        await self.sandbox.start()
        await self.providers.warm()
        try:
            boundary = await self.sandbox.ready()
            logger.info("sandbox.ready", boundary=boundary.describe())
        except SandboxUnavailable as reason:
            logger.warning("sandbox.unavailable", reason=str(reason))


def _path(text: str) -> Path | None:
    return Path(text).expanduser() if text else None


def main(settings: Settings) -> None:
    """Serve until stopped; prints the address once it serves."""
    import uvloop  # noqa: PLC0415 - only a server needs it

    async def serve() -> None:
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # no core file, and no other process, reads the keys
        app = App(settings, os.environ)
        await app.start()
        print(f"flowassist serves on {settings.host}:{app.server.port}", flush=True)  # noqa: T201
        await app.run_until_stopped()

    uvloop.run(serve())
