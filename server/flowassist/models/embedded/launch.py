"""The embedded model's process, from its start to its end."""

import asyncio
import contextlib
import os
import sys
from dataclasses import dataclass
from typing import IO, Any

from flowassist.models.access import Access
from flowassist.models.embedded.server import Order, address_in
from flowassist.models.model import ModelError, Trouble
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.openai import unshared_endpoint
from flowassist.secret import Secret

_LOAD_SECONDS = 120.0
_STOP_SECONDS = 2.0
_PATIENCE = Patience(connect=5.0, first_event=300.0, between_events=120.0)
"""A small machine that is busy evaluates a long prompt for minutes."""

_SPINS = {"GOMP_SPINCOUNT": "2000"}
"""Threads that wait for each other sleep soon. Spinning on, they take ten times as long beside other work."""

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH")


@dataclass(frozen=True, slots=True)
class Running:
    """A process that has said where it serves."""

    process: asyncio.subprocess.Process
    place: Endpoint[Any]
    errors: IO[bytes]

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None

    async def end(self) -> None:
        """Terminate, then kill."""
        await self.place.aclose()
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        await _ended(self.process)
        self.errors.close()


async def launched(order: Order) -> Running:
    """The process, once it serves. Whatever goes wrong, none is left behind. Raises ModelError (UNREACHABLE)."""
    errors = os.fdopen(os.memfd_create("embedded model's errors"), "w+b")
    try:
        process = await _spawned(errors)
        address = await _reported(process, order)
    except BaseException:
        errors.close()
        raise
    if not address:
        words = await asyncio.to_thread(_last_words, errors)
        raise ModelError(Trouble.UNREACHABLE, f"the embedded model did not start: {words}")
    return Running(process, unshared_endpoint(Access("", f"{address}/v1", Secret(order.key)), _PATIENCE), errors)


async def _spawned(errors: IO[bytes]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "flowassist.models.embedded.server",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=errors,
        env={name: os.environ[name] for name in _KEPT if name in os.environ} | _SPINS,
        start_new_session=True,
    )


async def _reported(process: asyncio.subprocess.Process, order: Order) -> str:
    """The address where it serves; empty if it ended instead."""
    try:
        address = await asyncio.wait_for(_address(process, order), _LOAD_SECONDS)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    if not address:
        await _ended(process)
    return address


async def _address(process: asyncio.subprocess.Process, order: Order) -> str:
    assert process.stdin  # noqa: S101
    assert process.stdout  # noqa: S101
    process.stdin.write(order.line())
    with contextlib.suppress(ConnectionError):
        await process.stdin.drain()
    return address_in(await process.stdout.readline())


async def _ended(process: asyncio.subprocess.Process) -> None:
    try:
        await asyncio.wait_for(process.wait(), _STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


def _last_words(errors: IO[bytes]) -> str:
    errors.seek(0)
    words = errors.read().decode(errors="replace").strip().splitlines()
    errors.close()
    return words[-1][:300] if words else "it ended without a word"
