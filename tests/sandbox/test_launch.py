"""What the process is started with, on the loop that the server uses."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import uvloop

from flowassist.sandbox.claims import Job
from flowassist.sandbox.supervisor import Sandbox
from tests.sandbox.code import component


def test_the_environment_holds_nothing_of_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_API_KEY", "sk-planted")
    code = component("import os\nreturn Data(data={'e': sorted(os.environ)})", returns=" -> Data")

    async def seen() -> tuple[str, dict[str, str]]:
        one = Sandbox()
        try:
            await one.start()
            claim = await one.validate(Job(code, "Sample", {"text": "x"}))
            return claim.runs[0].result, psutil.Process(one.pid).environ()
        finally:
            await one.close()

    of_child, of_process = uvloop.run(seen())
    assert of_child == '{"e": ["HOME", "LANG", "PATH", "TMPDIR"]}'
    assert "PLANTED_API_KEY" not in of_process
    assert "sk-planted" not in of_process.values()


SERVER = """
import asyncio
from flowassist.sandbox.supervisor import Sandbox

async def main():
    one = Sandbox()
    await one.start()
    await one.ready()
    print(one.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_the_process_dies_with_its_server_and_leaves_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        process = psutil.Process(int(server.stdout.readline()))
        home = Path(process.cwd())
        assert home.is_dir()
        server.kill()
    until = time.monotonic() + 5
    while process.is_running() and time.monotonic() < until:
        time.sleep(0.01)
    assert not process.is_running()
    assert not home.exists()
