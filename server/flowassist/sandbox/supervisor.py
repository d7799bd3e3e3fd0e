"""The sandbox as the rest of the server knows it: ask it to validate code, and it answers with a claim."""

import asyncio
import itertools
from contextlib import suppress
from dataclasses import replace

from flowassist.sandbox.boundary import Boundary, SandboxUnavailable
from flowassist.sandbox.claims import Claim, Job
from flowassist.sandbox.launch import COMMAND
from flowassist.sandbox.link import Link, LinkLost

__all__ = ["Boundary", "Sandbox", "SandboxUnavailable"]

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 30.0  # seconds between starts that fail
_STARTS_BEFORE_GIVING_WORD = 3
_TRIES_PER_JOB = 2


class Sandbox:
    """Keeps one process that holds lfx, and at most `children` jobs running in it; others wait in their order.

    `allow_unconfined` is the operator's word to run code even where the kernel cannot confine it.
    """

    def __init__(
        self, *, children: int = 4, allow_unconfined: bool = False, command: tuple[str, ...] = COMMAND
    ) -> None:
        self._places = asyncio.Semaphore(children)
        self._unconfined, self._command = allow_unconfined, command
        self._link: Link | None = None
        self._reason = "the sandbox is closed"
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

    async def start(self) -> None:
        """Returns at once; the process needs some seconds until it is ready."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep())

    async def ready(self) -> Boundary:
        """Wait until code can be run. Raises SandboxUnavailable."""
        return (await self._usable()).boundary

    async def validate(self, job: Job) -> Claim:
        """Run the job in a child of its own. Raises SandboxUnavailable.

        Waits for readiness and for a place. Cancelling kills the child and frees its place. A job whose process
        crashed under it is run once more in the next one.
        """
        async with self._places:
            for _ in range(_TRIES_PER_JOB):
                with suppress(LinkLost):
                    claim = await (await self._usable()).run(job)
                    return replace(claim, class_name=claim.class_name or job.class_name)
        raise SandboxUnavailable("the sandbox process ended each time it ran this code")

    async def close(self) -> None:
        """Ends the process and everything in it; jobs that still run get SandboxUnavailable."""
        if self._keeping is None:
            self._settled.set()
            return
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)

    async def _usable(self) -> Link:
        await self._settled.wait()
        if self._link is None:
            raise SandboxUnavailable(self._reason)
        return self._link

    async def _keep(self) -> None:
        """Always have a process; replace it when it is lost or worn."""
        retiring: set[asyncio.Task[None]] = set()
        try:
            while link := await self._next():
                if self._link:
                    retiring.add(asyncio.create_task(self._link.retire()))
                self._link = link
                self._settled.set()
                await link.turned()
                if link.lost:
                    await _closed(link)
        finally:
            last, self._link = self._link, None
            self._settled.set()
            for task in retiring:
                task.cancel()
            await asyncio.gather(*retiring, *([last.close()] if last else []), return_exceptions=True)

    async def _next(self) -> Link | None:
        """The next process that is ready; None where none will ever be."""
        for start in itertools.count(1):
            try:
                return await Link.opened(self._command, self._lost, unconfined=self._unconfined)
            except SandboxUnavailable as unfit:
                self._reason = str(unfit)
                return None
            except (LinkLost, OSError) as failure:
                self._reason = f"the sandbox process does not start: {failure}"
            if start >= _STARTS_BEFORE_GIVING_WORD:
                self._settled.set()
            await asyncio.sleep(min(_FIRST_PAUSE * 2**start, _LONGEST_PAUSE))
        return None

    def _lost(self, link: Link) -> None:
        """Validations wait for the next one."""
        if link is self._link:
            self._link = None
            self._settled.clear()


async def _closed(link: Link) -> None:
    """Whatever goes wrong with a process that is gone, the next one must start."""
    with suppress(Exception):
        await link.close()
