"""A server as its own process, as an operator runs it."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from flowassist.v1.assistant_pb2_grpc import AssistantServiceStub


@dataclass
class Served:
    process: Process
    address: str
    log: Path

    @property
    def stub(self) -> AssistantServiceStub:
        return AssistantServiceStub(self.channel)

    def __post_init__(self) -> None:
        self.channel = grpc.aio.insecure_channel(self.address, options=[("grpc.use_local_subchannel_pool", 1)])


@asynccontextmanager
async def serving(folder: Path, **changes: str) -> AsyncIterator[Served]:
    """`changes` are environment variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FLOWASSIST_", "OPENAI_"))}
    environment = kept | {
        "FLOWASSIST_PORT": "0",
        "FLOWASSIST_EMBEDDED_ENABLED": "no",
        "FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/store.db",
        **changes,
    }
    log = folder / "log"
    with log.open("wb") as file:
        command = (sys.executable, "-m", "flowassist", "serve")
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=PIPE, stderr=file)
    assert process.stdout
    line = (await process.stdout.readline()).decode()
    served = Served(process, line.split()[-1] if line else "", log)
    try:
        yield served
    finally:
        await served.channel.close()
        if process.returncode is None:
            process.terminate()
        await process.wait()
