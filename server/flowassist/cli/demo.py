"""The main job, whole: start a server, have a component written, show all of it, stop."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory

import grpc
from rich.console import Console

from flowassist.cli import ask, model
from flowassist.cli.show import Shown
from flowassist.v1.assistant_pb2 import AssistRequest

_KEYS = ("_API_KEY", "_APIKEY", "_BASE_URL")


def run(text: str) -> int:
    """0 only if the component came back validated."""
    if failed := model.fetch():
        return failed
    try:
        return asyncio.run(_run(text))
    except grpc.aio.AioRpcError as error:
        print(f"flowassist: {ask.refusal_of(error)}", file=sys.stderr)  # noqa: T201
        return 1


async def _run(text: str) -> int:
    console = Console(highlight=False, emoji=False)
    with TemporaryDirectory(prefix="flowassist-demo-") as folder:
        async with _server(folder) as address:
            console.print(f"A server runs on {address}. Asking it: [bold]{text}[/]")
            shown, end = Shown(console), None
            async for end in ask.events(address, AssistRequest(input_value=text, provider="embedded")):
                shown.show(end)
    validated = end is not None and end.complete.validated
    console.print("[bold green]The demo worked.[/]" if validated else "[bold red]No validated component came back.[/]")
    return 0 if validated else 1


@asynccontextmanager
async def _server(folder: str) -> AsyncIterator[str]:
    """A server of its own, with the embedded model and nothing of the environment's providers."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith(_KEYS)}
    environment = {name: value for name, value in environment.items() if not name.startswith("FLOWASSIST_")}
    environment |= {"FLOWASSIST_PORT": "0", "FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/demo.db"}
    environment |= {"FLOWASSIST_LOG_LEVEL": "warning"}
    command = (sys.executable, "-m", "flowassist", "serve")
    server = await asyncio.create_subprocess_exec(*command, env=environment, stdout=PIPE)
    try:
        yield await _address(server)
    finally:
        if server.returncode is None:
            server.send_signal(signal.SIGTERM)
        await server.wait()


async def _address(server: Process) -> str:
    assert server.stdout  # noqa: S101 - it is piped
    line = (await server.stdout.readline()).decode()
    if not line:
        raise SystemExit(f"The server did not start (exit code {await server.wait()}).")
    return line.split()[-1]
