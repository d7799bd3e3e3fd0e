"""A model server for measurements: asked for a component it writes one, else it says 200 words.

`python -m benchmarks.vendor --delay-ms 20` prints what a client needs to know of it, as JSON, and serves until it is
killed.
"""

import argparse
import asyncio
import json

import uvloop

from flowassist.models.model import Usage
from tests.conversation.code import GOOD, LOOPING, answer
from tests.models.providers.conftest import SERVERS
from tests.vendors.script import Answer, Request, Say
from tests.vendors.server import Vendor

TOKENS = 200
LOOP = "loops"


class Writer:
    """Answers by what the request's last message says."""

    def __init__(self, delay: float, tokens: int) -> None:
        self._words = Say("", chunks=("flow ",) * tokens, delay=delay, usage=Usage(1000, tokens, 1000 + tokens))

    def choose(self, request: Request) -> Answer:
        asked = str(request.body.get("messages", [{"content": ""}])[-1]["content"])
        if request.schema:
            kind = "generate_component" if "component" in asked else "question"
            return Say(json.dumps({"translation": asked[-200:], "intent": kind, "requested_model": ""}))
        if "component" in asked:
            return Say(answer(LOOPING if LOOP in asked else GOOD))
        return self._words

    def check(self) -> None:
        """Nothing is scripted."""


async def serve(wire: str, delay: float, tokens: int) -> None:
    async with Vendor(SERVERS[wire](), Writer(delay, tokens)) as vendor:
        print(json.dumps({"url": vendor.url, **vendor.environment}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--wire", default="openai", choices=SERVERS)
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parsed = parser.parse_args()
    uvloop.run(serve(parsed.wire, parsed.delay_ms / 1000, parsed.tokens))
