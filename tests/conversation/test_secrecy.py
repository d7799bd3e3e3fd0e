"""Keys are planted where owners and operators put them, used, and looked for in everything that leaves the server."""

import asyncio
import base64
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest

from flowassist.assistant.intended import Kind
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.variables_pb2 import ListVariablesRequest, SetVariableRequest
from flowassist.v1.variables_pb2_grpc import VariableServiceStub
from tests.app.conftest import Served, serving
from tests.conversation.code import GOOD, answer
from tests.conversation.conftest import intent
from tests.vendors.script import Answer, Fail, FailInStream, Raw, Request, Say
from tests.vendors.server import KEY, Vendor
from tests.vendors.wires import WIRES
from tests.waiting import until

pytestmark = pytest.mark.timeout(180)
OF_THE_OWNER = {"google", "ollama", "openai", "watsonx"}
TOLD = "Incorrect API key provided"
ODD = "sk-planted-with-a-ключ"
LONG = "sk-planted-and-too-long-" + "x" * 8192


SENT_IN = ("authorization", "api-key", "x-api-key")


def sent_in(request: Request) -> list[str]:
    """The keys and tokens of a request to a vendor."""
    sent = [*(request.headers.get(name, "") for name in SENT_IN), str(request.body.get("apikey", ""))]
    return [text.removeprefix("Bearer ") for text in sent if text]


Way = Callable[[str], Answer]


class Endless:
    """Answers every request alike, so that no count of repeats matters here; `way` is told what it was sent."""

    def __init__(self, wire: str) -> None:
        self._key = planted(wire)
        self.kind, self.way = Kind.QUESTION, well

    def choose(self, request: Request) -> Answer:
        if request.schema == "intent":
            return intent(self.kind)
        return self.way(" ".join({self._key, *sent_in(request)}))

    def check(self) -> None:
        """Nothing is scripted in order."""


def well(_sent: str) -> Answer:
    return Say("An edge joins two ports.")


def component(_sent: str) -> Answer:
    return Say(answer(GOOD))


@dataclass
class Left:
    """What left the server, by where it was seen."""

    seen: dict[str, bytes] = field(default_factory=dict)

    def add(self, place: str, what: object) -> None:
        raw = what if isinstance(what, bytes) else str(what).encode()
        self.seen[place] = self.seen.get(place, b"") + raw

    def places_of(self, key: str) -> list[str]:
        """Where it is, or the beginning of it: it may have been cut."""
        cut = key.encode()[:16]
        shapes = (cut, base64.b64encode(cut[:15]), cut.hex().encode())
        return [place for place, raw in self.seen.items() if any(shape in raw for shape in shapes)]


@dataclass
class Scene:
    """A server as an operator starts it, its vendors, and the keys that it was given."""

    served: Served
    vendors: dict[str, Vendor]
    keys: dict[str, str]
    environment: dict[str, str]
    left: Left = field(default_factory=Left)

    @property
    def variables(self) -> VariableServiceStub:
        return VariableServiceStub(self.served.channel)

    async def ask(self, place: str, wire: str, text: str = "tell me about flows") -> None:
        request = pb.AssistRequest(input_value=text, provider=wire)
        try:
            self.left.add(place, [event async for event in self.served.stub.Assist(request)])
            self.left.add(place, await self.served.stub.AssistOnce(request))
        except grpc.aio.AioRpcError as error:
            self.refused(place, error)

    async def put(self, name: str, value: str) -> None:
        try:
            self.left.add("variables", await self.variables.SetVariable(SetVariableRequest(name=name, value=value)))
        except grpc.aio.AioRpcError as error:
            self.refused("variables", error)

    def refused(self, place: str, error: grpc.aio.AioRpcError) -> None:
        self.left.add(place, f"{error!r} {error.details()} {error.initial_metadata()} {error.trailing_metadata()}")


def planted(wire: str) -> str:
    """WatsonX's scripted token service knows only the usual key."""
    return KEY if wire == "watsonx" else f"sk-planted-for-{wire}-{os.getpid()}"


WAYS_TO_FAIL: dict[str, Way] = {
    "a refused key that is echoed": lambda sent: Fail(401, message=f"{TOLD}: {sent}"),
    "a bad request that echoes it": lambda sent: Fail(400, message=f"{TOLD}: {sent}"),
    "an error inside the stream": lambda sent: FailInStream("server_error", message=f"{TOLD}: {sent}"),
    "a body that is no JSON": lambda sent: Raw(
        (f"<html>{TOLD}: {sent}</html>".encode(),), status=500, content_type="text/html"
    ),
    "a stream that cannot be parsed": lambda sent: Raw((f"data: {{{TOLD}: {sent}\n\nevent: {sent}\n\n".encode(),)),
    "lines that cannot be parsed": lambda sent: Raw((f"{TOLD}: {sent}\n".encode(),), content_type="text/plain"),
    "a redirect with it": lambda sent: Fail(307, message=TOLD, headers={"location": f"http://127.0.0.1:1/?key={sent}"}),
}


