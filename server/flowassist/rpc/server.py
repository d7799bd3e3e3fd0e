"""The gRPC server around the services: limits, keepalive, health, reflection."""

import errno
import socket
from collections.abc import Sequence
from dataclasses import replace

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from flowassist.rpc.components import ComponentService
from flowassist.rpc.service import AssistantService
from flowassist.rpc.shield import Shield
from flowassist.rpc.variables import VariableService
from flowassist.settings import SettingError, Settings
from flowassist.v1 import assistant_pb2, components_pb2, variables_pb2
from flowassist.v1.assistant_pb2_grpc import add_AssistantServiceServicer_to_server
from flowassist.v1.components_pb2_grpc import add_ComponentServiceServicer_to_server
from flowassist.v1.variables_pb2_grpc import add_VariableServiceServicer_to_server

SERVICES = (
    assistant_pb2.DESCRIPTOR.services_by_name["AssistantService"].full_name,
    variables_pb2.DESCRIPTOR.services_by_name["VariableService"].full_name,
    components_pb2.DESCRIPTOR.services_by_name["ComponentService"].full_name,
)
_LEAST_RESPONSE_BYTES = 4 << 20  # what clients take by default: a component's node, or a list, stays below
_OF_PORTS = {errno.EADDRINUSE, errno.EACCES, errno.EPERM}


def options(max_request_bytes: int, max_response_bytes: int) -> Sequence[tuple[str, int]]:
    """Channel options. Clients may ping every 10 s, also without a call, as ordinary keepalive settings do."""
    return (
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", max_request_bytes),
        ("grpc.max_send_message_length", max_response_bytes),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.max_ping_strikes", 2),
    )


class Server:
    """Serves from `start` to `stop` on `address`."""

    def __init__(self, service: AssistantService, variables: VariableService, components: ComponentService) -> None:
        self.service, settings = service, service.settings
        self._server = grpc.aio.server(
            interceptors=[Shield()],
            options=options(
                settings.max_request_bytes, max(2 * settings.max_turn_bytes + (1 << 20), _LEAST_RESPONSE_BYTES)
            ),
        )
        self._health = health.aio.HealthServicer()
        add_AssistantServiceServicer_to_server(service, self._server)
        add_VariableServiceServicer_to_server(variables, self._server)
        add_ComponentServiceServicer_to_server(components, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self.address = self._bound(settings)

    def _bound(self, settings: Settings) -> str:
        """The address that a client takes. Raises SettingError where it cannot be had."""
        try:
            port = self._server.add_insecure_port(settings.address)
        except RuntimeError:
            raise SettingError(why_not_bound(settings)) from None
        return replace(settings, port=port).address

    async def start(self) -> None:
        await self._server.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def leave_service(self) -> None:
        """Tell health checks first, so that no new call is sent here."""
        await self._health.enter_graceful_shutdown()

    async def stop(self, seconds: float) -> None:
        await self._server.stop(seconds)


def why_not_bound(settings: Settings) -> str:
    """Which setting keeps the server from its address, and what to set it to: gRPC tells only that it failed."""
    if settings.host.startswith("unix:"):
        return f"FLOWASSIST_HOST={settings.host} cannot be bound: let it name a new file in a folder that is writable."
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(place)
    except (OSError, UnicodeError) as error:
        if not isinstance(error, OSError) or error.errno not in _OF_PORTS:
            return f"FLOWASSIST_HOST={settings.host} is no address of this machine: let it name one, such as 127.0.0.1."
    return f"{settings.address} cannot be bound: set FLOWASSIST_PORT to a port that is free and allowed; 0 finds one."
