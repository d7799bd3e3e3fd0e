"""VariableService over a channel, on a store of its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from grpc_status import rpc_status
from structlog.testing import capture_logs

from flowassist.rpc.shield import Shield
from flowassist.rpc.variables import VariableService
from flowassist.secret import Secret
from flowassist.settings import Settings
from flowassist.store.store import Store
from flowassist.v1 import variables_pb2 as pb
from flowassist.v1.variables_pb2_grpc import VariableServiceStub, add_VariableServiceServicer_to_server
from tests.store.conftest import store_in

PLANTED = "sk-planted-through-the-service"
READERS = {"OPENAI_API_KEY": ("openai",), "SHARED": ("groq", "google")}


@dataclass
class Served:
    channel: grpc.aio.Channel
    store: Store

    @property
    def stub(self) -> VariableServiceStub:
        return VariableServiceStub(self.channel)

    async def put(self, name: str, value: str, **call: Any) -> pb.Variable:
        return (await self.stub.SetVariable(pb.SetVariableRequest(name=name, value=value), **call)).variable

    async def listed(self, **call: Any) -> list[pb.Variable]:
        return list((await self.stub.ListVariables(pb.ListVariablesRequest(), **call)).variables)

    async def delete(self, name: str, **call: Any) -> None:
        await self.stub.DeleteVariable(pb.DeleteVariableRequest(name=name), **call)


@asynccontextmanager
async def serving(folder: Path, **settings: Any) -> AsyncIterator[Served]:
    store = store_in(folder)
    await store.open()
    server = grpc.aio.server(interceptors=[Shield()])
    service = VariableService(Settings(**settings), store, lambda name: READERS.get(name, ()))
    add_VariableServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    local = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=local) as channel:
        yield Served(channel, store)
    await server.stop(None)
    await store.close()


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path) as served:
        yield served


async def refusal(call: Any) -> tuple[str, dict[str, str], str]:
    """Reason and metadata of a call that must be refused, and all that the client could read of it."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    info = ErrorInfo()
    assert rpc_status.from_call(error.value).details[0].Unpack(info)
    everything = f"{error.value!r} {rpc_status.from_call(error.value)} {error.value.trailing_metadata()}"
    return info.reason, dict(info.metadata), everything


async def test_one_is_set_told_replaced_and_deleted(served: Served) -> None:
    assert await served.listed() == []
    before = datetime.now(UTC)
    told = await served.put("OPENAI_API_KEY", f"  {PLANTED}\n")
    assert (told.name, list(told.providers)) == ("OPENAI_API_KEY", ["openai"])
    assert before <= told.updated_at.ToDatetime(tzinfo=UTC) <= before + timedelta(seconds=30)
    assert await served.listed() == [told]
    assert await served.store.of("local").variables() == {"OPENAI_API_KEY": Secret(PLANTED)}
    again = await served.put("OPENAI_API_KEY", "another")
    assert again.updated_at.ToDatetime() > told.updated_at.ToDatetime()
    await served.delete("OPENAI_API_KEY")
    assert await served.listed() == []


async def test_the_list_is_in_alphabetical_order_and_tells_who_reads_it(served: Served) -> None:
    for name in ("SHARED", "OPENAI_API_KEY", "_mine"):
        await served.put(name, "v")
    assert [(variable.name, list(variable.providers)) for variable in await served.listed()] == [
        ("OPENAI_API_KEY", ["openai"]),
        ("SHARED", ["groq", "google"]),
        ("_mine", []),
    ]


@pytest.mark.parametrize(
    "name", ["", "1KEY", "MY-KEY", "MY KEY", "KEY\n", "ÄKEY", "K" * 101, "KEY\0", "K;DROP TABLE variables"]
)
async def test_a_bad_name(served: Served, name: str) -> None:
    for call in (served.put(name, "v"), served.delete(name)):
        reason, metadata, _ = await refusal(call)
        assert (reason, metadata) == ("VARIABLE_NAME_INVALID", {"field": "name"})
    assert await served.listed() == []


