"""What happens to jobs whose process is lost, and to those beside and behind them."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from flowassist.sandbox.claims import Job, Stage
from flowassist.sandbox.supervisor import Sandbox, SandboxUnavailable
from tests.jobs import jobs
from tests.sandbox.code import component
from tests.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

GOOD = Job(component(), "Sample")
SLOW = Job(component("import time\ntime.sleep(0.5)\nreturn Message(text='x')"), "Sample", {"text": "x"})
FATAL_MARK = "fatal"
FATAL = Job(
    component(f"import time\nopen(os.environ['HOME'] + '/{FATAL_MARK}', 'w')\ntime.sleep(9)\nreturn Message(text='x')"),
    "Sample",
    {"text": "x"},
)


@asynccontextmanager
async def running(**how: object) -> AsyncIterator[Sandbox]:
    one = Sandbox(**how)  # type: ignore[arg-type]
    try:
        await one.start()
        await one.ready()
        yield one
    finally:
        await one.close()


@asynccontextmanager
async def killing(sandbox: Sandbox, when: Callable[[int], bool]) -> AsyncIterator[list[int]]:
    """Inside, every process of the sandbox for which `when` holds gets SIGKILL; their pids."""
    killed: list[int] = []

    async def kill() -> None:
        while True:
            await until(lambda: sandbox.pid not in {None, *killed} and when(sandbox.pid or 0), within=120)
            killed.append(sandbox.pid or 0)
            os.kill(killed[-1], signal.SIGKILL)

    task = asyncio.create_task(kill())
    try:
        yield killed
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def runs_fatal(pid: int) -> bool:
    return any(Path(psutil.Process(pid).cwd()).glob(f"*/{FATAL_MARK}"))


async def test_a_job_under_which_the_process_ends_each_time_harms_no_other() -> None:
    """Such as one that has the system run out of memory: here we end the process where that job runs."""
    async with running(children=3) as one:
        full = lambda pid: bool(killed) or len(jobs(pid)) == 3  # noqa: E731 - the others run beside it the first time
        async with killing(one, lambda pid: runs_fatal(pid) and full(pid)) as killed:
            fatal = asyncio.create_task(one.validate(FATAL, "a"))
            beside = [asyncio.create_task(one.validate(SLOW, owner)) for owner in "bc"]
            await until(lambda: bool(killed))
            behind = [asyncio.create_task(one.validate(GOOD, owner)) for owner in "abc"]
            with pytest.raises(SandboxUnavailable, match="ended each time it ran this code"):
                await fatal
            claims = await asyncio.gather(*beside, *behind)
        assert all(claim.stage is Stage.DONE for claim in claims)
        assert len(killed) == 2


async def test_two_such_jobs_at_once_harm_no_other_either() -> None:
    async with running(children=3) as one:
        full = lambda pid: bool(killed) or len(jobs(pid)) == 3  # noqa: E731
        async with killing(one, lambda pid: runs_fatal(pid) and full(pid)) as killed:
            fatal = [asyncio.create_task(one.validate(FATAL, "a")) for _ in range(2)]
            beside = asyncio.create_task(one.validate(SLOW, "b"))
            assert (await beside).stage is Stage.DONE
            ends = await asyncio.gather(*fatal, return_exceptions=True)
        assert all(isinstance(end, SandboxUnavailable) for end in ends)


async def test_who_cancels_while_its_process_is_lost_keeps_nobody_out() -> None:
    async with running(children=2) as one:
        waiting = [asyncio.create_task(one.validate(SLOW)) for _ in range(4)]
        await until(lambda: len(jobs(one.pid)) == 2)
        os.kill(one.pid or 0, signal.SIGKILL)
        await until(lambda: one.pid is None)
        for task in waiting[::2]:
            task.cancel()
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert [isinstance(end, asyncio.CancelledError) for end in ends] == [True, False] * 2
        assert all(end.stage is Stage.DONE for end in ends[1::2])
        claims = await asyncio.gather(*(one.validate(GOOD) for _ in range(4)))
        assert all(claim.stage is Stage.DONE for claim in claims)


async def test_the_forking_process_can_be_lost_as_well() -> None:
    async with running(children=2) as one:
        first = one.pid or 0
        task = asyncio.create_task(one.validate(SLOW))
        await until(lambda: len(jobs(first)) == 1)
        (forking,) = psutil.Process(first).children()
        (job,) = jobs(first)
        forking.kill()
        assert (await task).stage is Stage.DONE
        assert one.pid not in {None, first}
        assert not psutil.pid_exists(first)
        assert not job.is_running()


@pytest.mark.parametrize("steps", [0, 1, 3, 30])
async def test_nothing_is_left_of_a_process_that_is_lost_while_all_is_closed(steps: int) -> None:
    """Its child writes on until the system ends it."""
    async with running() as one:
        fill = "n = 0\nwhile True:\n    n += 1\n    open(f'{n}', 'w').close()\n    os.unlink(f'{n}')"
        task = asyncio.create_task(one.validate(Job(component(fill), "Sample", {"text": "x"})))
        await until(lambda: len(jobs(one.pid)) == 1)
        home = psutil.Process(one.pid).cwd()
        os.kill(one.pid or 0, signal.SIGKILL)
        await until(lambda: one.pid is None)
        for _ in range(steps):
            await asyncio.sleep(0)
    with pytest.raises(SandboxUnavailable):
        await task
    assert not Path(home).exists()  # noqa: ASYNC240


async def test_a_boundary_that_was_missing_for_a_moment_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flowassist.sandbox.supervisor._UNFIT_PAUSE", 0.1)
    switch = tmp_path / "fit"
    script = Path(__file__).with_name("unfit_until.py")
    one = Sandbox(command=(sys.executable, "-P", str(script), str(switch)))
    await one.start()
    try:
        with pytest.raises(SandboxUnavailable, match="this kernel has no Landlock"):
            await one.ready()
        switch.touch()
        await until(lambda: one.boundary is not None, within=60)
        assert (await one.validate(GOOD)).stage is Stage.DONE
    finally:
        await one.close()


async def test_a_stopped_forking_process_goes_with_its_parent() -> None:
    async with running() as one:
        (forking,) = psutil.Process(one.pid).children()
        forking.suspend()
        os.kill(one.pid or 0, signal.SIGKILL)
        await until(lambda: not forking.is_running() or forking.status() == psutil.STATUS_ZOMBIE)
        assert (await one.validate(GOOD)).stage is Stage.DONE
