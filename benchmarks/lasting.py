"""Start-up, memory, disk, and what 2,000 cancelled turns leave behind."""

import asyncio
from pathlib import Path

import psutil

from benchmarks.processes import Served, model_server, server, stub_of
from benchmarks.questions import TEXT, at_once, through_service
from benchmarks.table import Row
from flowassist.v1.assistant_pb2 import AssistRequest
from flowassist.v1.assistant_pb2_grpc import AssistantServiceStub

TURNS, AT_ONCE, WARM = 2000, 20, 200


def megabytes(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1e6


async def start_up() -> list[Row]:
    async with model_server(0) as url, server(url) as served, stub_of(served) as stub:
        idle, sandbox = megabytes(served.process), megabytes(served.zygote)
        rows = [
            Row(
                "serving after start",
                f"{served.started:.2f} s",
                "1 s",
                served.started <= 1.0,
                f"sandbox ready after {served.sandboxed:.1f} s",
            ),
            Row("idle memory of the server", f"{idle:.0f} MB", "150 MB", idle <= 150),
            Row("idle memory of the sandbox process", f"{sandbox:.0f} MB", "220 MB", sandbox <= 220),
        ]
        await through_service(stub)
        size = disk(served)
        await at_once(lambda: through_service(stub), 50)
        each = (disk(served) - size) / 50 / 1000
        return [*rows, Row("disk per turn", f"{each:.1f} kB", "20 kB", each <= 20)]


def disk(served: Served) -> int:
    return sum(file.stat().st_size for file in Path(served.folder).iterdir())


async def cancelled() -> list[Row]:
    """Turns that are cancelled at their first token; memory after the first 200 and after all."""
    async with model_server(20) as url, server(url) as served, stub_of(served) as stub:
        await _cancel(stub, WARM)
        before = megabytes(served.process)
        await _cancel(stub, TURNS - WARM)
        after = megabytes(served.process)
        figure = f"{after - before:+.1f} MB"
        return [
            Row(
                f"memory over {TURNS - WARM} cancelled turns",
                figure,
                "flat",
                abs(after - before) < 5,
                f"{before:.0f} → {after:.0f} MB",
            )
        ]


async def _cancel(stub: AssistantServiceStub, count: int) -> None:
    async def one() -> None:
        call = stub.Assist(AssistRequest(input_value=TEXT, provider="openai"))
        async for event in call:
            if event.HasField("token"):
                call.cancel()
                return

    for _ in range(count // AT_ONCE):
        await asyncio.gather(*(one() for _ in range(AT_ONCE)))
