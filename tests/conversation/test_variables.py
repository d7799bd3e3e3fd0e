"""What an owner sets is what the owner's turns use, from the next one on."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status
from grpclib.client import Channel

from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.variables_pb2 import DeleteVariableRequest, ListVariablesRequest, SetVariableRequest
from flowassist.v1.variables_pb2_grpc import VariableServiceStub
from flowassist_client.generated.flowassist import v1 as client
from tests.conversation.conftest import House, another, kinds
from tests.conversation.scenarios import QUESTION

pytestmark = pytest.mark.asyncio(loop_scope="session")
FIRST, SECOND = "sk-first-of-the-owner", "sk-second-of-the-owner"
Opened = Callable[..., Any]


def metadata(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


class Owner:
    """A caller of one server."""

    def __init__(self, house: House, token: str = "") -> None:
        self.house, self._call = house, {"metadata": metadata(token)}
        self._variables = VariableServiceStub(house.channel)

    async def put(self, name: str, value: str) -> None:
        await self._variables.SetVariable(SetVariableRequest(name=name, value=value), **self._call)

    async def delete(self, name: str) -> None:
        await self._variables.DeleteVariable(DeleteVariableRequest(name=name), **self._call)

    async def names(self) -> list[str]:
        listed = await self._variables.ListVariables(ListVariablesRequest(), **self._call)
        return [variable.name for variable in listed.variables]

    async def key_used(self) -> str:
        """The bearer token with which a vendor was asked for this owner."""
        request = pb.AssistRequest(input_value="tell me about flows", provider="openai")
        with self.house.scripted("openai", *QUESTION.answers, intents=QUESTION.intents) as vendor:
            events = [event async for event in self.house.stub.Assist(request, **self._call)]
        assert kinds(events) == ["generating", "token", "complete"]
        keys = {request.headers["authorization"].removeprefix("Bearer ") for request in vendor.requests}
        assert len(keys) == 1
        return keys.pop()

    async def refusal(self) -> str:
        with pytest.raises(aio.AioRpcError) as error:
            await self.house.stub.Assist(pb.AssistRequest(input_value="hi", provider="openai"), **self._call).read()
        info = ErrorInfo()
        assert rpc_status.from_call(error.value).details[0].Unpack(info)
        return info.reason

    async def openai(self) -> pb.ProviderInfo:
        config = await self.house.stub.CheckConfig(pb.CheckConfigRequest(), **self._call)
        return next(provider for provider in config.providers if provider.name == "openai")


@pytest.fixture
def opened(house: House, tmp_path: Path) -> Opened:
    """Opens a server on a store of its own, which the next one opened finds as it was left."""

    @asynccontextmanager
    async def open_one(environment: dict[str, str], **settings: Any) -> AsyncIterator[House]:
        keys = str(tmp_path / "keys")
        async with another(house, tmp_path, environment, encryption_key_file=keys, **settings) as server:
            yield server

    return open_one


async def test_a_server_without_any_key_works_with_its_owner_s(house: House, opened: Opened) -> None:
    async with opened({}) as server:
        me = Owner(server)
        assert await me.refusal() == "KEY_MISSING"
        await me.put("OPENAI_API_KEY", FIRST)
        await me.put("OPENAI_BASE_URL", house.vendors["openai"].url)
        assert (await me.openai()).configured
        assert await me.key_used() == FIRST
        await me.put("OPENAI_API_KEY", SECOND)
        assert await me.key_used() == SECOND
        assert await me.names() == ["OPENAI_API_KEY", "OPENAI_BASE_URL"]
        await me.delete("OPENAI_API_KEY")
        assert await me.refusal() == "KEY_MISSING"
        assert not (await me.openai()).configured


async def test_an_owner_s_key_goes_before_the_server_s(house: House, opened: Opened) -> None:
    async with opened(house.vendors["openai"].environment) as server:
        me = Owner(server)
        assert await me.key_used() == house.vendors["openai"].environment["OPENAI_API_KEY"]
        sources = {told.name: told.source for told in (await me.openai()).variables}
        assert sources["OPENAI_API_KEY"] == pb.VARIABLE_SOURCE_ENVIRONMENT
        await me.put("OPENAI_API_KEY", FIRST)
        assert await me.key_used() == FIRST
        sources = {told.name: told.source for told in (await me.openai()).variables}
        assert sources["OPENAI_API_KEY"] == pb.VARIABLE_SOURCE_OWNER
        await me.delete("OPENAI_API_KEY")
        assert await me.key_used() == house.vendors["openai"].environment["OPENAI_API_KEY"]


async def test_each_owner_s_turns_use_their_own(house: House, opened: Opened) -> None:
    environment = {"OPENAI_BASE_URL": house.vendors["openai"].url}
    async with opened(environment, tokens="ann=a-token,bob=b-token") as server:
        ann, bob = Owner(server, "a-token"), Owner(server, "b-token")
        await ann.put("OPENAI_API_KEY", FIRST)
        assert await bob.refusal() == "KEY_MISSING"
        await bob.put("OPENAI_API_KEY", SECOND)
        assert [await owner.key_used() for owner in (ann, bob, ann)] == [FIRST, SECOND, FIRST]


async def test_they_outlive_the_server_and_are_lost_with_its_key(house: House, opened: Opened, tmp_path: Path) -> None:
    environment = {"OPENAI_BASE_URL": house.vendors["openai"].url}
    async with opened(environment) as server:
        await Owner(server).put("OPENAI_API_KEY", FIRST)
    async with opened(environment) as server:
        assert await Owner(server).key_used() == FIRST
    (tmp_path / "keys").unlink()
    async with opened(environment) as server:
        me = Owner(server)
        assert await me.refusal() == "VARIABLES_UNREADABLE"
        state = await me.openai()
        assert (state.configured, state.missing) == (
            False,
            "OPENAI_API_KEY was encrypted with a key that this server does not have",
        )
        assert await me.names() == ["OPENAI_API_KEY"]
        await me.put("OPENAI_API_KEY", SECOND)
        assert await me.key_used() == SECOND


async def test_what_cannot_be_read_keeps_nothing_else_from_working(
    house: House, opened: Opened, tmp_path: Path
) -> None:
    """And the server's own key does not take its place."""
    environment = {"OPENAI_BASE_URL": house.vendors["openai"].url, "OPENAI_API_KEY": SECOND}
    async with opened(environment) as server:
        for name in ("MINE", "ANTHROPIC_API_KEY"):
            await Owner(server).put(name, FIRST)
    (tmp_path / "keys").unlink()
    async with opened(environment) as server:
        me = Owner(server)
        assert await me.key_used() == SECOND
        await me.put("OPENAI_API_KEY", FIRST)
        assert await me.key_used() == FIRST
    (tmp_path / "keys").unlink()
    async with opened(environment) as server:
        assert await Owner(server).refusal() == "VARIABLES_UNREADABLE"


async def test_the_python_client_sets_lists_and_deletes(opened: Opened) -> None:
    async with opened({}) as server, Channel("127.0.0.1", int(server.app.server.address.rsplit(":", 1)[1])) as channel:
        stub = client.VariableServiceStub(channel)
        told = await stub.set_variable(client.SetVariableRequest(name="OPENAI_API_KEY", value=FIRST))
        assert told.variable
        assert (told.variable.name, told.variable.providers) == ("OPENAI_API_KEY", ["openai"])
        listed = await stub.list_variables(client.ListVariablesRequest())
        assert listed.variables == [told.variable]
        await stub.delete_variable(client.DeleteVariableRequest(name="OPENAI_API_KEY"))
        assert (await stub.list_variables(client.ListVariablesRequest())).variables == []


async def test_the_service_has_its_health(opened: Opened) -> None:
    async with opened({}) as server:
        health = health_pb2_grpc.HealthStub(server.channel)
        asked = health_pb2.HealthCheckRequest(service="flowassist.v1.VariableService")
        assert (await health.Check(asked)).status == health_pb2.HealthCheckResponse.SERVING
