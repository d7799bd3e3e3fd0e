"""What is told of settings that name no place to keep things in."""

from pathlib import Path

import pytest

from flowassist.settings import SettingError
from flowassist.store.keys import KeyFile
from flowassist.store.store import Store
from flowassist.store.vault import Vault

KINDS = "let it read sqlite+aiosqlite:////folder/name.db, or postgresql+asyncpg://user:password@host/name."
INSTALL = "run pip install asyncmy, or set FLOWASSIST_DATABASE_URL to another database."
PASSWORD = "planted-pass"


async def refusal(url: str, keys: Path) -> str:
    with pytest.raises(SettingError) as refused:
        await Store(url, Vault(KeyFile(keys))).open()
    assert PASSWORD not in str(refused.value)
    assert refused.value.__cause__ is None
    return str(refused.value)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("rubbish", f"FLOWASSIST_DATABASE_URL is no URL of a database: {KINDS}"),
        (f"postgresql+asyncpg://u:{PASSWORD}@h:port/x", f"FLOWASSIST_DATABASE_URL is no URL of a database: {KINDS}"),
        ("sqlite:////tmp/x.db", f"FLOWASSIST_DATABASE_URL asks for sqlite, which is not async: {KINDS}"),
        (f"postgresql://u:{PASSWORD}@h/x", f"FLOWASSIST_DATABASE_URL asks for postgresql, which is not async: {KINDS}"),
        (
            f"mysql+nosuch://u:{PASSWORD}@h/x",
            f"FLOWASSIST_DATABASE_URL asks for mysql+nosuch, which is no driver here: {KINDS}",
        ),
        (
            f"mysql+asyncmy://u:{PASSWORD}@h/x",
            f"FLOWASSIST_DATABASE_URL asks for mysql+asyncmy, which is not installed: {INSTALL}",
        ),
    ],
)
async def test_a_url_that_cannot_be_used(tmp_path: Path, url: str, told: str) -> None:
    assert await refusal(url, tmp_path / "keys") == told


async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    url = f"sqlite+aiosqlite:///{tmp_path}/file/store.db"
    why = f"FileExistsError: [Errno 17] File exists: '{tmp_path}/file'"
    told = f"{url} cannot be opened ({why}): correct FLOWASSIST_DATABASE_URL."
    assert await refusal(url, tmp_path / "keys") == told


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_text("no database" * 100)
    url = f"sqlite+aiosqlite:///{tmp_path}/store.db?password={PASSWORD}"
    told = f"sqlite+aiosqlite:///{tmp_path}/store.db cannot be opened (DatabaseError: file is not a database): "
    assert await refusal(url, tmp_path / "keys") == f"{told}correct FLOWASSIST_DATABASE_URL."


@pytest.mark.parametrize(
    ("keys", "why"), [("/tmp", "/tmp cannot be read: Is a directory."), ("/dev/null", "/dev/null is no file.")]
)
async def test_a_key_file_that_cannot_be_used(tmp_path: Path, keys: str, why: str) -> None:
    advice = "Let it name a file of keys that only the server may read, or one that is not there yet."
    told = await refusal(f"sqlite+aiosqlite:///{tmp_path}/store.db", Path(keys))
    assert told == f"FLOWASSIST_ENCRYPTION_KEY_FILE: {why} {advice}"
    assert not (tmp_path / "store.db").exists()


async def test_a_key_file_that_holds_no_keys(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("planted-pass")
    (tmp_path / "keys").chmod(0o600)
    told = await refusal(f"sqlite+aiosqlite:///{tmp_path}/store.db", tmp_path / "keys")
    assert told.startswith(f"FLOWASSIST_ENCRYPTION_KEY_FILE: {tmp_path}/keys must hold keys of 32 bytes")
