"""Turns whose sandbox is killed under them, through the server."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from flowassist.v1 import errors_pb2
from flowassist.v1 import events_pb2 as pb
from tests.conversation.code import GOOD, LOOPING, answer
from tests.conversation.conftest import House, another, kinds
from tests.conversation.scenarios import QUESTION, SURE
from tests.jobs import jobs
from tests.vendors.script import Say
from tests.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]
SLOW = "import time\n" + GOOD.replace("        return", "        time.sleep(0.3)\n        return")


@asynccontextmanager
async def sandboxed(house: House, folder: Path, **settings: int) -> AsyncIterator[House]:
    """A server of its own, whose sandbox is ready."""
    async with another(house, folder, **settings) as own:
        await own.app.sandbox.ready()
        yield own


def components(house: House, count: int) -> list[asyncio.Task[list[pb.AssistEvent]]]:
    """So many turns at once."""
    ask = {"input_value": SURE.text, "provider": "openai"}
    return [asyncio.create_task(house.assist(**ask)) for _ in range(count)]


async def test_turns_whose_sandbox_is_killed_do_not_notice(house: House, tmp_path: Path) -> None:
    """Three run, two wait; a question is answered meanwhile, and whoever comes later is served by the next process."""
    async with sandboxed(house, tmp_path, sandbox_children=3) as own:
        with own.scripted("openai", *[Say(answer(SLOW))] * 5):
            turns = components(own, 5)
            await until(lambda: len(jobs(own.app.sandbox.pid)) == 3)
            killed = own.app.sandbox.pid or 0
            os.kill(killed, signal.SIGKILL)
            await until(lambda: own.app.sandbox.pid is None)
            with own.scripted("anthropic", *QUESTION.answers, intents=QUESTION.intents):
                question = await own.assist(input_value=QUESTION.text, provider="anthropic")
            ends = await asyncio.gather(*turns)
        assert kinds(question) == QUESTION.events
        for events in ends:
            assert kinds(events) == SURE.events
            assert events[-1].complete.validated
            assert events[-1].complete.validation_attempts == 1
        assert own.app.sandbox.pid not in {None, killed}


async def test_a_sandbox_that_is_killed_again_and_again_is_told_and_heals(house: House, tmp_path: Path) -> None:
    async with sandboxed(house, tmp_path) as own:
        killed: list[int] = []
        with own.scripted("openai", Say(answer(SLOW))):
            (turn,) = components(own, 1)
            while not turn.done():
                pid = own.app.sandbox.pid
                if pid and pid not in killed and jobs(pid):
                    killed.append(pid)
                    os.kill(pid, signal.SIGKILL)
                await asyncio.wait([turn], timeout=0.005)
        error = (await turn)[-1].error
        assert errors_pb2.ErrorReason.Name(error.reason) == "ERROR_REASON_SANDBOX_UNAVAILABLE"
        assert error.detail.step == pb.STEP_VALIDATING
        assert len(killed) == 2
        with own.scripted("openai", Say(answer(GOOD))):
            (turn,) = components(own, 1)
            assert (await turn)[-1].complete.validated


async def test_where_too_many_wait_a_turn_is_told_so(house: House, tmp_path: Path) -> None:
    async with sandboxed(house, tmp_path, sandbox_children=1, sandbox_queue=1) as own:
        with own.scripted("openai", *[Say(answer(code)) for code in (LOOPING, GOOD, GOOD)]):
            (endless,) = components(own, 1)
            await until(lambda: len(jobs(own.app.sandbox.pid)) == 1)
            (waiting,) = components(own, 1)
            await until(lambda: own.app.sandbox.waiting == 1)
            (refused,) = components(own, 1)
            error = (await refused)[-1].error
            endless.cancel()
            assert (await waiting)[-1].complete.validated
        assert errors_pb2.ErrorReason.Name(error.reason) == "ERROR_REASON_SANDBOX_BUSY"
        assert error.retryable
        assert "1 validations wait" in error.message
        await asyncio.gather(endless, return_exceptions=True)
