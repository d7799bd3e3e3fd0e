"""What an adapter costs for each streamed token, against a loop over the vendor's SDK that reads the text alone.

Both ask the same server, which is a process of its own and streams as fast as it can; processor time is that of this
process. The two take turns, so the ratio of a round holds under any load; the figure is the median of the rounds.
Many tokens come with one read of the socket, so what it costs both to wait for a token is left out of the ratio.
"""

import gc
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from statistics import median

from benchmarks.processes import vendor_process
from benchmarks.sdks import BARE, LIMIT, MODEL, TEXT, Environment
from benchmarks.table import Row
from flowassist.models.model import AS_IT_IS, Call, Message
from flowassist.models.registry import SERVER, Providers
from tests.models.providers.conftest import REMEDIES

TOKENS, REPLIES, ROUNDS = 1000, 3, 7
MOST = 1.3
CALL = Call("", (Message("user", TEXT),), max_tokens=LIMIT)

Ask = Callable[[], Awaitable[str]]
"""Asks the question and returns the text that was heard."""

OBJECTS = "read as bytes, past the SDK's objects"
REMARKS = dict.fromkeys(("google", "groq"), f"{OBJECTS}; both over OpenAI's SDK") | {
    "watsonx": "read as bytes; the SDK gives dicts"
}
"""What differs in kind."""


async def adapters() -> list[Row]:
    """Processor time of a token, for every way to ask a vendor."""
    return [await _measured(wire) for wire in BARE]


async def _measured(wire: str) -> Row:
    async with (
        vendor_process(wire, TOKENS) as environment,
        _ours(wire, environment) as ours,
        _bare(wire, environment) as bare,
    ):
        texts = {await ours(), await bare()}
        assert [len(text.split()) for text in texts] == [TOKENS], texts
        rounds = [(await _spent(ours), await _spent(bare)) for _ in range(ROUNDS)]
    ratio = median(own / alone for own, alone in rounds)
    own, alone = map(median, zip(*rounds, strict=True))
    figure = f"{own:.0f} µs a token, SDK {alone:.0f} µs: {ratio:.2f}"
    return Row(f"{wire}: CPU of adapter : SDK", figure, f"<= {MOST}", ratio <= MOST, REMARKS.get(wire, OBJECTS))


@asynccontextmanager
async def _ours(wire: str, environment: Environment) -> AsyncIterator[Ask]:
    """The model as a request of the server gets it."""

    async def ask() -> str:
        heard: list[str] = []
        await model.reply(CALL, heard.append, remedies=REMEDIES.get(wire, AS_IT_IS))
        return "".join(heard)

    providers = Providers(environment)
    try:
        offer = await providers.of(SERVER)
        model = (await offer.lineups(wire.removesuffix("_responses"), MODEL)).main.model
        yield ask
    finally:
        await providers.aclose()


@asynccontextmanager
async def _bare(wire: str, environment: Environment) -> AsyncIterator[Ask]:
    async with BARE[wire](environment) as pieces:

        async def ask() -> str:
            heard: list[str] = []
            async for piece in pieces():
                heard.append(piece)  # noqa: PERF401 - one by one, as the adapter's hearer gets them
            return "".join(heard)

        yield ask


async def _spent(ask: Ask) -> float:
    """Microseconds of processor time for each token."""
    gc.collect()
    began = time.process_time()
    for _ in range(REPLIES):
        await ask()
    return (time.process_time() - began) / (REPLIES * TOKENS) * 1e6
