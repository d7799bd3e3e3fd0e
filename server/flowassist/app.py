"""Builds the parts, starts them, and drains them: the one place that knows all of them."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Mapping
from pathlib import Path

import prometheus_client
import structlog

from flowassist.assistant.story import Storyteller
from flowassist.components.library import Library
from flowassist.models import catalogue
from flowassist.models.calls import BackOff
from flowassist.models.embedded.process import EmbeddedModel
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.registry import SERVER, Providers, nothing_stored
from flowassist.rpc.admission import Admission
from flowassist.rpc.components import ComponentService
from flowassist.rpc.server import Server
from flowassist.rpc.service import AssistantService
from flowassist.rpc.variables import VariableService
from flowassist.sandbox.supervisor import Sandbox
from flowassist.settings import CONSENT, SettingError, Settings
from flowassist.store.store import Store
from flowassist.store.vault import vault_of
from flowassist.telemetry.observer import Observer
from flowassist.turns.sessions import Sessions
from flowassist.turns.turn import Surroundings
from flowassist.turns.turns import Turns
from flowassist.zygote import kernel

SHARE_KEYS = "Every server on this database needs the same keys: give them FLOWASSIST_ENCRYPTION_KEYS."
logger = structlog.get_logger("flowassist")


def embedded_model(settings: Settings) -> EmbeddedModel:
    return EmbeddedModel(enabled=settings.embedded_enabled, weights=_path(settings.embedded_weights))


def sandbox_of(settings: Settings) -> Sandbox:
    return Sandbox(
        children=settings.sandbox_children,
        waiting=settings.sandbox_queue,
        allow_unconfined=settings.unconfined == CONSENT,
    )


def providers_of(
    settings: Settings, environment: Mapping[str, str], embedded: EmbeddedModel, store: Store | None
) -> Providers:
    """Without a store nobody has variables of their own. Raises SettingError."""
    return Providers(
        environment,
        embedded,
        Patience(first_event=settings.first_token_seconds, between_events=settings.between_tokens_seconds),
        stored=(lambda owner: store.of(owner).variables()) if store else nothing_stored,
        classifiers=catalogue.classifiers(settings.intent_models),
        repairers=catalogue.repairers(settings.repair_models),
        private_addresses=settings.private_addresses,
    )


class App:
    """One server process. `start`, then `run_until_stopped` or `stop`."""

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        self.settings = settings
        self.registry = prometheus_client.CollectorRegistry()
        self.store = Store(settings.store_url, vault_of(settings))
        self.sandbox = sandbox_of(settings)
        self.embedded = embedded_model(settings)
        self.providers = providers_of(settings, environment, self.embedded, self.store)
        back_off = BackOff(settings.model_repeats, settings.repeat_seconds)
        observer = Observer(self.registry)
        around = Surroundings(self.store, Sessions(), observer, settings.max_turn_bytes, back_off)
        self.turns = Turns(settings.max_concurrent_turns, around)
        storyteller = Storyteller(self.sandbox, settings.intent_seconds)
        variables = VariableService(settings, self.store, catalogue.readers)
        self.admission = Admission()
        components = ComponentService(settings, self.store, self.sandbox, Library(), observer, self.admission)
        self.server = Server(AssistantService(settings, self.providers, self.turns, storyteller), variables, components)
        self._warming: asyncio.Future[tuple[None, None]] | None = None

    async def start(self) -> None:
        """Serve; what takes seconds (lfx, vendors' SDKs) goes on in the background. Raises SettingError."""
        await self.store.open()
        if self.settings.replicas_must_share_keys:
            logger.warning("variables.keys_in_file", place=self.store.vault.keys.place, advice=SHARE_KEYS)
        await self.server.start()
        if self.settings.metrics_port:
            self._expose_metrics()
        logger.info("server.serving", address=self.server.address)
        self._warming = asyncio.gather(self._warm("sandbox", self._sandboxed()), self._warm("models", self._loaded()))

    async def stop(self) -> None:
        """Drain: health first, then turns and validations, then the connections, then the processes."""
        await self.server.leave_service()
        seconds = self.settings.drain_seconds
        await asyncio.gather(self.turns.drain(seconds), self.admission.drain(seconds))
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

    def _expose_metrics(self) -> None:
        try:
            prometheus_client.start_http_server(self.settings.metrics_port, "127.0.0.1", self.registry)
        except OSError as error:
            raise SettingError(
                f"FLOWASSIST_METRICS_PORT={self.settings.metrics_port} cannot be bound: {error.strerror}."
            ) from None

    async def _sandboxed(self) -> str:
        await self.sandbox.start()
        return (await self.sandbox.ready()).describe()

    async def _loaded(self) -> str:
        await self.providers.warm()
        offer = await self.providers.without_own(SERVER)
        return ", ".join(way.provider.id for way in offer.ways if not way.gaps)

    async def _warm(self, part: str, loading: Awaitable[str]) -> None:
        """Whatever goes wrong here is for the log; turns that need the part say it themselves."""
        try:
            logger.info(f"{part}.ready", found=await loading)
        except Exception as error:  # noqa: BLE001
            logger.warning(f"{part}.unavailable", reason=f"{type(error).__name__}: {error}")


def _path(text: str) -> Path | None:
    return Path(text).expanduser() if text else None


def main(settings: Settings) -> None:
    """Serve until stopped; prints the address once it serves. Raises SettingError."""
    import uvloop  # noqa: PLC0415 - only a server needs it

    async def serve() -> None:
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # no core file, and no other process, reads the keys
        app = App(settings, os.environ)
        try:
            await app.start()
        except BaseException:
            await app.stop()
            raise
        print(f"flowassist serves on {app.server.address}\n{calling(app.server.address)}", flush=True)  # noqa: T201
        await app.run_until_stopped()

    uvloop.run(serve())


def calling(address: str) -> str:
    """How to call a server at `address`."""
    return f"""
In another terminal:

  .venv/bin/flowassist ask --address {address} "Create a component that converts text to uppercase"
  .venv/bin/grpcurl -plaintext {address} list
  .venv/bin/grpcurl -plaintext -d '{{"input_value": "What is a component?"}}' \\
      {address} flowassist.v1.AssistantService/Assist

Ctrl-C stops it; open turns may finish."""
