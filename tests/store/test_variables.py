import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from flowassist.errors import Reason, Refused
from flowassist.secret import Secret
from flowassist.store import store as module
from flowassist.store.keys import GivenKeys, KeyFile, new_key
from flowassist.store.store import Exchange, Store
from flowassist.store.variables import LIMIT
from flowassist.store.vault import Vault
from tests.store.conftest import store_in

PLANTED = "sk-planted-in-the-store"
OLD_SCHEMA = """
CREATE TABLE messages (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    owner VARCHAR(200) NOT NULL, session_id VARCHAR(160) NOT NULL, turn_id VARCHAR(36) NOT NULL,
    sender VARCHAR(9) NOT NULL, text TEXT NOT NULL, component_code TEXT NOT NULL, created_at DATETIME NOT NULL
);
CREATE INDEX messages_of_session ON messages (owner, session_id, id);
INSERT INTO messages VALUES (1, 'ann', 'agentic_s', 't', 'user', 'asked', '', '2026-11-01 00:00:00.000000');
INSERT INTO messages VALUES (2, 'ann', 'agentic_s', 't', 'assistant', 'answered', '', '2026-11-01 00:00:00.000000');
"""


def database(folder: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(folder / "data" / "store.db", isolation_level=None))


async def refusal(store: Store) -> Reason:
    with pytest.raises(Refused) as refused:
        await store.of("ann").variables()
    return refused.value.reason


async def test_what_was_set_is_there_under_its_name(store: Store) -> None:
    mine, before = store.of("ann"), datetime.now(UTC)
    assert await mine.variables() == {}
    for name in ("B_KEY", "a_key", "A_KEY"):
        assert (await mine.set_variable(name, Secret(f"{PLANTED} {name}"))).name == name
    assert {name: secret.reveal() for name, secret in (await mine.variables()).items()} == {
        name: f"{PLANTED} {name}" for name in ("B_KEY", "a_key", "A_KEY")
    }
    listed = await mine.list_variables()
    assert [variable.name for variable in listed] == ["A_KEY", "B_KEY", "a_key"]
    assert all(before <= variable.updated_at <= before + timedelta(seconds=30) for variable in listed)


async def test_setting_again_replaces(store: Store) -> None:
    mine = store.of("ann")
    first = await mine.set_variable("KEY", Secret("one"))
    second = await mine.set_variable("KEY", Secret("two"))
    assert await mine.variables() == {"KEY": Secret("two")}
    assert await mine.list_variables() == (second,)
    assert first.updated_at < second.updated_at


async def test_owners_see_change_and_delete_only_their_own(store: Store) -> None:
    ann, bob = store.of("ann"), store.of("bob")
    await ann.set_variable("KEY", Secret("ann's"))
    await bob.set_variable("KEY", Secret("bob's"))
    await bob.set_variable("OTHER", Secret("bob's"))
    await ann.delete_variable("KEY")
    with pytest.raises(Refused) as refused:
        await ann.delete_variable("OTHER")
    assert (refused.value.reason, refused.value.metadata) == (Reason.VARIABLE_NOT_FOUND, {"name": "OTHER"})
    assert await ann.variables() == {}
    assert await bob.variables() == {"KEY": Secret("bob's"), "OTHER": Secret("bob's")}


async def test_two_hundred_are_kept_and_the_next_is_refused(store: Store) -> None:
    mine = store.of("ann")
    await asyncio.gather(*(mine.set_variable(f"V{number}", Secret("v")) for number in range(LIMIT)))
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await mine.set_variable("ONE_MORE", Secret("v"))
        assert (refused.value.reason, refused.value.metadata) == (Reason.TOO_MANY_VARIABLES, {"limit": "200"})
    await mine.set_variable("V7", Secret("changed"))
    await store.of("bob").set_variable("V", Secret("v"))
    await mine.delete_variable("V9")
    await mine.set_variable("ONE_MORE", Secret("v"))
    assert len(await mine.variables()) == LIMIT


async def test_many_that_write_the_same_one_at_once(store: Store) -> None:
    mine = store.of("ann")
    await asyncio.gather(*(mine.set_variable("KEY", Secret(f"v{number}")) for number in range(50)))
    assert len(await mine.list_variables()) == 1


async def test_nothing_in_the_files_can_be_read(store: Store, tmp_path: Path) -> None:
    await store.of("ann").set_variable("KEY", Secret(PLANTED))
    files = list((tmp_path / "data").iterdir())
    assert any(file.name.endswith("-wal") for file in files)
    assert b"KEY" in b"".join(file.read_bytes() for file in files)
    assert all(PLANTED.encode() not in file.read_bytes() for file in files)


