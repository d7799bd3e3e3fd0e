"""Validations in a row, one in five of them hostile: how fast they are, and what they leave behind.

`python -m benchmarks.soak --count 10000` exits with 1 where something grows, or where a verdict is wrong.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle, groupby, pairwise
from pathlib import Path
from statistics import median

import psutil
import uvloop
from rich.console import Console

from benchmarks.processes import quantile
from benchmarks.table import Row, table_of
from flowassist.components.check import check
from flowassist.sandbox.claims import Job, Stage
from flowassist.sandbox.supervisor import Sandbox
from tests.conversation.code import GOOD
from tests.sandbox.code import component

KILL_SECONDS = 0.3
TARGET_P50, TARGET_RATE = 0.05, 25.0
MAY_GROW = 8.0  # MB: a leak of one page a validation makes 40 in ten thousand
SETTLE_SECONDS = 60.0  # for a process that replaces a worn one

ROWS = "return DataFrame([{'word': word, 'length': len(word)} for word in self.text.split()])"
GOOD_ONES = (
    GOOD,
    component(),
    component(ROWS, returns=" -> DataFrame"),
    component("return Data(data={'length': len(self.text)})", returns=" -> Data"),
    component("import re\nreturn Message(text=re.sub(r'[0-9]+', '#', self.text))"),
)
FOREVER = "while True:\n    pass"
HOSTILE = {
    "loops in a class body": component(inside=FOREVER),
    "loops in a method": component(FOREVER),
    "sleeps, deaf to signals": component(
        "for one in range(1, 32):\n    try:\n        signal.signal(one, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n        pass\ntime.sleep(60)",
        before="import signal, time",
    ),
    "fills memory": component("kept = []\nwhile True:\n    kept.append(bytearray(1 << 24))"),
    "forks": component("while True:\n    os.fork()"),
    "starts threads": component(
        "while True:\n    threading.Thread(target=time.sleep, args=(60,)).start()", before="import threading, time"
    ),
    "exits": component("os._exit(0)"),
    "crashes": component("ctypes.string_at(0)", before="import ctypes"),
    "floods its pipe": component("while True:\n    os.write(3, bytes(1 << 16))"),
    "fills its folder": component(
        "count = 0\nwhile True:\n    count += 1\n    with open(f'{os.environ[\"HOME\"]}/{count}', 'wb') as file:\n"
        "        file.write(bytes(1 << 20))"
    ),
    "keeps descriptors": component("while True:\n    os.dup(0)"),
}


@dataclass(frozen=True)
class Sample:
    """What is there while nothing runs. `sandbox` is the process with lfx, `processor` all seconds of processor time so
    far, `memory` resident MB; None: this user may not see it."""

    done: int
    sandbox: int
    processor: float
    processes: int
    memory: dict[str, float]
    descriptors: dict[str, int | None]
    files: int | None

    @property
    def counts(self) -> dict[str, int | None]:
        of = {f"descriptors of the {name}": count for name, count in self.descriptors.items()}
        return {"processes of the sandbox": self.processes, "files of the sandbox": self.files, **of}


@dataclass
class Soak:
    """`wrong` holds what was not judged as it should be; `seconds` of each good validation."""

    sandbox: Sandbox
    seconds: list[float] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    working: float = 0.0

    async def run(self, count: int, at_once: int, every: int) -> None:
        jobs = self._jobs()
        for done in range(every, count + 1, every):
            began = time.monotonic()
            batch = iter([next(jobs) for _ in range(every)])
            await asyncio.gather(*(self._work(batch) for _ in range(at_once)))
            self.working += time.monotonic() - began
            self.samples.append(await self._sampled(done))
            print(line_of(self.samples[-1], self.seconds[-every:], time.monotonic() - began, every), flush=True)

    @staticmethod
    def _jobs() -> Iterator[tuple[str, str]]:
        """Name and code; a good one has no name."""
        good, hostile = cycle(GOOD_ONES), cycle(HOSTILE.items())
        while True:
            yield from [("", next(good)) for _ in range(4)]
            yield next(hostile)

    async def _work(self, batch: Iterator[tuple[str, str]]) -> None:
        for name, code in batch:
            await (self._hostile(name, code) if name else self._good(code))

    async def _good(self, code: str) -> None:
        began = time.monotonic()
        verdict = await check(code, self.sandbox)
        self.seconds.append(time.monotonic() - began)
        if not verdict.ok:
            self.wrong.append(f"a good component is refused: {verdict.error}")

    async def _hostile(self, name: str, code: str) -> None:
        """Straight into the sandbox: the scan would refuse most of them."""
        claim = await self.sandbox.validate(Job(code, "Sample", {"text": "x"}, KILL_SECONDS))
        if claim.stage is Stage.DONE and not all(run.fault for run in claim.runs):
            self.wrong.append(f"code that {name} ran through")

    async def _sampled(self, done: int) -> Sample:
        processes = await self._alone()
        return Sample(
            done,
            processes["sandbox"].pid,
            sum(sum(process.cpu_times()[:4]) for process in processes.values()),
            len(processes),
            {name: process.memory_info().rss / 1e6 for name, process in processes.items()},
            {name: descriptors(process) for name, process in processes.items()},
            files(processes["sandbox"]),
        )

    async def _alone(self) -> dict[str, psutil.Process]:
        """The three processes, once no other is left."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while not (processes := self._settled()):  # noqa: ASYNC110 - nothing tells us of another process
                await asyncio.sleep(0.05)
        return processes

    def _settled(self) -> dict[str, psutil.Process]:
        """This process, the one that holds lfx and the one that forks; nothing while there are others."""
        ours = psutil.Process()
        match ours.children(recursive=True):
            case [sandbox, forking] if sandbox.pid == self.sandbox.pid:
                return {"server": ours, "sandbox": sandbox, "forking process": forking}
        return {}

    def processor(self) -> float:
        """Seconds of processor time that one validation takes, the killed ones too."""
        pairs = [(one, two) for one, two in pairwise(self.samples) if one.sandbox == two.sandbox]
        spent = sum(two.processor - one.processor for one, two in pairs)
        return spent / max(1, sum(two.done - one.done for one, two in pairs))

    def growth(self) -> Iterator[str]:
        """What is more than it may be, in sentences."""
        first = self.samples[0]
        for sample in self.samples[1:]:
            for what, count in sample.counts.items():
                if count != first.counts[what]:
                    yield f"{what}: {first.counts[what]} after {first.done} validations, {count} after {sample.done}"
        for name, megabytes in self.grown().items():
            if megabytes > MAY_GROW:
                yield f"the {name} grew by {megabytes:.1f} MB, of {MAY_GROW:g} that it may"

    def grown(self) -> dict[str, float]:
        """By name; within the life of one process of the sandbox, the worst of them."""
        lives = [list(life) for _, life in groupby(self.samples, key=lambda sample: sample.sandbox)]
        worst = {name: max(grown(life, name) for life in lives) for name in ("sandbox", "forking process")}
        return {"server": grown(self.samples, "server"), **worst}


