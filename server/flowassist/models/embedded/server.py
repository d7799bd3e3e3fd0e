"""The process that holds the embedded model: llama.cpp's OpenAI-compatible endpoint on a free port of the loopback.

`python -m flowassist.models.embedded.server` reads one line of JSON (an `Order`) from standard input, loads the model,
writes one line of JSON with its address to standard output, and serves until standard input closes or its parent dies.
"""

import contextlib
import ctypes
import json
import os
import signal
import sys
from dataclasses import asdict, dataclass
from typing import TextIO

CONTEXT_TOKENS = 4096
"""What one slot can read and write."""

BATCH_TOKENS = 64
"""A closed socket stops the evaluation of a prompt only between two batches; 64 take up to a second."""

PROMPT_CACHE_MIB = 256

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4


@dataclass(frozen=True, slots=True)
class Order:
    """What to serve. The key comes this way because command lines and environments can be read by others."""

    path: str
    alias: str
    key: str
    slots: int
    threads: int
    parent: int

    def line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"


def address_in(line: bytes) -> str:
    """The address in what the process reports; empty if it reported none."""
    try:
        return str(json.loads(line)["address"])
    except (ValueError, KeyError, TypeError):
        return ""


def main() -> None:
    order = Order(**json.loads(sys.stdin.readline()))
    _die_with(order.parent)
    report = _own_stdout()
    address = _serve(order)
    report.write(json.dumps({"address": address}) + "\n")
    report.close()
    _wait_for_the_end()
    # llama.cpp's threads may be in the middle of a batch: nothing here is worth waiting for
    os._exit(0)


def _die_with(parent: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.prctl(_PR_SET_DUMPABLE, 0)
    if os.getppid() != parent:
        os._exit(1)


def _own_stdout() -> TextIO:
    """The pipe to the parent, out of reach of what native code prints."""
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return pipe


def _serve(order: Order) -> str:
    import xllamacpp  # noqa: PLC0415 - the parent imports this module for Order and must not load native code

    asked = xllamacpp.CommonParams()
    asked.model.path, asked.model_alias = order.path, {order.alias}
    asked.hostnames, asked.port, asked.api_keys = ["127.0.0.1"], 0, [order.key]
    asked.ui, asked.endpoint_slots, asked.verbosity = False, False, 0
    asked.n_parallel, asked.n_ctx, asked.n_batch = order.slots, CONTEXT_TOKENS * order.slots, BATCH_TOKENS
    asked.n_gpu_layers, asked.no_extra_bufts, asked.cache_ram_mib = 0, True, PROMPT_CACHE_MIB
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = order.threads
    server = xllamacpp.Server(asked)
    _keep.append(server)
    return str(server.listening_address)


_keep: list[object] = []


def _wait_for_the_end() -> None:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        sys.stdin.read()


if __name__ == "__main__":
    main()
