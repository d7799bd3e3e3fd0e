"""The server process: what it loads, how it drains, and the tools that operators bring."""

import asyncio
import json
import sys
from pathlib import Path

import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from flowassist.assistant.intended import Kind
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1 import events_pb2
from tests.app.conftest import serving
from tests.conversation.conftest import intent
from tests.vendors import openai
from tests.vendors.script import Hang, Say
from tests.waiting import until

GRPCURL = str(Path(sys.executable).parent / "grpcurl")
SERVICE = "flowassist.v1.AssistantService"


def asks(url: str) -> dict[str, str]:
    return {"OPENAI_API_KEY": "sk-planted-in-the-environment", "OPENAI_BASE_URL": url}


async def grpcurl(*arguments: str) -> str:
    run = await asyncio.create_subprocess_exec(GRPCURL, "-plaintext", *arguments, stdout=-1, stderr=-1)
    out, err = await run.communicate()
    assert run.returncode == 0, err.decode()
    return out.decode()


async def test_operators_tools_work_through_reflection(tmp_path: Path) -> None:
    answers = (intent(Kind.QUESTION), Say("Use an edge."))
    async with openai.scripted(*answers) as vendor, serving(tmp_path, **asks(vendor.url)) as served:
        listed = await grpcurl(served.address, "list")
        assert {SERVICE, "grpc.health.v1.Health"} <= set(listed.split())
        assert "rpc Assist" in await grpcurl(served.address, "describe", SERVICE)
        assert "SERVING" in await grpcurl(served.address, "grpc.health.v1.Health/Check")
        named = ("-d", json.dumps({"service": SERVICE}), served.address, "grpc.health.v1.Health/Check")
        assert "SERVING" in await grpcurl(*named)
        assert json.loads(await grpcurl(served.address, f"{SERVICE}/CheckConfig"))["configuredProviders"] == ["openai"]
        streamed = await grpcurl("-d", '{"inputValue": "How?"}', served.address, f"{SERVICE}/Assist")
        assert '"Use an edge."' in streamed
        assert '"sequence": "1"' in streamed


async def test_the_server_loads_neither_lfx_nor_a_vendors_sdk_to_serve() -> None:
    probe = (
        "import sys, flowassist.app, flowassist.settings as s, os\n"
        "import asyncio\n"
        "async def main():\n"
        "    app = flowassist.app.App(s.read({'FLOWASSIST_PORT': '0'}), {'OPENAI_API_KEY': 'k'})\n"
        "asyncio.run(main())\n"
        "heavy = {'lfx', 'openai', 'anthropic', 'pandas', 'numpy', 'langchain_core', 'xllamacpp', 'httpx'}\n"
        "print(sorted(heavy & set(sys.modules)), len(sys.modules))\n"
    )
    run = await asyncio.create_subprocess_exec(sys.executable, "-c", probe, stdout=-1)
    out, _ = await run.communicate()
    heavy, count = out.decode().rsplit(maxsplit=1)
    assert heavy == "[]"
    assert int(count) < 1200


async def test_a_second_server_cannot_take_the_port(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        port = served.address.rsplit(":", 1)[1]
        (tmp_path / "second").mkdir()
        async with serving(tmp_path / "second", FLOWASSIST_PORT=port) as second:
            assert second.address == ""
            assert await second.process.wait() != 0


async def test_sigterm_lets_an_open_turn_finish(tmp_path: Path) -> None:
    held = Say("one two", chunks=2, hold=asyncio.Event())
    async with openai.scripted(intent(Kind.QUESTION), held) as vendor, serving(tmp_path, **asks(vendor.url)) as served:
        events = aiter(served.stub.Assist(pb.AssistRequest(input_value="How?")))
        async for event in events:
            if event.HasField("token"):
                break
        served.process.terminate()
        health = health_pb2_grpc.HealthStub(served.channel)
        while (await health.Check(health_pb2.HealthCheckRequest())).status == health_pb2.HealthCheckResponse.SERVING:
            pass
        assert held.hold
        held.hold.set()
        assert [event async for event in events][-1].complete.result == "one two"
        assert await served.process.wait() == 0


async def test_sigterm_cancels_what_does_not_finish_and_leaves_no_process(tmp_path: Path) -> None:
    quick = {"FLOWASSIST_DRAIN_SECONDS": "0.2"}
    async with openai.scripted(Hang()) as vendor, serving(tmp_path, **asks(vendor.url), **quick) as served:
        await until(lambda: b"sandbox.ready" in served.log.read_bytes(), within=30)
        call = served.stub.Assist(pb.AssistRequest(input_value="How?"))
        reading = asyncio.ensure_future(anext(aiter(call)))
        await until(lambda: bool(vendor.requests))
        ours = psutil.Process(served.process.pid).children(recursive=True)
        assert ours
        served.process.terminate()
        end = await reading
        assert end.cancelled.reason == events_pb2.CANCEL_REASON_SHUTDOWN
        assert end.cancelled.message
        assert await served.process.wait() == 0
        assert not [process for process in ours if process.is_running()]
        assert b"sk-planted" not in served.log.read_bytes()


async def test_when_the_server_is_killed_its_processes_die_with_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        await until(lambda: b"sandbox.ready" in served.log.read_bytes(), within=30)
        ours = psutil.Process(served.process.pid).children(recursive=True)
        served.process.kill()
        await served.process.wait()
        await until(lambda: not any(process.is_running() for process in ours))


@pytest.mark.parametrize(("name", "value"), [("FLOWASSIST_PORT", "x"), ("FLOWASSIST_HOST", "0.0.0.0")])
async def test_a_bad_setting_is_named_and_nothing_starts(tmp_path: Path, name: str, value: str) -> None:
    async with serving(tmp_path, **{name: value}) as served:
        assert await served.process.wait() == 2
        assert name in served.log.read_text()
