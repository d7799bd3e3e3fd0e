"""One server, started as an operator would, with every vendor behind it as scripted HTTP servers."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio

from flowassist.app import App
from flowassist.assistant.intended import Kind
from flowassist.models.lineup import Lineups
from flowassist.models.model import Usage
from flowassist.rpc.owner import LOCAL
from flowassist.settings import Settings
from flowassist.v1.assistant_pb2 import AssistRequest, CheckConfigRequest, CheckConfigResponse
from flowassist.v1.assistant_pb2_grpc import AssistantServiceStub
from flowassist.v1.events_pb2 import AssistEvent
from tests.vendors.script import Answer, Say, Script
from tests.vendors.server import Vendor
from tests.vendors.wires import WIRES, vendor

KEYS = {"openai": "sk-planted-openai-key", "anthropic": "sk-ant-planted-key"}


@dataclass
class House:
    """The running server, its stub, and the vendors behind it."""

    app: App
    channel: grpc.aio.Channel
    vendors: dict[str, Vendor]

    @property
    def stub(self) -> AssistantServiceStub:
        return AssistantServiceStub(self.channel)

    @contextmanager
    def scripted(self, wire: str, *answers: Answer, intents: tuple[Answer, ...] = ()) -> Iterator[Vendor]:
        """Inside, `wire` answers these; afterwards all of them must have been asked for."""
        vendor = self.vendors[wire]
        vendor.chooser, vendor.requests = Script(*answers).when("intent", *intents), []
        yield vendor
        vendor.chooser.check()
        assert not vendor.faults

    async def check_config(self) -> CheckConfigResponse:
        return await self.stub.CheckConfig(CheckConfigRequest())

    async def assist(self, **fields: Any) -> list[AssistEvent]:
        return await self.assist_within(None, **fields)

    async def assist_within(self, seconds: float | None, **fields: Any) -> list[AssistEvent]:
        """With a deadline."""
        return [event async for event in self.stub.Assist(AssistRequest(**fields), timeout=seconds)]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        vendors = {name: await stack.enter_async_context(vendor(name, Script())) for name in WIRES}
        app = App(settings_in(tmp_path_factory.mktemp("house")), environment_of(vendors))
        await app.start()
        stack.push_async_callback(app.stop)
        await app.sandbox.ready()
        channel = await stack.enter_async_context(channel_to(app))
        yield House(app, channel, vendors)


def settings_in(folder: Path, **changes: Any) -> Settings:
    usual = {
        "port": 0,
        "database_url": f"sqlite+aiosqlite:///{folder}/store.db",
        "embedded_enabled": False,
        "drain_seconds": 0.5,
        "repeat_seconds": 0.001,
    }
    return Settings(**{**usual, **changes})


def environment_of(vendors: dict[str, Vendor]) -> dict[str, str]:
    """Every vendor's; two with keys that are looked for in what leaves the server."""
    found: dict[str, str] = {}
    for server in vendors.values():
        found |= server.environment
    return found | {"OPENAI_API_KEY": KEYS["openai"], "ANTHROPIC_API_KEY": KEYS["anthropic"]}


def channel_to(app: App) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(app.server.address, options=[("grpc.use_local_subchannel_pool", 1)])


async def lineups(house: House, provider: str) -> Lineups:
    """What a request that names this provider gets."""
    return await (await house.app.providers.of(LOCAL)).lineups(provider)


def intent(kind: Kind, translation: str = "the request in English") -> Say:
    """What a model answers to the classifying call."""
    answer = {"translation": translation, "intent": kind.value, "requested_model": ""}
    return Say(json.dumps(answer), usage=Usage(7, 3, 10))


def kinds(events: list[AssistEvent]) -> list[str]:
    """The sequence, with a run of tokens as one."""
    names: list[str] = []
    for event in events:
        name = event.WhichOneof("event") or ""
        if name == "progress":
            name = step_name(event)
        if name != "token" or names[-1:] != ["token"]:
            names.append(name)
    return names


def step_name(event: AssistEvent) -> str:
    number = event.progress.step
    return (
        event.progress.DESCRIPTOR.fields_by_name["step"]
        .enum_type.values_by_number[number]
        .name.removeprefix("STEP_")
        .lower()
    )


@asynccontextmanager
async def another(
    house: House, folder: Path, environment: dict[str, str] | None = None, **settings: Any
) -> AsyncIterator[House]:
    """A second server with other settings, on the same vendors."""
    app = App(settings_in(folder, **settings), environment_of(house.vendors) if environment is None else environment)
    await app.start()
    try:
        async with channel_to(app) as channel:
            yield House(app, channel, house.vendors)
    finally:
        await app.stop()
