"""`flowassist variables rotate` as its own process, on the files of a server that may be running."""

import asyncio
import sqlite3
from asyncio.subprocess import PIPE
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from flowassist.secret import Secret
from flowassist.store.keys import GivenKeys, KeyFile, new_key
from tests.cli.test_variables import COMMAND, VALUE, served_in, settings_in, store_in, variables
from tests.waiting import until


def key_ids(folder: Path) -> Mapping[str, int]:
    with closing(sqlite3.connect(folder / "store.db")) as database:
        return dict(database.execute("SELECT key_id, count(*) FROM variables GROUP BY key_id"))


def database(folder: Path) -> str:
    return f"Database: sqlite+aiosqlite:///{folder}/store.db\n"


async def test_where_there_is_no_database_nothing_is_begun(tmp_path: Path) -> None:
    """As where the server's setting is missing: another database has none of what the keys encrypted."""
    async with store_in(tmp_path) as store:
        await store.of("ann").set_variable("KEY", Secret("v"))
    keys, elsewhere = (tmp_path / "keys").read_text(), {"FLOWASSIST_DATABASE_URL": "sqlite+aiosqlite:////nowhere/x.db"}
    code, out, err = await variables("rotate", "--forget-old", **settings_in(tmp_path) | elsewhere)
    assert (code, out) == (2, "")
    assert err == "flowassist: There is no /nowhere/x.db: let FLOWASSIST_DATABASE_URL name the server's database.\n"
    sqlite3.connect(tmp_path / "other.db").close()
    other = {"FLOWASSIST_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/other.db"}
    code, out, err = await variables("rotate", **settings_in(tmp_path) | other)
    assert (code, out) == (2, "")
    assert "has no tables of flowassist" in err
    assert (tmp_path / "keys").read_text() == keys


async def test_former_keys_are_not_forgotten_with_what_they_encrypted(tmp_path: Path) -> None:
    async with store_in(tmp_path):
        await asyncio.to_thread(KeyFile(tmp_path / "keys").current)
        keys = (tmp_path / "keys").read_text()
        code, _, err = await variables("rotate", "--forget-old", **settings_in(tmp_path))
        assert (code, "holds no variables" in err, "FLOWASSIST_DATABASE_URL" in err) == (2, True, True)
    async with store_in(tmp_path, GivenKeys(new_key())) as store:
        await store.of("ann").set_variable("KEY", Secret("v"))
    code, _, err = await variables("rotate", "--forget-old", **settings_in(tmp_path))
    assert (code, "1 variables of" in err, "Nothing was changed." in err) == (2, True, True)
    assert (tmp_path / "keys").read_text() == keys


async def test_a_rotation_while_a_server_runs(tmp_path: Path) -> None:
    async with served_in(tmp_path) as served:
        here = {"FLOWASSIST_ADDRESS": served.address}
        for name in ("ONE", "TWO"):
            await variables("set", name, text=VALUE, **here)
        before = set(key_ids(tmp_path))
        code, out, err = await variables("rotate", **settings_in(tmp_path))
        assert (code, err) == (0, "")
        assert "Variables encrypted anew: 2." in out
        assert f"{tmp_path}/keys keeps former keys: 1." in out
        assert not before & set(key_ids(tmp_path))
        await variables("set", "THREE", text=VALUE, **here)
        assert len(key_ids(tmp_path)) == 1
        code, out, _ = await variables("rotate", "--forget-old", **settings_in(tmp_path))
        assert (code, out) == (0, f"{database(tmp_path)}Variables encrypted anew: 3.\nFormer keys forgotten: 2.\n")
        await variables("set", "FOUR", text=VALUE, **here)
        assert set(key_ids(tmp_path)) == {key.id for key in await asyncio.to_thread(KeyFile(tmp_path / "keys").known)}
        async with store_in(tmp_path) as store:
            assert set(await store.of("local").variables()) == {"ONE", "TWO", "THREE", "FOUR"}


