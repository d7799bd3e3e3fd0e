"""What the process is started with, on the loop that the server uses."""

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
