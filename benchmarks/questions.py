"""Questions: what the service adds to the same two SDK calls, and how it holds under a burst."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from openai import AsyncOpenAI

from benchmarks.processes import Served, model_server, quantile, server, stub_of
from benchmarks.table import Row
from benchmarks.vendor import TOKENS
from flowassist.assistant.intent import intent_call
from flowassist.assistant.sure import sure
from flowassist.v1.assistant_pb2 import AssistRequest
from flowassist.v1.assistant_pb2_grpc import AssistantServiceStub

TEXT = "My two flows will not connect, why?"
"""Not plain enough to be classified without a model."""

SURE = "How do I connect two flows?"
STREAMS = (1, 10, 100)


@dataclass
class Timed:
    """Seconds from the call's begin; `arrivals` of pieces of text."""

    first: float = 0.0
    end: float = 0.0
    arrivals: list[float] = field(default_factory=list)


async def through_service(stub: AssistantServiceStub, text: str = TEXT) -> Timed:
    timed, began = Timed(), time.monotonic()
    async for event in stub.Assist(AssistRequest(input_value=text, provider="openai")):
        if event.HasField("token"):
            timed.arrivals.append(time.monotonic() - began)
    timed.end = time.monotonic() - began
    timed.first = timed.arrivals[0] if timed.arrivals else timed.end
    return timed


async def through_sdk(client: AsyncOpenAI) -> Timed:
    """The same two calls with the vendor's SDK alone."""
    call, timed, began = intent_call(TEXT, ""), Timed(), time.monotonic()
    schema = {"name": "intent", "schema": dict(call.schema.shape), "strict": True} if call.schema else {}
    messages = [{"role": "system", "content": call.system}, {"role": "user", "content": call.messages[0].text}]
    create: Any = client.chat.completions.create
    asked = {"type": "json_schema", "json_schema": schema}
    sort = await create(model="gpt-5.4", messages=messages, stream=True, response_format=asked)
    async for _ in sort:
        pass
    question = [{"role": "user", "content": TEXT}]
    stream = await create(model="gpt-5.4", messages=question, stream=True)
    async for chunk in stream:
        if chunk.choices and chunk.choices[0].delta.content:
            timed.arrivals.append(time.monotonic() - began)
    timed.first, timed.end = timed.arrivals[0], time.monotonic() - began
    return timed


async def at_once(ask: Callable[[], Awaitable[Timed]], count: int) -> list[Timed]:
    return list(await asyncio.gather(*(ask() for _ in range(count))))


async def added() -> list[Row]:
    """Time to the first token and processor time, at 20 ms a token, against the SDK alone."""
    assert not sure(TEXT)
    rows = []
    async with model_server(20) as url, server(url) as served, stub_of(served) as stub:
        client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
        await at_once(lambda: through_service(stub), 2)
        await at_once(lambda: through_sdk(client), 2)
        for count in STREAMS:
            rows += await _added_at(count, served, stub, client)
        await client.close()
    return rows


async def _added_at(count: int, served: Served, stub: AssistantServiceStub, client: AsyncOpenAI) -> list[Row]:
    service: list[Timed] = []
    sdk: list[Timed] = []
    spent = alone = 0.0
    for _ in range(5 if count == 1 else 1):
        before = time.process_time()
        sdk += await at_once(lambda: through_sdk(client), count)
        alone += time.process_time() - before
        before = served.cpu
        service += await at_once(lambda: through_service(stub), count)
        spent += served.cpu - before
    here, there = (median(timed.first for timed in side) * 1000 for side in (service, sdk))
    ours, theirs = (seconds / len(service) / TOKENS * 1e6 for seconds in (spent, alone))
    target, met = ("5 ms", here - there <= 5) if count == 1 else ("", None)
    return [
        Row(
            f"first token, {count} at once: added",
            f"{here - there:.1f} ms",
            target,
            met,
            f"{here:.0f} ms against {there:.0f} ms by the SDK alone",
        ),
        Row(
            f"CPU per token, {count} at once, 20 ms a token",
            f"{ours:.0f} µs",
            remark=f"{ours / theirs:.2f} of what the SDK alone spends ({theirs:.0f} µs)",
        ),
    ]


async def saved() -> list[Row]:
    """Time to the first token of a message that rules classify, against one that a model has to."""
    assert sure(SURE)
    assert not sure(TEXT)
    async with model_server(20) as url, server(url) as served, stub_of(served) as stub:
        await at_once(lambda: through_service(stub), 2)
        turns = [(await through_service(stub, SURE), await through_service(stub)) for _ in range(10)]
    rule, model = (median(turn.first for turn in side) * 1000 for side in zip(*turns, strict=True))
    figure = f"{model - rule:.1f} ms: {rule:.0f} ms against {model:.0f} ms, {rule / model:.2f}"
    return [Row("first token: what a sure message saves", figure, remark="this model classifies without delay")]


async def burst() -> list[Row]:
    """A hundred questions at once, 200 tokens each, 20 ms a token: the model alone takes 4 s."""
    async with model_server(20) as url, server(url) as served, stub_of(served) as stub:
        await through_service(stub)
        rows = []
        for count, limit_end, limit_first in ((20, 4.3, 0.2), (100, None, 1.0)):
            turns = await at_once(lambda: through_service(stub), count)
            first, end = quantile([turn.first for turn in turns], 0.99), max(turn.end for turn in turns)
            whole = sum(bool(turn.arrivals) for turn in turns)
            fine = whole == count and first <= limit_first and (limit_end is None or end <= limit_end)
            target = f"{count} of {count}, first ≤ {limit_first} s" + (f", all ≤ {limit_end} s" if limit_end else "")
            rows.append(
                Row(
                    f"{count} questions at once",
                    f"{whole} of {count}, first p99 {first:.2f} s, all in {end:.2f} s",
                    target,
                    fine,
                )
            )
        return rows


async def ceiling() -> list[Row]:
    """Turns per second of one server, the model at 0 ms."""
    async with model_server(0) as url, server(url) as served, stub_of(served) as stub:
        await at_once(lambda: through_service(stub), 5)
        alone = [await through_service(stub) for _ in range(10)]
        began, before = time.monotonic(), served.cpu
        turns = await at_once(lambda: through_service(stub), 100)
        rate = len(turns) / (time.monotonic() - began)
        spent = (served.cpu - before) / len(turns)
        first = median(turn.first for turn in alone) * 1000
        return [
            Row("question, model at 0 ms: first token", f"{first:.1f} ms", remark="two model calls included"),
            Row("CPU per turn of 200 tokens, model at 0 ms", f"{spent:.3f} s", "0.04 s", spent <= 0.04),
            Row(
                "turns per second, model at 0 ms", f"{rate:.0f}", "25", rate >= 25, "client and model on the same cores"
            ),
        ]