async def test_one_that_is_killed_loses_nothing_and_the_next_ends_it(tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        for owner in ("ann", "bob", "eve"):
            await asyncio.gather(*(store.of(owner).set_variable(f"V{n}", Secret(f"{owner}{n}")) for n in range(200)))
        run = await asyncio.create_subprocess_exec(*COMMAND, "rotate", env=settings_in(tmp_path), stdout=PIPE)
        await until(lambda: len(key_ids(tmp_path)) == 2, within=20)
        run.kill()
        await run.communicate()
        assert len(key_ids(tmp_path)) == 2
        code, out, _ = await variables("rotate", "--forget-old", **settings_in(tmp_path))
        assert (code, out) == (0, f"{database(tmp_path)}Variables encrypted anew: 600.\nFormer keys forgotten: 2.\n")
        for owner in ("ann", "bob", "eve"):
            assert await store.of(owner).variables() == {f"V{n}": Secret(f"{owner}{n}") for n in range(200)}
    assert len(key_ids(tmp_path)) == 1


async def test_given_keys_are_rotated_by_putting_the_new_one_first(tmp_path: Path) -> None:
    old, new = new_key(), new_key()
    async with store_in(tmp_path, GivenKeys(old)) as store:
        await store.of("ann").set_variable("KEY", Secret("v"))
    given = settings_in(tmp_path) | {"FLOWASSIST_ENCRYPTION_KEYS": f"{new},{old}"}
    code, out, _ = await variables("rotate", "--forget-old", **given)
    assert code == 0
    assert out.splitlines()[1:] == [
        "Variables encrypted anew: 1.",
        "Nothing needs the keys of FLOWASSIST_ENCRYPTION_KEYS after the first one: take them out.",
    ]
    assert not (tmp_path / "keys").exists()
    async with store_in(tmp_path, GivenKeys(new)) as store:
        assert await store.of("ann").variables() == {"KEY": Secret("v")}


async def test_a_rotation_without_the_former_key_says_what_is_lost(tmp_path: Path) -> None:
    async with store_in(tmp_path, GivenKeys(new_key())) as store:
        await store.of("ann").set_variable("KEY", Secret("v"))
    code, out, err = await variables("rotate", **settings_in(tmp_path))
    assert code == 1
    assert "Variables encrypted anew: 0." in out
    assert err == "Unreadable with any of the keys, to be set again: 1.\n"


async def test_a_rotation_that_cannot_begin_says_why(tmp_path: Path) -> None:
    await asyncio.to_thread(KeyFile(tmp_path / "keys").current)
    (tmp_path / "keys").chmod(0o644)
    async with store_in(tmp_path, GivenKeys(new_key())):
        code, _, err = await variables("rotate", **settings_in(tmp_path))
    assert code == 2
    assert "may be read by others" in err
    assert "Traceback" not in err
    code, _, err = await variables("rotate", **settings_in(tmp_path), FLOWASSIST_ENCRYPTION_KEYS="planted")
    assert code == 2
    assert "FLOWASSIST_ENCRYPTION_KEYS" in err
    assert "planted" not in err


async def test_the_doctor_tells_of_variables_whose_key_is_lost(tmp_path: Path) -> None:
    async with store_in(tmp_path, GivenKeys(new_key())) as store:
        await store.of("ann").set_variable("KEY", Secret(VALUE))
    environment = settings_in(tmp_path) | {"COLUMNS": "200", "FLOWASSIST_SANDBOX_CHILDREN": "1"}
    doctor = (*COMMAND[:3], "doctor")
    run = await asyncio.create_subprocess_exec(*doctor, env=environment, stdout=PIPE)
    out, _ = await run.communicate()
    row = next(line for line in out.decode().splitlines() if "key that is missing" in line)
    assert "variables" in row
    assert "1 encrypted with a key that is missing; keys in" in row
