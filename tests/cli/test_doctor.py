"""`flowassist doctor` as its own process: where everything was found, and no value."""

import asyncio
import re
import sys
from pathlib import Path

from flowassist.secret import Secret
from flowassist.store.keys import KeyFile
from flowassist.store.store import Store
from flowassist.store.vault import Vault
from tests.vendors import compatible

KEY, SECOND, THIRD = "sk-planted-in-the-environment", "sk-planted-by-another-name", "sk-planted-by-the-owner"


async def doctor(folder: Path, **environment: str) -> list[list[str]]:
    """The cells of every line."""
    settings = {
        "FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/store.db",
        "FLOWASSIST_ENCRYPTION_KEY_FILE": f"{folder}/keys",
        "FLOWASSIST_EMBEDDED_ENABLED": "no",
        "COLUMNS": "200",
    }
    command = (sys.executable, "-m", "flowassist", "doctor")
    run = await asyncio.create_subprocess_exec(*command, env={**settings, **environment}, stdout=-1, stderr=-1)
    out, err = await run.communicate()
    for value in (KEY, SECOND, THIRD):
        assert value not in out.decode() + err.decode()
    return [[cell.strip() for cell in re.split("[│┃]", line.strip("│┃"))] for line in out.decode().splitlines()]


async def test_everything_that_was_found_is_told_without_values(tmp_path: Path) -> None:
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/store.db", Vault(KeyFile(tmp_path / "keys")))
    await store.open()
    await store.of("local").set_variable("GROQ_API_KEY", Secret(THIRD))
    await store.close()
    async with compatible.scripted() as vendor:
        where = {"OPENAI_COMPATIBLE_BASE_URL": vendor.url}
        lines = await doctor(tmp_path, **where, OPENAI_API_KEY=KEY, LANGFLOW_GEMINI_API_KEY=SECOND)
    for line in (
        ["provider openai", "yes", "default gpt-5.4"],
        ["provider groq", "yes", "default openai/gpt-oss-120b"],
        ["provider openai_compatible", "yes", "default qwen3-32b; its own list tells 2 models"],
        ["provider ollama", "no", "OLLAMA_BASE_URL is not set"],
        ["a model", "yes", "openai gpt-5.4"],
        ["component types", "yes", "130 of lfx 1.13.0"],
        ["openai", "OPENAI_API_KEY", "environment OPENAI_API_KEY"],
        ["google", "GOOGLE_API_KEY", "environment LANGFLOW_GEMINI_API_KEY"],
        ["groq", "GROQ_API_KEY", "own GROQ_API_KEY"],
        ["anthropic", "ANTHROPIC_API_KEY", "unset, and needed"],
        ["anthropic", "ANTHROPIC_BASE_URL", "unset"],
    ):
        assert line in lines
    ((_, works, found),) = (line for line in lines if line[0] == "sandbox")
    assert works == "yes"
    assert re.fullmatch(r"landlock \d+, seccomp, .*; 4 at once, 256 may wait", found)


async def test_a_client_that_cannot_be_built_shows_no_key(tmp_path: Path) -> None:
    """A key stands in the frames of what failed; neither the report nor a traceback tells it."""
    proxy = {"ALL_PROXY": "socks5://127.0.0.1:1", "OLLAMA_BASE_URL": "http://127.0.0.1:9", "OLLAMA_API_KEY": KEY}
    lines = await doctor(tmp_path, **proxy, ANTHROPIC_API_KEY=SECOND)
    (found,) = (line[2] for line in lines if line[0] == "provider anthropic")
    assert found.startswith("no client could be built (look at ALL_PROXY, HTTPS_PROXY and SSL_CERT_FILE): ")
    assert ["a model", "no"] in [line[:2] for line in lines]
