"""A model that never runs out of answers, for measurements from another process."""

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import Any

import uvloop

from flowassist.models.model import Usage
from tests.vendors.script import Answer, Request, Say
from tests.vendors.server import Vendor, Wire

WORD = "flow "


def example_of(shape: Mapping[str, Any]) -> Any:
    """A value of a JSON schema, with "question" wherever that is allowed."""
    if options := shape.get("enum"):
        return "question" if "question" in options else options[0]
    if "const" in shape:
        return shape["const"]
    if variants := shape.get("anyOf"):
        return example_of(variants[0])
    kind = shape.get("type")
    if kind == "object":
        return {name: example_of(part) for name, part in shape.get("properties", {}).items()}
    return {"array": [], "boolean": False, "integer": 0, "number": 0, "null": None}.get(str(kind), "What is Langflow?")


class Endless:
    """A request for JSON gets an example of its schema at once, any other `tokens` words, one each `delay` seconds."""

    def __init__(self, tokens: int, delay: float) -> None:
        words = (WORD,) * tokens
        self._answer = Say(WORD * tokens, chunks=words, delay=delay, usage=Usage(1000, tokens, 1000 + tokens))

    def choose(self, request: Request) -> Answer:
        if not request.schema:
            return self._answer
        return Say(json.dumps(example_of(request.shape)), chunks=4)

    def check(self) -> None:
        """Nothing is scripted."""


async def serve(wire: Wire, port: int, chooser: Endless) -> None:
    async with Vendor(wire, chooser, port) as vendor:
        print(f"{vendor.wire.name} {vendor.url}", flush=True)  # noqa: T201
        await asyncio.Event().wait()


def main(wire: Wire) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--delay-ms", type=float, default=20.0)
    given = parser.parse_args()
    uvloop.run(serve(wire, given.port, Endless(given.tokens, given.delay_ms / 1000)))
