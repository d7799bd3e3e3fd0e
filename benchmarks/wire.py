"""CPU per streamed chunk: our own reading of the bytes against the SDK's event objects, on one scripted server.

    python -m benchmarks.wire [--tokens 2000] [--rounds 5]

The server runs in a process of its own; the two ways take turns in this one, so their ratio holds under any load.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI

from flowassist.models.access import Access
from flowassist.models.model import Call, Message
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.registry import WIRES
from flowassist.secret import Secret
from tests.vendors import certificate
from tests.vendors import wires as scripted
from tests.vendors.server import KEY

ASKED = "What is Langflow?"
CALL = Call("", (Message("user", ASKED),), max_tokens=100_000)
Way = Callable[[], Awaitable[None]]


@asynccontextmanager
async def server(wire: str, tokens: int) -> AsyncIterator[str]:
    """The base URL of an endless scripted server in another process."""
    scripted.WIRES[wire]()  # its certificate, if it has one, is handed down to the process
    program = [sys.executable, "-m", f"tests.vendors.{wire}", "--tokens", str(tokens), "--delay-ms", "0"]
    process = await asyncio.create_subprocess_exec(*program, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield (await process.stdout.readline()).decode().split()[1]
    finally:
        process.terminate()
        await process.wait()


def ours(wire: str, url: str) -> Way:
    spoken, more = WIRES[wire], scripted.WIRES[wire]().environment(url)
    model = spoken.model(spoken.endpoint(Access("", url, Secret(KEY), more), Patience()), "m")

    async def read() -> None:
        await model.reply(CALL)

    return read


def openai_objects(url: str) -> Way:
    client = AsyncOpenAI(api_key="k", base_url=url)

    async def read() -> None:
        stream = await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": ASKED}], stream=True
        )
        "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])

    return read


def anthropic_objects(url: str) -> Way:
    client = AsyncAnthropic(api_key="k", base_url=url)

    async def read() -> None:
        stream = await client.messages.create(
            model="m", messages=[{"role": "user", "content": ASKED}], max_tokens=100_000, stream=True
        )
        deltas = [event.delta async for event in stream if event.type == "content_block_delta"]
        "".join([delta.text for delta in deltas if delta.type == "text_delta"])

    return read


def ollama_objects(url: str) -> Way:
    from ollama import AsyncClient  # noqa: PLC0415 - an optional package

    client = AsyncClient(host=url)

    async def read() -> None:
        stream = await client.chat(model="m", messages=[{"role": "user", "content": ASKED}], stream=True)
        "".join([line.message.content or "" async for line in stream])

    return read


def watsonx_objects(url: str) -> Way:
    from ibm_watsonx_ai import APIClient, Credentials  # noqa: PLC0415 - an optional package
    from ibm_watsonx_ai.foundation_models import ModelInference  # noqa: PLC0415

    token_url, trusted = f"{url}/identity/token", str(certificate.pem())
    client = APIClient(Credentials(url=url, platform_url=url, auth_url=token_url, api_key=KEY, verify=trusted))
    client.default_project_id = "p"
    model = ModelInference(model_id="m", api_client=client, validate=False)

    async def read() -> None:
        stream = await model.achat_stream(messages=[{"role": "user", "content": ASKED}])
        "".join([chunk["choices"][0]["delta"].get("content", "") async for chunk in stream if chunk["choices"]])

    return read


async def cpu(way: Way, tokens: int) -> float:
    """Microseconds of this process's CPU per token."""
    before = time.process_time()
    await way()
    return (time.process_time() - before) / tokens * 1e6


async def compare(wire: str, sdk: Callable[[str], Way], tokens: int, rounds: int) -> None:
    async with server(wire, tokens) as url:
        ways = (ours(wire, url), sdk(url))
        for way in ways:
            await way()
        measured = [[await cpu(way, tokens) for way in ways] for _ in range(rounds)]
    raw, objects = (statistics.median(way) for way in zip(*measured, strict=True))
    print(f"{wire:10} raw {raw:6.1f} µs/chunk   SDK's objects {objects:6.1f} µs/chunk   {objects / raw:4.1f} times")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    await compare("openai", openai_objects, given.tokens, given.rounds)
    await compare("anthropic", anthropic_objects, given.tokens, given.rounds)
    await compare("ollama", ollama_objects, given.tokens, given.rounds)
    await compare("watsonx", watsonx_objects, given.tokens, given.rounds)


if __name__ == "__main__":
    asyncio.run(main())
