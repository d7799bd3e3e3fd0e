"""What leaves the server when something inside goes wrong."""

from collections.abc import AsyncIterator

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status
from structlog.testing import capture_logs

from flowassist.rpc.shield import Shield
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.assistant_pb2_grpc import (
    AssistantServiceServicer,
    AssistantServiceStub,
    add_AssistantServiceServicer_to_server,
)

SECRET = "postgres://user:password@host"


class Broken(AssistantServiceServicer):
    async def Assist(self, request: pb.AssistRequest, context: object) -> AsyncIterator[bytes]:  # noqa: N802
        yield b""
        raise RuntimeError(SECRET)

    async def CheckConfig(self, request: pb.CheckConfigRequest, context: object) -> pb.CheckConfigResponse:  # noqa: N802
        raise RuntimeError(SECRET)


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    server = grpc.aio.server(interceptors=[Shield()])
    add_AssistantServiceServicer_to_server(Broken(), server)
    health_pb2_grpc.add_HealthServicer_to_server(health.aio.HealthServicer(), server)
    reflection.enable_server_reflection([reflection.SERVICE_NAME], server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    local = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=local) as channel:
        yield channel
    await server.stop(None)


async def drained(call: AsyncIterator[object]) -> None:
    async for _ in call:
        pass


@pytest.mark.parametrize("method", ["CheckConfig", "Assist"])
async def test_a_bug_travels_as_an_id_that_the_log_explains(channel: grpc.aio.Channel, method: str) -> None:
    stub = AssistantServiceStub(channel)
    ask = {
        "CheckConfig": lambda: stub.CheckConfig(pb.CheckConfigRequest()),
        "Assist": lambda: drained(stub.Assist(pb.AssistRequest())),
    }
    with capture_logs() as logged, pytest.raises(grpc.aio.AioRpcError) as error:
        await ask[method]()
    assert error.value.code() is grpc.StatusCode.INTERNAL
    assert SECRET not in f"{error.value}"
    info = ErrorInfo()
    assert rpc_status.from_call(error.value).details[0].Unpack(info)
    assert logged[0]["incident"] == info.metadata["incident"]
    assert SECRET in str(logged[0]["exc_info"])


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("/grpc.health.v1.Health/Check", "unary_unary"),
        ("/grpc.health.v1.Health/Watch", "unary_stream"),
        ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", "stream_stream"),
        ("/flowassist.v1.AssistantService/CheckConfig", "unary_unary"),
    ],
)
async def test_rubbish_is_an_invalid_argument_everywhere(channel: grpc.aio.Channel, method: str, kind: str) -> None:
    call = getattr(channel, kind)(method)
    rubbish = iter([b"\xff" * 9]) if kind == "stream_stream" else b"\xff" * 9
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await (call(rubbish) if kind == "unary_unary" else drained(call(rubbish)))
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "class" not in error.value.details()


async def test_a_method_that_nobody_serves(channel: grpc.aio.Channel) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await channel.unary_unary("/flowassist.v1.AssistantService/Nothing")(b"")
    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED
