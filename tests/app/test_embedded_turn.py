"""Whole turns with the embedded model itself, from the cache."""

import asyncio
from pathlib import Path

import psutil
import pytest

from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1 import events_pb2
from tests.app.conftest import Served, serving
from tests.conversation.conftest import kinds
from tests.conversation.scenarios import ATTEMPT

pytestmark = pytest.mark.timeout(300)
IDLE_WITHIN, LOOK = 2.0, 0.25


def model_process(served: Served) -> psutil.Process:
    ours = psutil.Process(served.process.pid).children(recursive=True)
    return next(process for process in ours if "flowassist.models.embedded.server" in process.cmdline())


def spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def seconds_until_idle(process: psutil.Process) -> float:
    """Until it uses less than a tenth of one core."""
    began = asyncio.get_running_loop().time()
    while True:
        before = spent(process)
        await asyncio.sleep(LOOK)
        if spent(process) - before < LOOK / 10:
            return asyncio.get_running_loop().time() - began - LOOK


async def test_a_component_and_a_change_of_it(tmp_path: Path) -> None:
    async with serving(tmp_path, FLOWASSIST_EMBEDDED_ENABLED="yes") as served:
        config = await served.stub.CheckConfig(pb.CheckConfigRequest())
        assert list(config.configured_providers) == ["embedded"]
        assert (config.default_provider, config.default_model) == ("embedded", "qwen2.5-coder-1.5b")
        request = pb.AssistRequest(input_value="Create a component that converts text to uppercase", session_id="small")
        events = [event async for event in served.stub.Assist(request)]
        assert kinds(events) == [*ATTEMPT, "validated", "complete"]
        end = events[-1].complete
        assert end.validated
        assert "Message" in end.component_code
        assert (end.provider, end.usage.total_tokens > 0) == ("embedded", True)
        assert [notice.kind for notice in end.notices] == [events_pb2.NOTICE_KIND_SMALL_MODEL]
        request.input_value = "can you use dataframe output instead?"
        changed = [event async for event in served.stub.Assist(request)][-1].complete
        assert changed.validated
        assert "-> DataFrame" in changed.component_code


async def test_a_cancelled_answer_leaves_the_model_idle(tmp_path: Path) -> None:
    async with serving(tmp_path, FLOWASSIST_EMBEDDED_ENABLED="yes") as served:
        call = served.stub.Assist(
            pb.AssistRequest(input_value="Explain at length how to connect components in Langflow", provider="embedded")
        )
        async for event in call:
            if event.HasField("token"):
                break
        call.cancel()
        assert await seconds_until_idle(model_process(served)) < IDLE_WITHIN
