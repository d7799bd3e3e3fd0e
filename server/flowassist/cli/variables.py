"""A caller's variables on a running server."""

import argparse
import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable

import grpc

from flowassist.cli import ask
from flowassist.v1 import variables_pb2 as pb
from flowassist.v1.variables_pb2_grpc import VariableServiceStub

_SECONDS = 30.0


def put(parsed: argparse.Namespace) -> int:
    """The value comes from standard input, or is asked for without being shown. 2: refused."""
    value = getpass.getpass(f"{parsed.name}: ") if sys.stdin.isatty() else sys.stdin.read()
    request = pb.SetVariableRequest(name=parsed.name, value=value)

    async def call(stub: VariableServiceStub) -> None:
        told = await stub.SetVariable(request, metadata=ask.credentials(), timeout=_SECONDS)
        print(_line(told.variable))  # noqa: T201

    return _called(parsed.address, call)


def show(parsed: argparse.Namespace) -> int:
    """Names, when each was set, and who reads it. 2: refused."""

    async def call(stub: VariableServiceStub) -> None:
        told = await stub.ListVariables(pb.ListVariablesRequest(), metadata=ask.credentials(), timeout=_SECONDS)
        for variable in told.variables:
            print(_line(variable))  # noqa: T201

    return _called(parsed.address, call)


def delete(parsed: argparse.Namespace) -> int:
    """2: refused."""

    async def call(stub: VariableServiceStub) -> None:
        request = pb.DeleteVariableRequest(name=parsed.name)
        await stub.DeleteVariable(request, metadata=ask.credentials(), timeout=_SECONDS)
        print(f"{parsed.name} is deleted.")  # noqa: T201

    return _called(parsed.address, call)


def _called(address: str, call: Callable[[VariableServiceStub], Awaitable[None]]) -> int:
    async def run() -> None:
        async with ask.channel_to(address) as channel:
            await call(VariableServiceStub(channel))

    try:
        asyncio.run(run())
    except grpc.aio.AioRpcError as error:
        print(f"flowassist: {ask.refusal_of(error)}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _line(variable: pb.Variable) -> str:
    at = variable.updated_at.ToDatetime().isoformat(sep=" ", timespec="seconds")
    read = f"  read by {', '.join(variable.providers)}" if variable.providers else ""
    return f"{variable.name}  set {at} UTC{read}"