async def test_a_database_of_the_former_version_gets_the_table(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with database(tmp_path) as former:
        former.executescript(OLD_SCHEMA)
    store = store_in(tmp_path)
    await store.open()
    await store.of("ann").set_variable("KEY", Secret("v"))
    assert await store.of("ann").variables() == {"KEY": Secret("v")}
    assert await store.of("ann").history("agentic_s", 1) == (Exchange("asked", "answered"),)
    await store.close()


async def test_a_row_that_was_moved_is_refused(store: Store, tmp_path: Path) -> None:
    await store.of("bob").set_variable("KEY", Secret("bob's"))
    for change in ("owner = 'ann'", "name = 'OTHER'", "value = x'00'", "key_id = '0000000000000000'"):
        with database(tmp_path) as rows:
            before = rows.execute("SELECT * FROM variables").fetchall()
            rows.execute(f"UPDATE variables SET {change}")
            rows.execute("UPDATE variables SET owner = 'ann'")
        assert None in (await store.of("ann").variables()).values()
        with database(tmp_path) as rows:
            rows.execute("DELETE FROM variables")
            rows.executemany("INSERT INTO variables VALUES (?, ?, ?, ?, ?)", before)


async def test_with_other_keys_they_are_refused_until_they_are_set_again(store: Store, tmp_path: Path) -> None:
    await store.of("ann").set_variable("KEY", Secret("old"))
    (tmp_path / "keys").unlink()
    await store.of("ann").set_variable("OTHER", Secret("mine"))
    assert await store.of("ann").variables() == {"KEY": None, "OTHER": Secret("mine")}
    assert (await store.unreadable(), await store.count_variables()) == (1, 2)
    told = [(variable.name, variable.unreadable) for variable in await store.of("ann").list_variables()]
    assert told == [("KEY", True), ("OTHER", False)]
    await store.of("ann").set_variable("KEY", Secret("new"))
    assert (await store.of("ann").variables())["KEY"] == Secret("new")
    assert await store.unreadable() == 0


async def test_keys_that_others_may_read_are_not_used(store: Store, tmp_path: Path) -> None:
    await store.of("ann").set_variable("KEY", Secret("v"))
    (tmp_path / "keys").chmod(0o644)
    with capture_logs() as logged:
        assert await refusal(store) is Reason.VARIABLE_KEYS_UNUSABLE
    assert "may be read by others" in str(logged)


async def test_a_locked_database_is_unavailable_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BUSY_MILLISECONDS", 50)
    store = store_in(tmp_path)
    await store.open()
    await store.of("ann").set_variable("KEY", Secret("v"))
    with database(tmp_path) as other, capture_logs() as logged:
        other.execute("BEGIN IMMEDIATE")
        async with asyncio.timeout(module.ANSWER_SECONDS):
            with pytest.raises(Refused) as refused:
                await store.of("ann").set_variable("KEY", Secret(PLANTED))
        assert await store.of("ann").variables() == {"KEY": Secret("v")}
    assert refused.value.reason is Reason.STORE_UNAVAILABLE
    assert "database is locked" in str(logged)
    assert PLANTED not in f"{logged}{refused.value.__cause__}"
    await store.of("ann").set_variable("KEY", Secret("w"))
    await store.close()


async def test_a_database_that_does_not_answer_is_unavailable_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here another writer keeps the only place for one."""
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    store = store_in(tmp_path)
    await store.open()
    async with store._writing:
        with pytest.raises(Refused) as refused:
            await store.of("ann").set_variable("KEY", Secret("v"))
    assert refused.value.reason is Reason.STORE_UNAVAILABLE
    await store.close()


async def test_a_database_that_is_broken_is_unavailable(store: Store, tmp_path: Path) -> None:
    with database(tmp_path) as broken:
        broken.execute("DROP TABLE variables")
    mine = store.of("ann")
    for work in (
        mine.variables(),
        mine.list_variables(),
        mine.delete_variable("A"),
        mine.set_variable("A", Secret("v")),
    ):
        with pytest.raises(Refused) as refused:
            await work
        assert refused.value.reason is Reason.STORE_UNAVAILABLE


async def test_a_value_in_a_statement_s_error_is_hidden(store: Store, tmp_path: Path) -> None:
    with database(tmp_path) as strict:
        strict.execute("CREATE TRIGGER no BEFORE INSERT ON variables BEGIN SELECT RAISE(FAIL, 'refused'); END")
    with capture_logs() as logged, pytest.raises(Refused):
        await store.of("ann").set_variable("KEY", Secret(PLANTED))
    sealed = store.vault.keys.current().id
    assert sealed not in str(logged)
    assert PLANTED not in str(logged)


async def test_a_key_that_changes_while_a_value_is_written_is_used_in_the_end(tmp_path: Path) -> None:
    """The operator rotates between sealing and writing: the row must not stay under a key that will be forgotten."""

    class Rotating(KeyFile):
        def __init__(self, path: Path) -> None:
            super().__init__(path)
            self.used = 0

        def current(self):  # type: ignore[no-untyped-def]
            key = super().current()
            self.used += 1
            if self.used == 1:
                with KeyFile(tmp_path / "keys").renewing():
                    KeyFile(tmp_path / "keys").keep_newest()
            return key

    store = Store(f"sqlite+aiosqlite:///{tmp_path}/data/store.db", Vault(Rotating(tmp_path / "keys")))
    await store.open()
    await store.of("ann").set_variable("KEY", Secret("v"))
    assert await store.of("ann").variables() == {"KEY": Secret("v")}
    await store.close()


async def test_servers_with_the_same_given_keys_read_each_other(tmp_path: Path) -> None:
    given = new_key()
    stores = [Store(f"sqlite+aiosqlite:///{tmp_path}/store.db", Vault(GivenKeys(given))) for _ in range(2)]
    for store in stores:
        await store.open()
    await stores[0].of("ann").set_variable("KEY", Secret("v"))
    assert await stores[1].of("ann").variables() == {"KEY": Secret("v")}
    for store in stores:
        await store.close()
