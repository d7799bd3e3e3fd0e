"""Runs every measure, one after the other, and prints one table. `--only NAME` runs one of them."""

import argparse
import asyncio

import uvloop
from rich.console import Console

from benchmarks import adapters, components, lasting, questions
from benchmarks.table import Row, table_of

MEASURES = (
    lasting.start_up,
    adapters.adapters,
    questions.added,
    questions.saved,
    questions.burst,
    questions.ceiling,
    components.turns,
    components.validations,
    components.hanging,
    lasting.cancelled,
)


async def run(only: str) -> list[Row]:
    rows: list[Row] = []
    for measure in MEASURES:
        if only in {"", measure.__name__}:
            rows += await measure()
            await asyncio.sleep(1)
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", choices=["", *(measure.__name__ for measure in MEASURES)])
    Console(width=160).print(table_of(uvloop.run(run(parser.parse_args().only))))