def grown(samples: Sequence[Sample], name: str) -> float:
    return samples[-1].memory[name] - samples[0].memory[name]


def descriptors(process: psutil.Process) -> int | None:
    with suppress(psutil.AccessDenied):
        return int(process.num_fds())
    return None


def files(sandbox: psutil.Process) -> int | None:
    """In the folder below which all children have theirs."""
    with suppress(psutil.AccessDenied, PermissionError):
        return len(list(Path(sandbox.cwd()).iterdir()))
    return None


def line_of(sample: Sample, seconds: list[float], took: float, count: int) -> str:
    memory = ", ".join(f"{name} {megabytes:.1f}" for name, megabytes in sample.memory.items())
    times = f"{count / took:.1f} per second, p50 {median(seconds) * 1000:.0f} ms"
    return f"{sample.done:6} {times}; MB: {memory}; {sample.counts}; load {os.getloadavg()[0]:.1f}"


def rows(soak: Soak, count: int, at_once: int) -> list[Row]:
    rate, p50, p99 = count / soak.working, median(soak.seconds), quantile(soak.seconds, 0.99)
    lives = len({sample.sandbox for sample in soak.samples})
    processor = f"{soak.processor() * 1000:.0f} ms of processor time each"
    load = f"{at_once} at once; {processor}; load {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
    memory = ", ".join(f"{name} {megabytes:+.1f} MB" for name, megabytes in soak.grown().items())
    return [
        Row(f"{count} validations, 20 % hostile", f"{rate:.1f} per second", "25", rate >= TARGET_RATE, load),
        Row("good ones, p50", f"{p50 * 1000:.0f} ms", "50 ms", p50 <= TARGET_P50, f"p99 {p99 * 1000:.0f} ms"),
        Row("left behind", memory, f"{MAY_GROW:g} MB", not list(soak.growth()), f"{lives} processes with lfx"),
    ]


async def main(count: int, at_once: int, every: int) -> int:
    soak = Soak(Sandbox(children=at_once))
    await soak.sandbox.start()
    try:
        print(f"boundary: {(await soak.sandbox.ready()).describe()}", flush=True)
        await soak.run(count, at_once, every)
    finally:
        await soak.sandbox.close()
    Console(width=160).print(table_of(rows(soak, count, at_once)))
    failures = [*soak.growth(), *sorted(set(soak.wrong))]
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--every", type=int, default=250, help="validations between two looks at what is left")
    asked = parser.parse_args()
    sys.exit(uvloop.run(main(asked.count, asked.at_once, min(asked.every, asked.count))))
