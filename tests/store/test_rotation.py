import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from flowassist.secret import Secret
from flowassist.store.keys import GivenKeys, KeyFile, new_key
from flowassist.store.rotation import Rotated
from flowassist.store.store import Store
from flowassist.store.vault import Vault
from tests.waiting import until

OWNERS = ("ann", "bob", "Zoë")


async def opened(folder: Path, *keys: str) -> Store:
    given = GivenKeys(",".join(keys)) if keys else KeyFile(folder / "keys")
    store = Store(f"sqlite+aiosqlite:///{folder}/store.db", Vault(given))
    await store.open()
    return store


async def filled(store: Store, count: int) -> None:
    for owner in OWNERS:
        await asyncio.gather(*(store.of(owner).set_variable(f"V{n}", Secret(f"{owner} {n}")) for n in range(count)))


async def intact(store: Store, count: int) -> bool:
    right = [{f"V{n}": Secret(f"{owner} {n}") for n in range(count)} for owner in OWNERS]
    return [await store.of(owner).variables() for owner in OWNERS] == right


def key_ids(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / "store.db")) as database:
        return {row[0] for row in database.execute("SELECT DISTINCT key_id FROM variables")}


def add_key(file: KeyFile) -> None:
    with file.renewing():
        pass


async def test_every_row_gets_the_first_key_and_the_others_can_go(tmp_path: Path) -> None:
    old, new = new_key(), new_key()
    before = await opened(tmp_path, old)
    await filled(before, 100)
    after = await opened(tmp_path, new, old)
    assert await after.rotate() == Rotated(300)
    assert await after.rotate() == Rotated(0)
    assert key_ids(tmp_path) == {GivenKeys(new).current().id}
    alone = await opened(tmp_path, new)
    assert await intact(alone, 100)
    for store in (before, after, alone):
        await store.close()


async def test_when_it_was_set_stays_told(tmp_path: Path) -> None:
    old, new = new_key(), new_key()
    before = await opened(tmp_path, old)
    told = await before.of("ann").set_variable("KEY", Secret("v"))
    after = await opened(tmp_path, new, old)
    await after.rotate()
    assert await after.of("ann").list_variables() == (told,)
    await before.close()
    await after.close()


async def test_what_no_key_opens_is_counted_and_left_as_it_is(tmp_path: Path) -> None:
    lost, old, new = new_key(), new_key(), new_key()
    for key, owner in ((lost, "ann"), (old, "bob")):
        store = await opened(tmp_path, key)
        await store.of(owner).set_variable("KEY", Secret(owner))
        await store.close()
    store = await opened(tmp_path, new, old)
    assert await store.unreadable() == 1
    assert await store.rotate() == Rotated(rows=1, unreadable=1)
    assert await store.of("bob").variables() == {"KEY": Secret("bob")}
    await store.close()
    found = await opened(tmp_path, new, lost)
    assert await found.rotate() == Rotated(1)
    assert await found.of("ann").variables() == {"KEY": Secret("ann")}
    await found.close()


async def test_one_that_was_cut_short_is_ended_by_the_next(tmp_path: Path) -> None:
    store = await opened(tmp_path)
    await filled(store, 40)
    await asyncio.to_thread(add_key, KeyFile(tmp_path / "keys"))
    rotating = asyncio.ensure_future(store.rotate())
    await until(lambda: len(key_ids(tmp_path)) == 2)
    rotating.cancel()
    await asyncio.gather(rotating, return_exceptions=True)
    assert rotating.cancelled()
    assert len(key_ids(tmp_path)) == 2
    assert await intact(store, 40)
    rotated = await store.rotate()
    assert 0 < rotated.rows < 120
    assert len(key_ids(tmp_path)) == 1
    assert await intact(store, 40)
    await store.close()


async def test_a_server_reads_and_writes_while_the_keys_change_again_and_again(tmp_path: Path) -> None:
    server, operator = await opened(tmp_path), await opened(tmp_path)
    await filled(server, 20)
    file = KeyFile(tmp_path / "keys")
    over = asyncio.Event()

    async def use() -> int:
        rounds = 0
        while not over.is_set():
            assert await intact(server, 20)
            await server.of("ann").set_variable("V3", Secret("ann 3"))
            rounds += 1
        return rounds

    using = [asyncio.ensure_future(use()) for _ in range(2)]
    for _ in range(5):
        await asyncio.to_thread(add_key, file)
        await operator.rotate()
        await asyncio.to_thread(file.keep_newest)
    over.set()
    assert min(await asyncio.gather(*using)) > 1
    assert key_ids(tmp_path) == {(await asyncio.to_thread(file.current)).id}
    await server.close()
    await operator.close()
