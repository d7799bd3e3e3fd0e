"""The sandbox as the rest of the server knows it: ask it to validate code, and it answers with a claim."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from flowassist.sandbox.boundary import Boundary, SandboxBusy, SandboxUnavailable
from flowassist.sandbox.claims import Claim, Job
from flowassist.sandbox.launch import COMMAND
from flowassist.sandbox.link import Link, LinkLost
from flowassist.sandbox.queue import Queue, Room

__all__ = ["Boundary", "Sandbox", "SandboxBusy", "SandboxUnavailable"]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 30.0  # seconds between starts that fail
_UNFIT_PAUSE = 300.0  # what was missing may be there again: memory, for one; a kernel is seldom changed
_STARTS_BEFORE_GIVING_WORD = 3


class Sandbox:
    """Keeps one process that holds lfx, and at most `children` jobs running in it; at most `waiting` wait, and their
    owners are served in turn.

    `allow_unconfined` is the operator's word to run code even where the kernel cannot confine it.
    """

    def __init__(
        self,
        *,
        children: int = 4,
        waiting: int = 256,
        allow_unconfined: bool = False,
        command: tuple[str, ...] = COMMAND,
    ) -> None:
        self._queue, self._room = Queue(children, waiting), Room()
        self._unconfined, self._command = allow_unconfined, command
        self._link: Link | None = None
        self._reason, self._was_ready = "the sandbox is closed", False
        self._settled = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    @property
    def boundary(self) -> Boundary | None:
        """None until ready."""
        return self._link.boundary if self._link else None

    @property
    def pid(self) -> int | None:
        """Of the process that holds lfx, while there is one."""
        return self._link.pid if self._link else None

    @property
    def waiting(self) -> int:
        """Jobs that wait for a place."""
        return self._queue.waiting

    async def start(self) -> None:
        """Returns at once; the process needs some seconds until it is ready."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep())

    async def ready(self) -> Boundary:
        """Wait until code can be run. Raises SandboxUnavailable."""
        return (await self._usable()).boundary

    async def validate(self, job: Job, owner: str = "") -> Claim:
        """Run the job in a child of its own. Raises SandboxUnavailable and SandboxBusy.

        Waits for readiness and for a place. Cancelling kills the child and frees its place. A job whose process is
        lost under it is run once more, alone, so that none fails because of what another one does to the process.
        """
        async with self._queue.place(owner):
            with suppress(LinkLost):
                async with self._room.shared():
                    return await self._run(job)
            with suppress(LinkLost):
                async with self._room.alone():
                    return await self._run(job)
        raise SandboxUnavailable("the sandbox process ended each time it ran this code")

    async def close(self) -> None:
        """Ends the process and everything in it; jobs that still run get SandboxUnavailable."""
        if self._keeping is None:
            self._settled.set()
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)

    async def _run(self, job: Job) -> Claim:
        claim = await (await self._usable()).run(job)
        return replace(claim, class_name=claim.class_name or job.class_name)

    async def _usable(self) -> Link:
        await self._settled.wait()
        if self._link is None:
            raise SandboxUnavailable(self._reason)
        return self._link

    async def _keep(self) -> None:
        """Always have a process; replace it when it is lost or worn."""
        retiring: set[asyncio.Task[None]] = set()
        link: Link | None = None
        try:
            while True:
                link = await self._next()
                if self._link:
                    retiring.add(task := asyncio.create_task(_retired(self._link)))
                    task.add_done_callback(retiring.discard)
                self._link, self._was_ready = link, True
                self._settled.set()
                await link.turned()
                if link.lost:
                    await _closed(link)
        finally:
            self._link = None
            self._give_word("the sandbox is closed")
            for task in retiring:
                task.cancel()
            last = [link.close()] if link else []  # also one that was lost just now: closing it twice does no harm
            await asyncio.gather(*retiring, *last, return_exceptions=True)

    async def _next(self) -> Link:
        """The next process that is ready, however long that takes; after some failures those who wait get word."""
        pause, failures = _FIRST_PAUSE, 0
        while True:
            try:
                return await Link.opened(self._command, self._lost, unconfined=self._unconfined)
            except SandboxUnavailable as unfit:
                self._give_word(str(unfit))
                pause = _LONGEST_PAUSE if self._was_ready else _UNFIT_PAUSE
            except (LinkLost, OSError) as failure:
                pause, failures = min(2 * pause, _LONGEST_PAUSE), failures + 1
                if failures >= _STARTS_BEFORE_GIVING_WORD:
                    self._give_word(f"the sandbox process does not start: {failure}")
            await asyncio.sleep(pause)

    def _give_word(self, reason: str) -> None:
        self._reason = reason
        self._settled.set()

    def _lost(self, link: Link) -> None:
        """Validations wait for the next one."""
        if link is self._link:
            self._link = None
            self._settled.clear()


async def _retired(link: Link) -> None:
    with suppress(Exception):
        await link.retire()


async def _closed(link: Link) -> None:
    """Whatever goes wrong with a process that is gone, the next one must start."""
    with suppress(Exception):
        await link.close()
