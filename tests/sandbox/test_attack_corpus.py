"""Every attack of the corpus: refused by the scan where it can be read, held by the sandbox alone in any case."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from flowassist.components import check
from flowassist.components.evidence import weigh
from flowassist.components.reading import read
from flowassist.components.report import Verdict
from flowassist.sandbox.claims import Claim, Job, Stage
from flowassist.sandbox.launch import COMMAND
from flowassist.sandbox.supervisor import Sandbox
from tests.sandbox.attacks import ALL, Attack
from tests.sandbox.canaries import NOBODY, Canaries, planted
from tests.sandbox.code import component

# the corpus is run once for all tests of a pass, while the first of them waits
pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

PLAIN = (sys.executable, "-P", str(Path(__file__).with_name("plain_user.py")))
QUOTE = '"'  # around a text, as results are JSON
PLACES = 5  # one of them is the neighbour's
GOOD = Job(component(), "Sample", {"text": "x"})
BY_NAME = {attack.name: attack for attack in ALL}


@dataclass(frozen=True, slots=True)
class Traces:
    """What a sandbox has: its processes, their descriptors, and the files below its folder."""

    pid: int | None
    processes: frozenset[int]
    descriptors: int
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class Held:
    """A pass without the scan. `next` is what a good component came to right after each attack."""

    claims: Mapping[str, Claim]
    next: Mapping[str, Claim]
    before: Traces
    after: Traces
    disturbed: list[str]
    token: str
    uid: int


@pytest.fixture(scope="module")
def canaries() -> Iterator[Canaries]:
    with planted() as one:
        yield one


@asynccontextmanager
async def running(command: tuple[str, ...]) -> AsyncIterator[Sandbox]:
    one = Sandbox(children=PLACES, command=command)
    try:
        await one.start()
        await one.ready()
        yield one
    finally:
        await one.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["current user", "plain user"])
async def held(request: pytest.FixtureRequest, canaries: Canaries) -> Held:
    if request.param == "plain user" and os.geteuid() != 0:
        pytest.skip("only root can become another user")
    async with running(COMMAND if request.param == "current user" else PLAIN) as sandbox:
        return await alone(sandbox, canaries)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def verdicts(canaries: Canaries) -> Mapping[str, Verdict]:
    async with running(COMMAND) as sandbox:

        async def judged(attack: Attack) -> Verdict:
            return await check.check(aimed(attack, sandbox, canaries).code, sandbox, wall_seconds=attack.seconds)

        return await each(judged)


async def alone(sandbox: Sandbox, canaries: Canaries) -> Held:
    """The whole corpus, with nothing but the sandbox in its way, beside a job that has something to hide."""
    after: dict[str, Claim] = {}
    before = await asyncio.to_thread(traces, sandbox)

    async def attacked(attack: Attack) -> Claim:
        one = aimed(attack, sandbox, canaries)
        claim = await sandbox.validate(Job(one.code, "Sample", {"text": "x"}, one.seconds))
        after[attack.name] = await sandbox.validate(GOOD)
        return claim

    neighbour = asyncio.create_task(beside(sandbox, canaries.token))
    claims = await each(attacked)
    neighbour.cancel()
    await asyncio.gather(neighbour, return_exceptions=True)
    await sandbox.validate(GOOD)
    traced, disturbed = await asyncio.to_thread(lambda: (traces(sandbox), canaries.disturbed()))
    assert sandbox.boundary
    return Held(claims, after, before, traced, disturbed, canaries.token, sandbox.boundary.uid)


async def beside(sandbox: Sandbox, token: str) -> None:
    code = component(f"import time\ntime.sleep(0.5)\nreturn Message(text=self.text + {token!r})")
    while True:
        assert token in (await sandbox.validate(Job(code, "Sample", {"text": token}))).runs[0].result


async def each(work: Callable[[Attack], Awaitable[Claim]]) -> Mapping[str, Claim]:
    """Of every attack, as many at once as there are places for them."""
    places = asyncio.Semaphore(PLACES - 1)

    async def placed(attack: Attack) -> Claim:
        async with places:
            return await work(attack)

    return dict(zip(BY_NAME, await asyncio.gather(*map(placed, ALL)), strict=True))


def aimed(attack: Attack, sandbox: Sandbox, canaries: Canaries) -> Attack:
    return attack.aimed({**canaries.targets, "ZYGOTE": str(sandbox.pid)})


def traces(sandbox: Sandbox) -> Traces:
    zygote = psutil.Process(sandbox.pid)
    all_of_it = [zygote, *zygote.children(recursive=True)]
    home = Path(zygote.cwd())
    return Traces(
        sandbox.pid,
        frozenset(process.pid for process in all_of_it),
        sum(process.num_fds() for process in all_of_it),
        frozenset(str(path) for path in home.rglob("*")),
    )


def outcome(claim: Claim) -> str:
    """In the words of an entry."""
    fault = claim.fault or next((run.fault for run in claim.runs if run.fault), None)
    if fault:
        return f"{fault.blame.value}: {fault.message}"
    return f"done: {claim.runs[0].result.strip(QUOTE) if claim.runs else ''}"


async def test_the_corpus_is_large_and_its_names_are_its_own() -> None:
    assert len(BY_NAME) == len(ALL)
    assert len(ALL) >= 140


@pytest.mark.parametrize("name", BY_NAME)
async def test_the_sandbox_alone_holds(held: Held, name: str) -> None:
    assert re.match(BY_NAME[name].comes, outcome(held.claims[name]))
    assert held.token not in repr(held.claims[name])


async def test_the_next_validation_works(held: Held) -> None:
    assert {name: claim.stage for name, claim in held.next.items()} == dict.fromkeys(BY_NAME, Stage.DONE)
    assert held.token not in repr(held.next)


async def test_nothing_outside_was_reached_and_nothing_is_left(held: Held) -> None:
    assert held.disturbed == []
    assert held.after == held.before
    assert held.uid in (os.geteuid(), NOBODY, 60600)


@pytest.mark.parametrize("name", BY_NAME)
async def test_the_scan_refuses_what_can_be_read(verdicts: Mapping[str, Verdict], name: str) -> None:
    attack, verdict = BY_NAME[name], verdicts[name]
    rules = {finding.rule for finding in verdict.report.findings if not finding.warning}
    if attack.refused:
        assert attack.refused in rules
        assert verdict.report.boundary == ""
    else:
        assert not {rule for rule in rules if rule.startswith("security-")}
        assert not verdict.ok or re.match("done|boundary", attack.comes)


async def test_no_forgery_speaks_for_another_class(held: Held) -> None:
    name = "tells of another class"
    anatomy = read(BY_NAME[name].code).anatomy
    assert anatomy
    assert {finding.rule for finding in weigh(held.claims[name], anatomy).findings} == {"run-disagrees"}