@pytest.mark.parametrize(
    "value", ["", "  \n ", f"{PLANTED}\nmore", f"{PLANTED}\0", PLANTED + "x" * 8192, f"{PLANTED}\x1b["]
)
async def test_a_bad_value_is_refused_and_not_echoed(served: Served, value: str) -> None:
    with capture_logs() as logged:
        reason, metadata, everything = await refusal(served.put("KEY", value))
    assert (reason, metadata) == ("VARIABLE_VALUE_INVALID", {"field": "value", "limit": "8192"})
    assert PLANTED not in f"{everything}{logged}"
    bad = BadRequest()
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await served.put("KEY", value)
    assert rpc_status.from_call(error.value).details[1].Unpack(bad)
    assert bad.field_violations[0].field == "value"


@pytest.mark.parametrize("value", ["x" * 8192, "ключ 钥匙", "https://example.org/v1?a=b", "a b"])
async def test_values_that_are_accepted(served: Served, value: str) -> None:
    await served.put("KEY", value)
    assert await served.store.of("local").variables() == {"KEY": Secret(value)}


async def test_names_at_their_limits(served: Served) -> None:
    for name in ("_", "K" * 100, "a1_"):
        await served.put(name, "v")
    assert len(await served.listed()) == 3


async def test_what_is_not_there_cannot_be_deleted(served: Served) -> None:
    reason, metadata, _ = await refusal(served.delete("KEY"))
    assert (reason, metadata) == ("VARIABLE_NOT_FOUND", {"name": "KEY"})


async def test_too_many(served: Served) -> None:
    await asyncio.gather(*(served.put(f"V{number}", "v") for number in range(200)))
    reason, metadata, _ = await refusal(served.put("ONE_MORE", "v"))
    assert (reason, metadata) == ("TOO_MANY_VARIABLES", {"limit": "200"})


async def test_callers_see_only_their_own(tmp_path: Path) -> None:
    async with serving(tmp_path, tokens="ann=a-token,bob=b-token") as served:
        ann, bob = ({"metadata": (("authorization", f"Bearer {token}"),)} for token in ("a-token", "b-token"))
        for call in (served.put("KEY", "v"), served.listed(), served.delete("KEY")):
            assert (await refusal(call))[0] == "TOKEN_INVALID"
        await served.put("KEY", "ann's", **ann)
        assert await served.listed(**bob) == []
        assert (await refusal(served.delete("KEY", **bob)))[0] == "VARIABLE_NOT_FOUND"
        await served.put("KEY", "bob's", **bob)
        assert await served.store.of("ann").variables() == {"KEY": Secret("ann's")}


async def test_switched_off_it_is_refused_to_callers_that_are_known(tmp_path: Path) -> None:
    async with serving(tmp_path, assistant_enabled=False, tokens="ann=a-token") as off:
        ann = {"metadata": (("authorization", "Bearer a-token"),)}
        for call in (off.put("KEY", "v", **ann), off.listed(**ann), off.delete("KEY", **ann)):
            assert (await refusal(call))[0] == "ASSISTANT_DISABLED"
        assert (await refusal(off.listed()))[0] == "TOKEN_INVALID"
        assert await off.store.of("ann").list_variables() == ()


async def test_a_lost_key_can_be_replaced_by_setting_the_variable_again(served: Served, tmp_path: Path) -> None:
    await served.put("KEY", "v")
    (tmp_path / "keys").chmod(0o640)
    reason, _, everything = await refusal(served.put("KEY", PLANTED))
    assert reason == "VARIABLE_KEYS_UNUSABLE"
    assert PLANTED not in everything
    assert str(tmp_path) not in everything
    (tmp_path / "keys").unlink()
    await served.put("KEY", "w")
    assert await served.store.of("local").variables() == {"KEY": Secret("w")}


async def test_a_store_that_is_away_says_so(served: Served, tmp_path: Path) -> None:
    await served.store.close()
    for file in (tmp_path / "data").iterdir():
        file.unlink()
    (tmp_path / "data").rmdir()
    for call in (served.put("KEY", PLANTED), served.listed(), served.delete("KEY")):
        with capture_logs() as logged:
            reason, _, everything = await refusal(call)
        assert reason == "STORE_UNAVAILABLE"
        assert PLANTED not in f"{everything}{logged}"
        assert str(tmp_path) not in everything


@pytest.mark.parametrize("method", ["SetVariable", "ListVariables", "DeleteVariable"])
async def test_a_message_that_cannot_be_parsed(served: Served, method: str) -> None:
    reason, _, _ = await refusal(served.channel.unary_unary(f"/flowassist.v1.VariableService/{method}")(b"\x0a"))
    assert reason == "MESSAGE_MALFORMED"