@asynccontextmanager
async def staged(folder: Path, **changes: str) -> AsyncIterator[Scene]:
    async with AsyncExitStack() as stack:
        vendors = {
            name: await stack.enter_async_context(Vendor(wire(), Endless(name))) for name, wire in sorted(WIRES.items())
        }
        environment = settings_in(folder) | changes
        own: dict[str, str] = {}
        for wire, vendor in vendors.items():
            for name, value in vendor.environment.items():
                if value == KEY and wire in OF_THE_OWNER:
                    own[name] = planted(wire)
                else:
                    environment[name] = planted(wire) if value == KEY else value
        served = await stack.enter_async_context(serving(folder, **environment))
        scene = Scene(served, vendors, {wire: planted(wire) for wire in WIRES}, environment)
        for name, key in own.items():
            await scene.put(name, key)
        yield scene


def settings_in(folder: Path) -> dict[str, str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        metrics = str(probe.getsockname()[1])
    return {
        "FLOWASSIST_ENCRYPTION_KEY_FILE": f"{folder}/keys",
        "FLOWASSIST_LOG_LEVEL": "debug",
        "FLOWASSIST_METRICS_PORT": metrics,
        "FLOWASSIST_MODEL_REPEATS": "0",
        "OPENAI_LOG": "debug",
        "ANTHROPIC_LOG": "debug",
    }


async def program(*arguments: str, **environment: str) -> bytes:
    """All that a command prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FLOWASSIST_", "OPENAI_"))}
    command = (sys.executable, "-m", "flowassist", *arguments)
    run = await asyncio.create_subprocess_exec(*command, env=kept | environment, stdout=-1, stderr=-1)
    return b"".join(await run.communicate())


async def metrics(port: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(port))
    writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
    text = await reader.read()
    writer.close()
    return text


def memory_of(process: int) -> Iterator[bytes]:
    """What this process can write to, a mapping at a time; nothing where the kernel keeps others out."""
    found = re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw", readable(f"/proc/{process}/maps").decode(), re.MULTILINE)
    if not found or not os.access(f"/proc/{process}/mem", os.R_OK):
        return
    with Path(f"/proc/{process}/mem").open("rb") as memory:
        for start, end in found:
            memory.seek(int(start, 16))
            with suppress(OSError):
                yield memory.read(int(end, 16) - int(start, 16))


def readable(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (PermissionError, FileNotFoundError):
        return b""


def look_at(left: Left, process: psutil.Process) -> None:
    """A process that the server started."""
    for file in ("environ", "cmdline"):
        left.add(f"{file} of a process", readable(f"/proc/{process.pid}/{file}"))


async def test_no_key_is_in_anything_that_leaves(tmp_path: Path) -> None:
    async with staged(tmp_path) as scene:
        await until(lambda: b"sandbox.ready" in scene.served.log.read_bytes(), within=30)
        for wire, vendor in scene.vendors.items():
            endless: Any = vendor.chooser
            await scene.ask("a turn that succeeds", wire)
            assert b"An edge joins" in scene.left.seen["a turn that succeeds"]
            for place, endless.way in WAYS_TO_FAIL.items():
                await scene.ask(place, wire)
        await components(scene)
        await everything_else(scene, tmp_path)
        tokens = used(scene)
    assert all(key in tokens[wire] for wire, key in scene.keys.items()), "a vendor was asked with another key"
    scene.left.add("the log", scene.served.log.read_bytes())
    assert b"assistant.flow.error" in scene.left.seen["the log"]
    assert TOLD.encode() in scene.left.seen["the log"]
    for secrets in ({*scene.keys.values(), ODD, LONG}, set().union(*tokens.values())):
        assert {secret: places for secret in sorted(secrets) if (places := scene.left.places_of(secret))} == {}
    assert scene.left.places_of("OPENAI_API_KEY"), "nothing was looked at"


def used(scene: Scene) -> dict[str, set[str]]:
    """What vendors were sent as a key or token, by wire."""
    return {
        wire: {text for request in (*vendor.requests, *vendor.asides) for text in sent_in(request)}
        for wire, vendor in scene.vendors.items()
    }


async def components(scene: Scene) -> None:
    """One that is written, run in the sandbox and shown, and what can be seen of the sandbox."""
    endless: Any = scene.vendors["openai"].chooser
    endless.kind, endless.way = Kind.GENERATE_COMPONENT, component
    await scene.ask("a component", "openai", "Create a component that converts text to uppercase")
    assert b"validated: true" in scene.left.seen["a component"]
    keys = [key.encode() for key in scene.keys.values()]
    server = psutil.Process(scene.served.process.pid)
    assert await asyncio.to_thread(_mentions, server.pid, keys) or os.geteuid(), "no memory could be looked at"
    assert server.children(recursive=True)
    for child in server.children(recursive=True):
        look_at(scene.left, child)
        found = await asyncio.to_thread(_mentions, child.pid, keys)
        assert not found, f"{found} in the memory of {child.cmdline()}"


def _mentions(process: int, keys: list[bytes]) -> list[bytes]:
    return [key for memory in memory_of(process) for key in keys if key in memory]


async def everything_else(scene: Scene, folder: Path) -> None:
    """Configuration, refusals, files, metrics, and what the command line prints."""
    left, address = scene.left, scene.served.address
    for value in (ODD, LONG, f"{ODD}\n{ODD}"):
        await scene.put("GROQ_API_KEY", value)
        await scene.ask("a key that cannot be one", "groq")
    await scene.put(ODD, "v")
    left.add("CheckConfig", await scene.served.stub.CheckConfig(pb.CheckConfigRequest()))
    left.add("ListVariables", await scene.variables.ListVariables(ListVariablesRequest()))
    left.add("metrics", await metrics(scene.environment["FLOWASSIST_METRICS_PORT"]))
    left.add("doctor", await program("doctor", **scene.environment, **database(folder)))
    left.add("variables list", await program("variables", "list", "--address", address))
    for file in ("store.db", "store.db-wal", "store.db-shm"):
        left.add(f"file {file}", readable(f"{folder}/{file}"))
    left.add("command line", readable(f"/proc/{scene.served.process.pid}/cmdline"))
    assert b"variables" in left.seen["file store.db"] + left.seen["file store.db-wal"]
    assert b"assistant_requests_total" in left.seen["metrics"]
    assert b"flowassist doctor" in left.seen["doctor"]


def database(folder: Path) -> dict[str, str]:
    return {"FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/store.db", "FLOWASSIST_EMBEDDED_ENABLED": "no"}


async def test_the_embedded_model_s_process_has_no_key(tmp_path: Path) -> None:
    async with staged(tmp_path, FLOWASSIST_EMBEDDED_ENABLED="yes") as scene:
        server = psutil.Process(scene.served.process.pid)

        def models() -> list[psutil.Process]:
            ours = server.children(recursive=True)
            return [child for child in ours if "flowassist.models.embedded" in str(child.cmdline())]

        call = scene.served.stub.Assist(pb.AssistRequest(input_value="tell me about flows", provider="embedded"))
        await until(lambda: bool(models()), within=60)
        look_at(scene.left, models()[0])
        call.cancel()
    assert b"flowassist.models.embedded" in scene.left.seen["cmdline of a process"]
    for key in scene.keys.values():
        assert not scene.left.places_of(key)


SLEEPS = "import time; print('on', flush=True); time.sleep(60)"
UNLIMITED = ("sh", "-c", 'ulimit -c unlimited && exec "$0" "$@"')


def dumped(folder: Path, *arguments: str, once_it_prints: bytes) -> bool:
    """Whether a Python process that is aborted, with no limit on its core file, leaves one."""
    folder.mkdir()
    environment = {"FLOWASSIST_PORT": "0"} | database(folder)
    command = (*UNLIMITED, sys.executable, *arguments)
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout
        while once_it_prints not in (line := process.stdout.readline()):
            assert line
        process.send_signal(signal.SIGABRT)
        _, status = os.waitpid(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == -signal.SIGABRT
    return os.WCOREDUMP(status)


def test_a_crash_leaves_no_core_file(tmp_path: Path) -> None:
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
        pytest.skip("core files are off for every process here")
    if not dumped(tmp_path / "control", "-c", SLEEPS, once_it_prints=b"on"):
        pytest.skip("this kernel writes no core files")
    assert not dumped(tmp_path / "server", "-m", "flowassist", "serve", once_it_prints=b"flowassist serves on")
    assert not list((tmp_path / "server").glob("core*"))
