"""A client that goes away: the model's socket closes and the sandboxed child dies within 100 ms."""

import asyncio

import psutil
import pytest

from flowassist.assistant.intended import Kind
from flowassist.v1 import events_pb2 as pb
from flowassist.v1.assistant_pb2 import AssistRequest
from tests.conversation.code import LOOPING, answer
from tests.conversation.conftest import House, intent
from tests.conversation.scenarios import QUESTION
from tests.jobs import jobs
from tests.vendors.script import Hang, Say
from tests.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="session")
both = pytest.mark.parametrize("wire", ["openai", "anthropic"])
LIMIT = 0.1


@both
async def test_while_the_model_streams(house: House, wire: str) -> None:
    held = Say("one two three four", chunks=4, hold=asyncio.Event())
    with house.scripted(wire, held, intents=QUESTION.intents) as vendor:
        call = house.stub.Assist(AssistRequest(input_value="tell me about flows", provider=wire))
        async for event in call:
            if event.HasField("token"):
                break
        left = asyncio.get_running_loop().time()
        call.cancel()
        async with asyncio.timeout(5):
            await vendor.requests[-1].closed.wait()
        assert (vendor.requests[-1].closed_at or 0) - left < LIMIT
        assert not vendor.requests[0].closed.is_set()
        await until(lambda: not house.app.turns.running)


@both
async def test_before_the_first_token(house: House, wire: str) -> None:
    with house.scripted(wire, intents=(Hang(),)) as vendor:
        call = house.stub.Assist(AssistRequest(input_value="tell me about flows", provider=wire))
        reading = asyncio.ensure_future(call.read())
        await until(lambda: len(vendor.requests) == 1)
        left = asyncio.get_running_loop().time()
        call.cancel()
        async with asyncio.timeout(5):
            await vendor.requests[0].closed.wait()
        assert (vendor.requests[0].closed_at or 0) - left < LIMIT
        with pytest.raises(asyncio.CancelledError):
            await reading
        await until(lambda: not house.app.turns.running)


async def test_while_a_child_loops_for_ever(house: House) -> None:
    def children() -> list[psutil.Process]:
        return [job for process in psutil.Process().children() for job in jobs(process.pid)]

    with house.scripted("openai", Say(answer(LOOPING)), intents=(intent(Kind.GENERATE_COMPONENT),)):
        call = house.stub.Assist(AssistRequest(input_value="Create a component", provider="openai"))
        async for event in call:
            if event.progress.step == pb.STEP_VALIDATING:
                break
        await until(lambda: any(child.cpu_times().user > 0.01 for child in children() if child.is_running()))
        running = children()
        call.cancel()
        gone = await until(lambda: not any(child.is_running() for child in running))
        assert gone < LIMIT
        await until(lambda: not house.app.turns.running)


async def test_a_deadline_ends_the_turn_before_the_call(house: House) -> None:
    with house.scripted("openai", intents=(Hang(),)) as vendor:
        request = AssistRequest(input_value="tell me about flows", provider="openai")
        events = [event async for event in house.stub.Assist(request, timeout=0.5)]
    assert events[-1].cancelled.reason == pb.CANCEL_REASON_DEADLINE
    assert not events[-1].cancelled.usage.HasField("total_tokens")
    assert events[-1].cancelled.left_undone == "understanding the request"
    assert vendor.requests[0].closed.is_set()


async def test_two_turns_of_a_session_do_not_interleave(house: House) -> None:
    held = Say("first answer", chunks=2, hold=asyncio.Event())
    answers = (held, Say("second answer"))
    with house.scripted("openai", *answers, intents=QUESTION.intents * 2) as vendor:
        request = AssistRequest(input_value="tell me", provider="openai", session_id="in-line")
        started = aiter(house.stub.Assist(request))
        async for event in started:
            if event.HasField("token"):
                break
        second = house.stub.Assist(request)
        waiting = aiter(second)
        queued = await anext(waiting)
        assert (queued.progress.step, queued.progress.queue_position) == (pb.STEP_QUEUED, 1)
        assert held.hold
        held.hold.set()
        assert [event async for event in started][-1].complete.result == "first answer"
        assert [event async for event in waiting][-1].complete.result == "second answer"
    assert "first answer" in str(vendor.requests[-1].body)


async def test_who_waits_in_line_can_leave(house: House) -> None:
    held = Say("first answer", chunks=2, hold=asyncio.Event())
    with house.scripted("openai", held, intents=QUESTION.intents):
        request = AssistRequest(input_value="tell me", provider="openai", session_id="leaving")
        started = aiter(house.stub.Assist(request))
        async for event in started:
            if event.HasField("token"):
                break
        second = house.stub.Assist(request)
        await anext(aiter(second))
        second.cancel()
        await until(lambda: len(house.app.turns.running) == 1)
        assert held.hold
        held.hold.set()
        assert [event async for event in started][-1].complete.result == "first answer"
