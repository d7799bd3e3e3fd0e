"""The processes under measurement: a model server and a flowassist server, each of its own."""

import asyncio
import json
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from tempfile import TemporaryDirectory

import grpc
import psutil

from benchmarks.vendor import TOKENS
from flowassist.v1.assistant_pb2_grpc import AssistantServiceStub
from tests.models.providers.conftest import SERVERS

READY = "sandbox.ready"


@dataclass
class Served:
    """`started` is seconds from spawn to the first line, `sandboxed` to a ready sandbox."""

    address: str
    process: psutil.Process
    started: float
    folder: str
    sandboxed: float = 0.0

    @property
    def cpu(self) -> float:
        """Seconds of processor time of the server itself."""
        spent = self.process.cpu_times()
        return float(spent.user + spent.system)

    @property
    def zygote(self) -> psutil.Process:
        return self.process.children()[0]


@asynccontextmanager
async def model_server(delay_ms: float) -> AsyncIterator[str]:
    """The base URL of one that speaks as OpenAI."""
    async with vendor_process("openai", TOKENS, delay_ms) as environment:
        yield environment["url"]


@asynccontextmanager
async def vendor_process(wire: str, tokens: int, delay_ms: float = 0.0) -> AsyncIterator[dict[str, str]]:
    """The `url` of one that speaks `wire`, and the environment that leads to it; an answer is of `tokens` words."""
    SERVERS[wire]()  # its certificate, if it has one, is handed down to the process
    options = ("--wire", wire, "--tokens", str(tokens), "--delay-ms", str(delay_ms))
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "benchmarks.vendor", *options, stdout=PIPE)
    try:
        assert process.stdout
        yield json.loads(await process.stdout.readline())
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def server(base_url: str) -> AsyncIterator[Served]:
    """A server whose only provider is the model server at `base_url`; its sandbox is ready."""
    with TemporaryDirectory(prefix="flowassist-bench-") as folder:
        began = time.monotonic()
        command = (sys.executable, "-m", "flowassist", "serve")
        process = await asyncio.create_subprocess_exec(
            *command, env=_environment(base_url, folder), stdout=PIPE, stderr=PIPE
        )
        assert process.stdout
        assert process.stderr
        line = (await process.stdout.readline()).decode()
        served = Served(line.split()[-1], psutil.Process(process.pid), time.monotonic() - began, folder)
        log = asyncio.ensure_future(_until_ready(process.stderr))
        await log
        served.sandboxed = time.monotonic() - began
        rest = asyncio.ensure_future(process.stderr.read())
        try:
            yield served
        finally:
            process.send_signal(signal.SIGTERM)
            await process.wait()
            await rest


async def _until_ready(log: asyncio.StreamReader) -> None:
    async for line in log:
        if READY.encode() in line:
            return


def _environment(base_url: str, folder: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("FLOWASSIST_", "OPENAI_", "ANTHROPIC_"))
    }
    return kept | {
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": base_url,
        "FLOWASSIST_PORT": "0",
        "FLOWASSIST_EMBEDDED_ENABLED": "no",
        "FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/store.db",
    }


@asynccontextmanager
async def stub_of(served: Served) -> AsyncIterator[AssistantServiceStub]:
    async with grpc.aio.insecure_channel(served.address) as channel:
        yield AssistantServiceStub(channel)


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def pairs(values: list[float]) -> Iterator[float]:
    """Differences of neighbours."""
    return (later - earlier for earlier, later in pairwise(values))
