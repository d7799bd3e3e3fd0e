import asyncio
from pathlib import Path

from flowassist.store.store import Exchange, Store
from tests.store.conftest import store_in


def turn(number: int) -> Exchange:
    return Exchange(f"ask {number}", f"answer {number}", f"code {number}" if number % 2 else "")


async def test_history_is_the_last_turns_oldest_first(store: Store) -> None:
    mine = store.of("ann")
    for number in range(5):
        await mine.remember("agentic_s", f"t{number}", turn(number))
    assert await mine.history("agentic_s", 3) == (turn(2), turn(3), turn(4))
    assert await mine.history("agentic_s", 99) == tuple(map(turn, range(5)))
    assert await mine.history("agentic_s", 0) == ()


async def test_owners_and_sessions_see_only_their_own(store: Store) -> None:
    await store.of("ann").remember("agentic_s", "t1", turn(1))
    assert await store.of("bob").history("agentic_s", 9) == ()
    assert await store.of("ann").history("agentic_other", 9) == ()


async def test_what_was_kept_outlives_the_process(tmp_path: Path) -> None:
    for number in range(2):
        store = store_in(tmp_path)
        await store.open()
        await store.of("ann").remember("agentic_s", f"t{number}", turn(number))
        await store.close()
    store = store_in(tmp_path)
    await store.open()
    assert len(await store.of("ann").history("agentic_s", 9)) == 2
    await store.close()


async def test_text_of_every_script(store: Store) -> None:
    past = Exchange("创建组件 😀", "ответ\n\tzwei", "x = 'é'\n")
    await store.of("ann").remember("agentic_s", "t", past)
    assert await store.of("ann").history("agentic_s", 1) == (past,)


async def test_many_turns_that_end_at_once_are_all_kept_at_once(store: Store) -> None:
    mine = store.of("ann")
    async with asyncio.timeout(3):
        await asyncio.gather(*(mine.remember("agentic_s", f"t{number}", turn(number)) for number in range(100)))
    assert len(await mine.history("agentic_s", 200)) == 100
