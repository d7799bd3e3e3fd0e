"""The real process. What needs no answer uses a file that is no model; the rest the real weights, where they are."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from flowassist.models.embedded.process import EmbeddedModel
from flowassist.models.embedded.weights import Weights
from flowassist.models.model import Call, Finish, Message, ModelError, Schema, Strength, Trouble
from tests.models.embedded.conftest import CONTENT, needs_weights
from tests.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(240)]
MODULE = "flowassist.models.embedded.server"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def home() -> AsyncIterator[EmbeddedModel]:
    model = EmbeddedModel()
    yield model
    await model.aclose()


def asked(text: str, **more: object) -> Call:
    return Call("Be brief.", (Message("user", text),), **{"max_tokens": 16, "temperature": 0.0, **more})  # type: ignore[arg-type]


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if MODULE in child.cmdline()]


async def test_a_model_opens_without_starting_anything(tiny: Weights) -> None:
    model = EmbeddedModel(pinned=tiny).open("")
    assert (model.provider, model.name, model.strength) == ("embedded", "tiny", Strength.WEAK)
    assert children() == []


async def test_weights_that_are_gone_are_unreachable(tiny: Weights) -> None:
    with pytest.raises(ModelError, match="flowassist model fetch") as failed:
        await EmbeddedModel(pinned=tiny).open("").reply(asked("hi"))
    assert failed.value.trouble is Trouble.UNREACHABLE


async def test_weights_that_are_others_are_never_loaded(tiny: Weights) -> None:
    tiny.folder.mkdir()
    tiny.path.write_bytes(bytes(len(CONTENT)))
    with pytest.raises(ModelError, match="SHA-256 differs"):
        await EmbeddedModel(pinned=tiny).open("").reply(asked("hi"))


async def test_a_file_that_is_no_model_is_told_and_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "my.gguf").write_bytes(b"GGUF but not really")
    with pytest.raises(ModelError, match="the embedded model did not start") as failed:
        await EmbeddedModel(weights=tmp_path / "my.gguf").open("").reply(asked("hi"))
    assert failed.value.trouble is Trouble.UNREACHABLE
    assert children() == []


@needs_weights
async def test_an_answer_with_usage_in_pieces(home: EmbeddedModel) -> None:
    heard: list[str] = []
    reply = await home.open("").reply(asked("Say: one two three"), heard.append)
    assert reply.text == "".join(heard)
    assert len(heard) > 1
    assert reply.finish is Finish.STOP
    assert reply.usage.input
    assert reply.usage.total == reply.usage.input + (reply.usage.output or 0)


@needs_weights
async def test_a_schema_binds_the_answer(home: EmbeddedModel) -> None:
    shape = {
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": ["mauve", "teal"]}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    reply = await home.open("").reply(asked("Which colour is grass?", schema=Schema("colour", shape)))
    assert reply.text.replace(" ", "").replace("\n", "") in {'{"colour":"mauve"}', '{"colour":"teal"}'}


@needs_weights
async def test_a_cut_answer_and_a_prompt_that_is_too_long(home: EmbeddedModel) -> None:
    reply = await home.open("").reply(asked("Count to one hundred in words.", max_tokens=5))
    assert (reply.finish, reply.usage.output) == (Finish.LENGTH, 5)
    with pytest.raises(ModelError) as failed:
        await home.open("").reply(asked("word " * 6000))
    assert failed.value.trouble is Trouble.CONTEXT_TOO_LONG


@needs_weights
async def test_many_calls_in_a_row_share_no_connection(home: EmbeddedModel) -> None:
    for number in range(12):
        assert (await home.open("").reply(asked(f"Say {number}", max_tokens=1))).usage.output == 1


@needs_weights
async def test_nobody_else_is_answered(home: EmbeddedModel) -> None:
    place = await home.place()
    host, port = place.base_url.removeprefix("http://").removesuffix("/v1").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    body = b'{"messages": [{"role": "user", "content": "hi"}]}'
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    writer.write(head.encode() + b"Authorization: Bearer guess\r\n\r\n" + body)
    assert (await reader.readline()).split()[1] == b"401"
    writer.close()


@needs_weights
async def test_the_key_stands_in_no_command_line_and_no_environment(home: EmbeddedModel) -> None:
    os.environ["OPENAI_API_KEY_OF_A_TEST"] = "sk-planted"
    await home.aclose()
    key = (await home.place()).key.reveal()
    del os.environ["OPENAI_API_KEY_OF_A_TEST"]
    assert home.pid is not None
    seen = psutil.Process(home.pid)
    assert key not in " ".join(seen.cmdline())
    if os.geteuid() == 0:
        environment = seen.environ()
        assert "sk-planted" not in environment.values()
        assert key not in environment.values()


@needs_weights
async def test_cancel_while_it_reads_leaves_it_idle_within_two_seconds(home: EmbeddedModel) -> None:
    model = home.open("")
    await model.reply(asked("hi", max_tokens=1))
    assert home.pid is not None
    process = psutil.Process(home.pid)
    began = _spent(process)
    call = asyncio.ensure_future(model.reply(asked("word and " * 1500)))
    await until(lambda: _spent(process) - began > 1, within=60)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    used = _spent(process)
    reply = await model.reply(asked("hi", max_tokens=1))
    assert reply.usage.output == 1
    # two seconds of every core, and the small call itself
    assert _spent(process) - used < 2 * len(os.sched_getaffinity(0)) + 1


@needs_weights
async def test_a_crash_in_mid_answer_breaks_the_call_and_heals(home: EmbeddedModel) -> None:
    heard: list[str] = []
    call = asyncio.ensure_future(home.open("").reply(asked("Count to fifty in words.", max_tokens=300), heard.append))
    await until(lambda: len(heard) > 2, within=60)
    assert home.pid is not None
    died = home.pid
    os.kill(died, signal.SIGKILL)
    with pytest.raises(ModelError) as failed:
        await call
    assert failed.value.trouble in {Trouble.BROKEN_OFF, Trouble.UNREACHABLE}
    assert failed.value.heard
    assert home.pid is None
    assert (await home.open("").reply(asked("hi", max_tokens=1))).usage.output == 1
    assert home.pid != died


@needs_weights
async def test_a_caller_that_gives_up_leaves_the_start_to_the_others() -> None:
    model = EmbeddedModel()
    first, second = asyncio.ensure_future(model.place()), asyncio.ensure_future(model.place())
    await until(lambda: bool(children()), within=30)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert (await second).is_local
    await model.aclose()
    assert model.pid is None


@needs_weights
async def test_closing_in_the_middle_of_a_start_leaves_no_process() -> None:
    model = EmbeddedModel()
    before = len(children())
    waiting = asyncio.ensure_future(model.place())
    await until(lambda: len(children()) > before, within=30)
    await model.aclose()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(children()) == before


@needs_weights
async def test_it_dies_with_its_server() -> None:
    script = (
        "import asyncio, os\n"
        "from flowassist.models.embedded.process import EmbeddedModel\n"
        "async def main():\n"
        "    home = EmbeddedModel()\n"
        "    await home.place()\n"
        "    print(home.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    assert server.stdout
    pid = int(await server.stdout.readline())
    await server.wait()
    await until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def _spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
