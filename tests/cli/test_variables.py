"""`flowassist variables` as its own process: against a server, and the rotation on files alone."""

import asyncio
import os
import pty
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from flowassist.secret import Secret
from flowassist.store.keys import KeyFile, Keys
from flowassist.store.store import Store
from flowassist.store.vault import Vault
from tests.app.conftest import Served, serving

VALUE = "sk-planted-on-standard-input"
COMMAND = (sys.executable, "-m", "flowassist", "variables")


def settings_in(folder: Path) -> dict[str, str]:
    return {
        "FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/store.db",
        "FLOWASSIST_ENCRYPTION_KEY_FILE": f"{folder}/keys",
    }


async def variables(*arguments: str, text: str = "", **environment: str) -> tuple[int | None, str, str]:
    command = (*COMMAND, *arguments)
    run = await asyncio.create_subprocess_exec(*command, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    out, err = await run.communicate(text.encode())
    return run.returncode, out.decode(), err.decode()


@asynccontextmanager
async def served_in(folder: Path, **changes: str) -> AsyncIterator[Served]:
    async with serving(folder, **settings_in(folder), **changes) as served:
        yield served


@asynccontextmanager
async def store_in(folder: Path, keys: Keys | None = None) -> AsyncIterator[Store]:
    url = settings_in(folder)["FLOWASSIST_DATABASE_URL"]
    store = Store(url, Vault(keys or KeyFile(folder / "keys")))
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def test_set_list_and_delete(tmp_path: Path) -> None:
    async with served_in(tmp_path, FLOWASSIST_TOKENS="ann=s3cret") as served:
        here = {"FLOWASSIST_ADDRESS": served.address, "FLOWASSIST_TOKEN": "s3cret"}
        code, out, err = await variables("set", "OPENAI_API_KEY", text=f"{VALUE}\n", **here)
        assert (code, err) == (0, "")
        assert re.fullmatch(r"OPENAI_API_KEY  set \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC  read by openai\n", out)
        code, listed, _ = await variables("list", "--address", served.address, FLOWASSIST_TOKEN="s3cret")
        assert (code, listed) == (0, out)
        async with store_in(tmp_path) as store:
            assert await store.of("ann").variables() == {"OPENAI_API_KEY": Secret(VALUE)}
        assert (await variables("delete", "OPENAI_API_KEY", **here))[:2] == (0, "OPENAI_API_KEY is deleted.\n")
        assert (await variables("list", **here))[:2] == (0, "")
        code, _, err = await variables("delete", "OPENAI_API_KEY", **here)
        assert (code, err) == (2, "flowassist: NOT_FOUND (VARIABLE_NOT_FOUND): There is no variable OPENAI_API_KEY.\n")
        code, _, err = await variables("list", FLOWASSIST_ADDRESS=served.address)
        assert (code, "TOKEN_INVALID" in err) == (2, True)
        assert VALUE.encode() not in served.log.read_bytes()


async def test_a_value_is_no_argument() -> None:
    code, _, err = await variables("set", "KEY", VALUE)
    assert code == 2
    assert "unrecognized arguments" in err


async def test_on_a_terminal_it_is_asked_for_and_not_shown(tmp_path: Path) -> None:
    async with served_in(tmp_path) as served:
        ours, theirs = pty.openpty()
        command = (*COMMAND, "set", "KEY", "--address", served.address)
        run = await asyncio.create_subprocess_exec(
            *command, env={}, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        shown = await asyncio.to_thread(_answered, ours, f"{VALUE}\n".encode())
        assert await run.wait() == 0
        assert b"KEY: " in shown
        assert b"KEY  set " in shown
        assert VALUE.encode() not in shown
        async with store_in(tmp_path) as store:
            assert await store.of("local").variables() == {"KEY": Secret(VALUE)}


def _answered(terminal: int, answer: bytes) -> bytes:
    """All that a terminal shows, with this typed at its first question."""
    shown, answered = b"", False
    with os.fdopen(terminal, "r+b", buffering=0) as screen:
        while chunk := _read(screen.fileno()):
            shown += chunk
            if b": " in shown and not answered:
                answered = screen.write(answer) > 0
    return shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # its other end is closed
        return b""


async def test_a_server_does_not_start_on_keys_that_others_may_read(tmp_path: Path) -> None:
    await asyncio.to_thread(KeyFile(tmp_path / "keys").current)
    (tmp_path / "keys").chmod(0o644)
    async with served_in(tmp_path) as served:
        assert await served.process.wait() == 2
        assert "may be read by others" in served.log.read_text()
