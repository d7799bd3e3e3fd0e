"""`flowassist ask` against a real server."""

import asyncio
import json
import sys
from pathlib import Path

from flowassist.assistant.intended import Kind
from tests.app.conftest import serving
from tests.conversation.code import GOOD, answer
from tests.conversation.conftest import intent
from tests.vendors import openai
from tests.vendors.script import Fail, Say
from tests.waiting import until


async def flowassist(*arguments: str, **environment: str) -> tuple[int | None, str, str]:
    command = (sys.executable, "-m", "flowassist", *arguments)
    run = await asyncio.create_subprocess_exec(*command, env={"COLUMNS": "120", **environment}, stdout=-1, stderr=-1)
    out, err = await run.communicate()
    return run.returncode, out.decode(), err.decode()


def asks(url: str) -> dict[str, str]:
    return {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": url}


async def test_a_component_is_shown_with_its_proof(tmp_path: Path) -> None:
    answers = (intent(Kind.GENERATE_COMPONENT), Say(answer(GOOD)))
    async with openai.scripted(*answers) as vendor, serving(tmp_path, **asks(vendor.url)) as served:
        await until(lambda: b"sandbox.ready" in served.log.read_bytes(), within=30)
        code, out, _ = await flowassist("ask", "Create a component", "--address", served.address)
    assert code == 0
    for shown in ("generating_component", "validated", "class TextUppercase(Component):", "run:uppercase", "landlock"):
        assert shown in out


async def test_json_is_one_event_a_line(tmp_path: Path) -> None:
    answers = (intent(Kind.QUESTION), Say("An edge joins two ports."))
    async with openai.scripted(*answers) as vendor, serving(tmp_path, **asks(vendor.url)) as served:
        code, out, _ = await flowassist("ask", "What is an edge?", "--json", "--address", served.address)
    events = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [int(event["sequence"]) for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["complete"]["result"] == "An edge joins two ports."


async def test_the_exit_code_tells_failures_and_refusals_apart(tmp_path: Path) -> None:
    answers = (intent(Kind.QUESTION), Fail(401))
    async with openai.scripted(*answers) as vendor, serving(tmp_path, **asks(vendor.url)) as served:
        failed = await flowassist("ask", "What?", "--address", served.address)
        refused = await flowassist("ask", "What?", "--provider", "nobody", "--address", served.address)
    assert failed[0] == 1
    assert "MODEL_AUTHENTICATION" in failed[1]
    assert refused[0] == 2
    assert "INVALID_ARGUMENT (UNKNOWN_PROVIDER): Unknown provider: nobody" in refused[2]


async def test_a_server_that_is_not_there_is_said_plainly() -> None:
    code, _, err = await flowassist("ask", "What?", "--address", "127.0.0.1:1", "--timeout", "5")
    assert code == 2
    assert "UNAVAILABLE" in err
    assert "Traceback" not in err


async def test_a_token_is_sent(tmp_path: Path) -> None:
    answers = (intent(Kind.QUESTION), Say("Yes."))
    guarded = {"FLOWASSIST_TOKENS": "ann=s3cret"}
    async with openai.scripted(*answers) as vendor, serving(tmp_path, **asks(vendor.url), **guarded) as served:
        code, _, err = await flowassist("ask", "What?", "--address", served.address)
        assert (code, "TOKEN_INVALID" in err) == (2, True)
        code, out, _ = await flowassist("ask", "What?", "--address", served.address, FLOWASSIST_TOKEN="s3cret")
        assert code == 0
        assert "Yes." in out
