"""Check components without a server, as ValidateComponent does."""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from google.protobuf.json_format import MessageToDict
from rich.console import Console

from flowassist.app import sandbox_of
from flowassist.cli.show import show_report, visible
from flowassist.components.check import check
from flowassist.components.source import MAX_BYTES
from flowassist.rpc import described
from flowassist.sandbox.supervisor import Sandbox, SandboxUnavailable
from flowassist.settings import Settings
from flowassist.v1.components_pb2 import ValidateComponentResponse

STANDARD_INPUT = "-"


class Unchecked(Exception):
    """Nothing can be said of a file; the text says why, and what to do."""


Result = ValidateComponentResponse | Unchecked


def run(parsed: argparse.Namespace, settings: Settings) -> int:
    """0: all are valid. 1: some are not. 2: some could not be checked."""
    sources = {name: _source(name) for name in parsed.files}
    results = asyncio.run(_results(sources, settings))
    show = _print_json if parsed.json else _show
    for name, result in results.items():
        show(name, result)
    return max(map(_exit_code, results.values()))


def _source(name: str) -> str | Unchecked:
    try:
        if name == STANDARD_INPUT:
            return _code(sys.stdin.buffer)
        with Path(name).open("rb") as file:
            return _code(file)
    except OSError as error:
        return Unchecked(f"It cannot be read: {error.strerror}.")
    except UnicodeDecodeError:
        return Unchecked("It is no text in UTF-8: save it as such.")
    except Unchecked as unfit:
        return unfit


def _code(file: BinaryIO) -> str:
    raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise Unchecked(f"It has more than {MAX_BYTES} bytes: write a smaller component; data belongs into an input.")
    if not raw.strip():
        raise Unchecked("It is empty: give the Python source of a component.")
    return raw.decode("utf-8-sig")


async def _results(sources: Mapping[str, str | Unchecked], settings: Settings) -> Mapping[str, Result]:
    sandbox, places = sandbox_of(settings), asyncio.Semaphore(settings.sandbox_children)
    try:
        if not all(isinstance(source, Unchecked) for source in sources.values()):
            await _started(sandbox)
        results = await asyncio.gather(*(_result(source, sandbox, places) for source in sources.values()))
        return dict(zip(sources, results, strict=True))
    finally:
        await sandbox.close()


async def _started(sandbox: Sandbox) -> None:
    """Its start is no part of a component's milliseconds; where it fails, whatever is run says why."""
    await sandbox.start()
    with suppress(SandboxUnavailable):
        await sandbox.ready()


async def _result(source: str | Unchecked, sandbox: Sandbox, places: asyncio.Semaphore) -> Result:
    if isinstance(source, Unchecked):
        return source
    async with places:
        try:
            return described.validated(await check(source, sandbox))
        except SandboxUnavailable as gone:
            return Unchecked(f"It cannot be run: {gone}. `flowassist doctor` tells what is missing.")


def _exit_code(result: Result) -> int:
    return 2 if isinstance(result, Unchecked) else int(not result.validated)


def _print_json(name: str, result: Result) -> None:
    if isinstance(result, Unchecked):
        told: Mapping[str, object] = {"problem": str(result)}
    else:
        told = MessageToDict(result, always_print_fields_with_no_presence=True)
    print(json.dumps({"file": name, **told}))  # noqa: T201


def _show(name: str, result: Result) -> None:
    if isinstance(result, Unchecked):
        sys.stdout.flush()
        print(f"flowassist: {visible(name)}: {result}", file=sys.stderr)  # noqa: T201
        return
    title = f"{name}: {result.class_name or 'no component'}"
    show_report(Console(highlight=False, emoji=False), title, result.validated, result.report)
