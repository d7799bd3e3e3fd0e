"""Components: whole turns, validations by themselves, and what a component that hangs does to the others."""

import asyncio
import time
from statistics import median

from benchmarks.processes import model_server, pairs, quantile, server, stub_of
from benchmarks.questions import through_service
from benchmarks.table import Row
from benchmarks.vendor import LOOP
from flowassist.components.check import check
from flowassist.sandbox.supervisor import Sandbox
from tests.conversation.code import GOOD

ASK = "Create a component that converts text to uppercase"


async def turns() -> list[Row]:
    """Component turns with the model at 0 ms, alone and 16 at once."""
    async with model_server(0) as url, server(url) as served, stub_of(served) as stub:
        await through_service(stub, ASK)
        alone = [(await through_service(stub, ASK)).end for _ in range(10)]
        many = await asyncio.gather(*(through_service(stub, ASK) for _ in range(16)))
        one, sixteen = median(alone), median(turn.end for turn in many)
        return [
            Row("component turn, model at 0 ms", f"{one * 1000:.0f} ms", "200 ms", one <= 0.2),
            Row("16 component turns at once, p50", f"{sixteen:.2f} s", "1.5 s", sixteen <= 1.5),
        ]


async def validations() -> list[Row]:
    """The same good component again and again, four at a time."""
    sandbox = Sandbox(children=4)
    await sandbox.start()
    try:
        await sandbox.ready()
        await check(GOOD, sandbox)
        times: list[float] = []

        async def some(count: int) -> None:
            for _ in range(count):
                began = time.monotonic()
                assert (await check(GOOD, sandbox)).ok
                times.append(time.monotonic() - began)

        await some(20)
        alone, times[:] = median(times), []
        began = time.monotonic()
        await asyncio.gather(*(some(25) for _ in range(4)))
        rate = len(times) / (time.monotonic() - began)
        figure = f"{rate:.0f} per second, p50 {median(times) * 1000:.0f} ms"
        return [Row("validations, four at a time", figure, "", None, f"alone p50 {alone * 1000:.0f} ms")]
    finally:
        await sandbox.close()


async def hanging() -> list[Row]:
    """The longest gap of a live stream while a generated class body loops for ever."""
    async with model_server(20) as url, server(url) as served, stub_of(served) as stub:
        await through_service(stub)
        quiet = await through_service(stub)
        looping = asyncio.ensure_future(through_service(stub, f"Create a component that {LOOP}"))
        await asyncio.sleep(1.5)
        live = await through_service(stub)
        looping.cancel()
        await asyncio.gather(looping, return_exceptions=True)
        gap, before = max(pairs(live.arrivals)), max(pairs(quiet.arrivals))
        remark = f"{before * 1000:.0f} ms without it; p99 {quantile(list(pairs(live.arrivals)), 0.99) * 1000:.0f} ms"
        return [
            Row(
                "longest gap of a 20 ms stream beside an endless component",
                f"{gap * 1000:.0f} ms",
                "100 ms",
                gap <= 0.1,
                remark,
            )
        ]
