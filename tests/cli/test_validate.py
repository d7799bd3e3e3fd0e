"""`flowassist validate` as its own process, with a sandbox of its own and no server."""

import asyncio
import json
import os
import pty
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.conversation.code import BAD, GOOD

COMMAND = (sys.executable, "-m", "flowassist", "validate")


async def validate(*arguments: str | Path, text: bytes = b"", **environment: str) -> tuple[int | None, str, str]:
    command = (*COMMAND, *map(str, arguments))
    settings = {"COLUMNS": "200", **environment}
    run = await asyncio.create_subprocess_exec(*command, env=settings, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    out, err = await run.communicate(text)
    return run.returncode, out.decode(), err.decode()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return written(tmp_path / "good.py", GOOD)


def written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


async def test_a_file_that_is_valid(good: Path) -> None:
    code, out, err = await validate(good)
    assert (code, err) == (0, "")
    assert f"{good}: TextUppercase" in out
    for shown in ("run:uppercase", "passed", "validated in ", "boundary: landlock"):
        assert shown in out
    assert "\x1b" not in out


async def test_what_is_wrong_with_its_line_and_remedy(tmp_path: Path, good: Path) -> None:
    code, out, err = await validate(good, written(tmp_path / "bad.py", BAD))
    assert (code, err) == (1, "")
    assert out.index("good.py") < out.index("bad.py")
    assert "unknown-attribute line 16: AttributeError: Attribute txt_typo not found in TextUppercase\n" in out
    assert "    Declare an input 'txt_typo', or set self.txt_typo before.\n" in out
    assert "not valid in " in out


async def test_json_is_one_object_a_file(tmp_path: Path, good: Path) -> None:
    bad = written(tmp_path / "bad.py", "import os\n")
    code, out, err = await validate("--json", good, bad, tmp_path / "none.py")
    assert (code, err) == (2, "")
    first, second, third = map(json.loads, out.splitlines())
    assert (first["file"], first["validated"], first["className"]) == (str(good), True, "TextUppercase")
    assert first["report"]["checks"][0] == {"name": "extract", "outcome": "CHECK_OUTCOME_PASSED", "detail": ""}
    assert first["description"]["node"]["template"]["code"]["value"] == GOOD
    assert (second["file"], second["validated"], "description" in second) == (str(bad), False, False)
    assert second["report"]["findings"][0]["remedy"]
    assert third == {"file": str(tmp_path / "none.py"), "problem": "It cannot be read: No such file or directory."}


async def test_standard_input(good: Path) -> None:
    code, out, _ = await validate("-", text=b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert code == 0
    assert "-: TextUppercase" in out


async def test_what_cannot_be_checked(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("# ä".encode("latin-1"))
    written(tmp_path / "empty", " \n")
    written(tmp_path / "large", "#" * 200_001)
    for name, problem in (
        (".", "It cannot be read: Is a directory."),
        ("none.py", "It cannot be read: No such file or directory."),
        ("latin", "It is no text in UTF-8: save it as such."),
        ("empty", "It is empty: give the Python source of a component."),
        ("large", "It has more than 200000 bytes: write a smaller component; data belongs into an input."),
    ):
        code, out, err = await validate(tmp_path / name)
        assert (code, out, err) == (2, "", f"flowassist: {tmp_path / name}: {problem}\n")


async def test_without_a_sandbox_it_says_what_to_do(good: Path, tmp_path: Path) -> None:
    away = written(tmp_path / "sitecustomize.py", "import sys\nsys.modules['lfx'] = None\n").parent
    code, out, err = await validate(good, PYTHONPATH=str(away))
    assert (code, out) == (2, "")
    assert err.startswith(f"flowassist: {good}: It cannot be run: ")
    assert err.endswith("`flowassist doctor` tells what is missing.\n")


async def test_more_files_than_places(tmp_path: Path) -> None:
    files = [
        written(tmp_path / f"{number}.py", GOOD.replace("TextUppercase", f"Upper{number}")) for number in range(12)
    ]
    code, out, _ = await validate("--json", *files, FLOWASSIST_SANDBOX_CHILDREN="2", FLOWASSIST_SANDBOX_QUEUE="0")
    assert code == 0
    assert [json.loads(line)["className"] for line in out.splitlines()] == [f"Upper{number}" for number in range(12)]


async def test_colour_on_a_terminal(good: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {"TERM": "xterm-256color", "COLUMNS": "200"}
    run = await asyncio.create_subprocess_exec(*COMMAND, str(good), env=environment, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = await asyncio.to_thread(_all_of, ours)
    assert await run.wait() == 0
    assert b"\x1b[" in shown
    assert b"TextUppercase" in shown


def _all_of(terminal: int) -> bytes:
    shown = b""
    try:
        while chunk := os.read(terminal, 4096):
            shown += chunk
    except OSError:  # its other end is closed
        pass
    os.close(terminal)
    return shown


async def test_without_a_file() -> None:
    code, _, err = await validate()
    assert code == 2
    assert "FILE" in err
