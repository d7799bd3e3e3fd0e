import asyncio

import pytest

from flowassist.models.providers.connections.steady import Steady

Log = list[str]


async def gives_back(log: Log) -> str:
    """What httpcore does at the end of a response, and no shield holds."""
    await asyncio.sleep(0)
    log.append("given back")
    return "done"


async def waits(log: Log, event: asyncio.Event) -> str:
    await asyncio.sleep(0)
    log.append("waiting")
    try:
        await event.wait()
    finally:
        log.append("left")
    return "done"


async def test_the_result_is_the_works() -> None:
    assert await Steady(gives_back([])) == "done"


async def test_what_the_work_raises_is_raised() -> None:
    async def fails() -> None:
        await asyncio.sleep(0)
        raise LookupError

    with pytest.raises(LookupError):
        await Steady(fails())


async def test_what_it_waits_for_fails_inside_of_the_work() -> None:
    """The event loop throws it into whoever waits."""
    seen: list[str] = []

    async def looks_up() -> str:
        try:
            await asyncio.get_running_loop().run_in_executor(None, int, "no number")
        except ValueError as error:
            seen.append(str(error))
        return "went on"

    assert await Steady(looks_up()) == "went on"
    assert seen == ["invalid literal for int() with base 10: 'no number'"]


async def steadily(work: "asyncio.Future[str] | Steady[str]") -> str:
    return await work


async def cancelled_at_its_checkpoint(task: "asyncio.Task[str]") -> None:
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_checkpoint_is_passed_before_the_cancel_is_raised() -> None:
    log: Log = []
    await cancelled_at_its_checkpoint(asyncio.create_task(steadily(Steady(gives_back(log)))))
    assert log == ["given back"]


async def test_without_it_the_work_is_torn() -> None:
    log: Log = []
    await cancelled_at_its_checkpoint(asyncio.create_task(gives_back(log)))
    assert log == []


async def test_what_waits_after_the_checkpoint_is_cancelled() -> None:
    log: Log = []
    task = asyncio.create_task(steadily(Steady(waits(log, asyncio.Event()))))
    async with asyncio.timeout(5):
        await cancelled_at_its_checkpoint(task)
    assert log == ["waiting", "left"]


async def test_what_waits_is_cancelled_at_once() -> None:
    log: Log = []
    task = asyncio.create_task(steadily(Steady(waits(log, asyncio.Event()))))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert log == ["waiting"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["waiting", "left"]


async def test_a_time_limit_holds() -> None:
    log: Log = []
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await Steady(waits(log, asyncio.Event()))
    assert log == ["waiting", "left"]


async def test_work_that_is_dropped_is_closed() -> None:
    log: Log = []
    steps = Steady(waits(log, asyncio.Event())).__await__()
    next(steps)
    next(steps)
    steps.close()
    assert log == ["waiting", "left"]
