"""Ask a server and show its events."""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator

import grpc
from google.protobuf.json_format import MessageToJson
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status

from flowassist.cli.show import Shown
from flowassist.v1.assistant_pb2 import AssistRequest
from flowassist.v1.assistant_pb2_grpc import AssistantServiceStub
from flowassist.v1.events_pb2 import AssistEvent

OPTIONS = (("grpc.keepalive_time_ms", 30_000), ("grpc.max_receive_message_length", 16 << 20))


def run(parsed: argparse.Namespace) -> int:
    """0: the turn completed, and its component passed if it wrote one. 1: it did not. 2: it was refused."""
    try:
        request = _request(parsed)
    except ValueError as error:
        print(f"flowassist: {error}", file=sys.stderr)  # noqa: T201
        return 2
    show = _json if parsed.json else Shown().show
    try:
        end = asyncio.run(_follow(parsed.address, request, parsed.timeout, show))
    except grpc.aio.AioRpcError as error:
        print(f"flowassist: {refusal_of(error)}", file=sys.stderr)  # noqa: T201
        return 2
    return 0 if succeeded(end) else 1


def _request(parsed: argparse.Namespace) -> AssistRequest:
    return AssistRequest(
        input_value=parsed.text,
        session_id=parsed.session,
        provider=parsed.provider,
        model_name=parsed.model,
        max_retries=parsed.max_retries,
    )


def succeeded(end: AssistEvent | None) -> bool:
    """Whether this is the end of a turn that did what it was asked."""
    if end is None or end.WhichOneof("event") != "complete":
        return False
    return end.complete.validated or not end.complete.HasField("validated")


async def events(address: str, request: AssistRequest, timeout: float | None = None) -> AsyncIterator[AssistEvent]:  # noqa: ASYNC109 - the call's deadline
    """The events of one turn, from the server at `address`."""
    async with channel_to(address) as channel:
        async for event in AssistantServiceStub(channel).Assist(request, metadata=credentials(), timeout=timeout):
            yield event


def channel_to(address: str) -> grpc.aio.Channel:
    """A channel that no proxy of the environment stands in where the server is on this machine."""
    local = address.startswith(("unix:", "127.", "localhost", "[::1]"))
    return grpc.aio.insecure_channel(address, options=(*OPTIONS, ("grpc.enable_http_proxy", 0)) if local else OPTIONS)


def credentials() -> tuple[tuple[str, str], ...] | None:
    """The bearer token of FLOWASSIST_TOKEN as a call's metadata."""
    token = os.environ.get("FLOWASSIST_TOKEN")
    return (("authorization", f"Bearer {token}"),) if token else None


async def _follow(address: str, request: AssistRequest, seconds: float | None, show: object) -> AssistEvent | None:
    last = None
    async for last in events(address, request, seconds):
        show(last)  # type: ignore[operator]
    return last


def _json(event: AssistEvent) -> None:
    print(MessageToJson(event, indent=None), flush=True)  # noqa: T201


def refusal_of(error: grpc.aio.AioRpcError) -> str:
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    info = ErrorInfo()
    reasons = [info.reason for detail in (status.details if status else ()) if detail.Unpack(info)]
    return f"{error.code().name}{''.join(f' ({reason})' for reason in reasons)}: {error.details()}"
