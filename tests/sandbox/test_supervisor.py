"""The life of the sandbox process: queue, cancel, crash, refusal."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from blockbuster import blockbuster_ctx

from flowassist.sandbox.claims import Blame, Job, Stage
from flowassist.sandbox.supervisor import Sandbox, SandboxBusy, SandboxUnavailable
from tests.jobs import jobs
from tests.sandbox.code import component

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]

GOOD = Job(component(), "Sample")
LARGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage").exists() and os.uname().release.split(".") >= ["6", "1"]
ENDLESS = Job(component(inside="while True:\n    pass"), "Sample", wall_seconds=20.0)


@asynccontextmanager
async def running(**how: object) -> AsyncIterator[Sandbox]:
    one = Sandbox(**how)  # type: ignore[arg-type]
    try:
        await one.start()
        yield one
    finally:
        await one.close()


async def until_children(sandbox: Sandbox, count: int, seconds: float = 5.0) -> float:
    """Seconds until the process has so many children."""
    began = time.monotonic()
    while len(jobs(sandbox.pid)) != count:
        assert time.monotonic() - began < seconds
        await asyncio.sleep(0.002)
    return time.monotonic() - began


async def test_the_boundary_is_named(sandbox: Sandbox) -> None:
    boundary = await sandbox.ready()
    assert sandbox.boundary == boundary
    assert boundary.confined
    assert boundary.describe() == (f"landlock {boundary.landlock}, seccomp, rlimits, no_new_privs, uid {boundary.uid}")
    assert boundary.landlock >= 1


async def test_a_cancel_kills_the_child_and_frees_its_place(sandbox: Sandbox) -> None:
    tasks = [asyncio.create_task(sandbox.validate(ENDLESS)) for _ in range(3)]
    await until_children(sandbox, 3)
    pids = [child.pid for child in jobs(sandbox.pid)]
    for task in tasks:
        task.cancel()
    assert all(isinstance(r, asyncio.CancelledError) for r in await asyncio.gather(*tasks, return_exceptions=True))
    assert await until_children(sandbox, 0) < 0.1
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert (await sandbox.validate(GOOD)).stage is Stage.DONE


async def test_a_cancel_while_waiting_for_a_place_leaves_the_queue(sandbox: Sandbox) -> None:
    holders = [asyncio.create_task(sandbox.validate(ENDLESS)) for _ in range(3)]
    await until_children(sandbox, 3)
    waiting = asyncio.create_task(sandbox.validate(GOOD))
    next_one = asyncio.create_task(sandbox.validate(GOOD))
    await asyncio.sleep(0)
    waiting.cancel()
    for holder in holders:
        holder.cancel()
    assert (await next_one).stage is Stage.DONE
    assert waiting.cancelled()
    await asyncio.gather(*holders, return_exceptions=True)


async def test_a_cancel_at_any_moment_leaves_nothing(sandbox: Sandbox) -> None:
    for moment in range(12):
        task = asyncio.create_task(sandbox.validate(ENDLESS))
        for _ in range(moment):
            await asyncio.sleep(0.003)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await until_children(sandbox, 0)
    claims = await asyncio.gather(*(sandbox.validate(GOOD) for _ in range(6)))
    assert all(claim.stage is Stage.DONE for claim in claims)


async def test_jobs_run_side_by_side_up_to_the_number_of_places(sandbox: Sandbox) -> None:
    nap = Job(component("import time\ntime.sleep(0.3)\nreturn Message(text='x')"), "Sample", {"text": "x"})
    most = 0
    tasks = [asyncio.create_task(sandbox.validate(nap)) for _ in range(6)]
    while not all(task.done() for task in tasks):
        most = max(most, len(jobs(sandbox.pid)))
        await asyncio.sleep(0.01)
    assert most == 3
    assert all(task.result().fault is None for task in tasks)


async def test_owners_get_the_places_in_turn(sandbox: Sandbox) -> None:
    holders = [asyncio.create_task(sandbox.validate(ENDLESS, "holder")) for _ in range(3)]
    await until_children(sandbox, 3)
    ended: list[str] = []

    async def validate(owner: str) -> None:
        await sandbox.validate(GOOD, owner)
        ended.append(owner)

    waiting = [asyncio.create_task(validate(owner)) for owner in ("a", "a", "a", "b")]
    await asyncio.sleep(0)
    holders[0].cancel()
    await asyncio.gather(*waiting)
    for holder in holders:
        holder.cancel()
    await asyncio.gather(*holders, return_exceptions=True)
    assert ended == ["a", "b", "a", "a"]


async def test_where_too_many_wait_a_job_is_refused_at_once() -> None:
    async with running(children=1, waiting=1) as one:
        tasks = [asyncio.create_task(one.validate(GOOD)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(SandboxBusy, match="1 jobs wait"):
            await one.validate(GOOD)
        assert all(claim.stage is Stage.DONE for claim in await asyncio.gather(*tasks))


async def test_a_crash_and_a_silence_heal_and_the_job_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowassist.sandbox.link._GRACE_SECONDS", 1.0)
    async with running() as one:
        await one.ready()
        first = one.pid
        assert first
        slow = Job(component("import time\ntime.sleep(0.5)\nreturn Message(text='x')"), "Sample", {"text": "x"}, 1.5)
        task = asyncio.create_task(one.validate(slow))
        await until_children(one, 1)
        (child,) = jobs(one.pid)
        os.kill(first, signal.SIGKILL)
        assert (await task).stage is Stage.DONE
        second = one.pid
        assert second not in (None, first)
        assert not child.is_running()
        os.kill(second, signal.SIGSTOP)
        assert (await one.validate(slow)).stage is Stage.DONE
        assert one.pid not in (None, second)


async def test_a_worn_process_is_replaced_while_jobs_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowassist.sandbox.link._WORN_AFTER_JOBS", 3)
    async with running() as one:
        await one.ready()
        first = one.pid
        for _ in range(3):
            await one.validate(GOOD)
        async with asyncio.timeout(120):
            while one.pid == first:
                assert (await one.validate(GOOD)).stage is Stage.DONE
        assert first
        assert await asyncio.to_thread(gone, first)


def gone(pid: int, seconds: float = 5.0) -> bool:
    """Whether the process ends within that time."""
    until = time.monotonic() + seconds
    while psutil.pid_exists(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not psutil.pid_exists(pid)


async def test_start_and_close_block_nobody_and_leave_nothing() -> None:
    with blockbuster_ctx():
        began = time.monotonic()
        one = Sandbox()
        await one.start()
        assert time.monotonic() - began < 0.05
        assert one.boundary is None
        assert (await one.validate(GOOD)).stage is Stage.DONE
        endless = asyncio.create_task(one.validate(ENDLESS))
        process, home = await asyncio.to_thread(lambda: (psutil.Process(one.pid), psutil.Process(one.pid).cwd()))
        await one.close()
        with pytest.raises(SandboxUnavailable, match="the sandbox is closed"):
            await endless
        with pytest.raises(SandboxUnavailable, match="the sandbox is closed"):
            await one.validate(GOOD)
    assert not process.is_running()
    assert not exists(home)


def exists(path: str) -> bool:
    return Path(path).exists()


async def test_close_before_start_and_during_start_is_fine() -> None:
    await Sandbox().close()
    one = Sandbox()
    await one.start()
    waiting = asyncio.create_task(one.ready())
    await asyncio.sleep(0.05)
    await one.close()
    with pytest.raises(SandboxUnavailable):
        await waiting


async def test_a_process_that_ends_at_once_is_told() -> None:
    async with running(command=(sys.executable, "-c", "raise SystemExit(3)")) as one:
        with pytest.raises(SandboxUnavailable, match=r"does not start: it ended during its start \(status 3\)"):
            await one.ready()


async def test_a_command_that_does_not_exist_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("flowassist.sandbox.launch._IN_MEMORY", tmp_path)
    async with running(command=("/nowhere/python",)) as one:
        with pytest.raises(SandboxUnavailable, match="No such file"):
            await one.validate(GOOD)
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240


async def test_a_process_without_lfx_says_so() -> None:
    run = "runpy.run_module('flowassist.zygote', run_name='__main__', alter_sys=True)"
    block = f"import sys, runpy; sys.modules['lfx'] = None; {run}"
    async with running(command=(sys.executable, "-P", "-c", block)) as one:
        with pytest.raises(SandboxUnavailable, match="lfx cannot be imported"):
            await one.ready()


WITHOUT_LANDLOCK = (sys.executable, "-P", str(Path(__file__).with_name("old_kernel.py")))


async def test_a_kernel_that_cannot_confine_runs_nothing() -> None:
    async with running(command=WITHOUT_LANDLOCK) as one:
        with pytest.raises(SandboxUnavailable, match="this kernel has no Landlock"):
            await one.validate(GOOD)
        assert one.boundary is None


async def test_the_operators_word_runs_code_without_a_boundary() -> None:
    async with running(command=WITHOUT_LANDLOCK, allow_unconfined=True) as one:
        assert (await one.ready()).describe() == "none (allowed by the operator)"
        assert (await one.validate(GOOD)).stage is Stage.DONE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
async def test_a_plain_user_is_confined_as_well() -> None:
    plain = (sys.executable, "-P", str(Path(__file__).with_name("plain_user.py")))
    async with running(command=plain) as one:
        assert (await one.ready()).uid == 65534
        assert (await one.validate(GOOD)).stage is Stage.DONE
        stolen = component("return Message(text=open('/etc/hostname').read())")
        claim = await one.validate(Job(stolen, "Sample", {"text": "x"}))
        assert claim.runs[0].fault
        assert claim.runs[0].fault.blame is Blame.BOUNDARY
        endless = await one.validate(Job(component("while True:\n    pass"), "Sample", wall_seconds=1.0))
        assert endless.fault
        assert endless.fault.blame is Blame.LIMITS


@pytest.mark.skipif(os.geteuid() != 0 or not LARGE_PAGES, reason="root sees it, where the kernel can")
async def test_what_children_share_lies_in_large_pages(sandbox: Sandbox) -> None:
    """Forking costs by the page; writing beside a child makes them small again, some at a time."""
    told = await asyncio.to_thread(Path(f"/proc/{sandbox.pid}/smaps_rollup").read_text)
    assert int(told.split("AnonHugePages:")[1].split()[0]) > 8 << 10


async def test_neither_grpc_nor_other_rooms_are_in_the_process(sandbox: Sandbox) -> None:
    body = (
        "import sys\nreturn Data(data={'m': sorted(m for m in sys.modules if m.startswith(('grpc', 'flowassist.')))})"
    )
    claim = await sandbox.validate(Job(component(body, returns=" -> Data"), "Sample", {"text": "x"}))
    assert "grpc" not in claim.runs[0].result
    assert "flowassist.zygote.job" in claim.runs[0].result
    assert "flowassist.sandbox" not in claim.runs[0].result


async def test_idle_memory_stays_small(sandbox: Sandbox) -> None:
    assert psutil.Process(sandbox.pid).memory_info().rss < 220 << 20
