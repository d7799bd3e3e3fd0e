"""A model server for measurements: asked for a component it writes one, else it says 200 words.

`python -m benchmarks.vendor --delay-ms 20` prints its address and serves until it is killed.
"""

import argparse
import asyncio
import json

import uvloop

from flowassist.models.model import Usage
from tests.conversation.code import GOOD, LOOPING, answer
from tests.vendors.openai import OpenAIWire
from tests.vendors.script import Answer, Request, Say
from tests.vendors.server import Vendor

TOKENS = 200
LOOP = "loops"


class Writer:
    """Answers by what the request's last message says."""

    def __init__(self, delay: float) -> None:
        self._words = Say("", chunks=("flow ",) * TOKENS, delay=delay, usage=Usage(1000, TOKENS, 1000 + TOKENS))

    def choose(self, request: Request) -> Answer:
        asked = str(request.body["messages"][-1]["content"])
        if request.schema:
            kind = "generate_component" if "component" in asked else "question"
            return Say(json.dumps({"translation": asked[-200:], "intent": kind, "requested_model": ""}))
        if "component" in asked:
            return Say(answer(LOOPING if LOOP in asked else GOOD))
        return self._words

    def check(self) -> None:
        """Nothing is scripted."""


async def serve(delay: float) -> None:
    async with Vendor(OpenAIWire(), Writer(delay)) as vendor:
        print(vendor.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay-ms", type=float, default=0.0)
    uvloop.run(serve(parser.parse_args().delay_ms / 1000))
