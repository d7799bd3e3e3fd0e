"""What owners keep of the components that were validated for them."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flowassist.errors import Reason, Refused
from flowassist.store.components import LIMIT, Component, Kept, Listed
from flowassist.store.store import Exchange, Store
from tests.store.conftest import component, fill, store_in


async def names(store: Store, owner: str = "ann") -> set[str]:
    return {one.name for one in await store.of(owner).list_components()}


async def test_what_was_kept_is_there_under_its_name(store: Store) -> None:
    mine, before = store.of("ann"), datetime.now(UTC)
    assert await mine.list_components() == ()
    assert await mine.component("Upper") is None
    at = await mine.keep_component(component())
    assert before <= at <= before + timedelta(seconds=30)
    assert await mine.component("Upper") == Kept(component(), at)
    assert await mine.list_components() == (Listed("Upper", component().summary, at),)
    assert await mine.component("upper") is None


async def test_keeping_again_replaces(store: Store) -> None:
    mine = store.of("ann")
    first = await mine.keep_component(component())
    changed = Component("Upper", "{}", "other", "{}")
    second = await mine.keep_component(changed)
    assert await mine.component("Upper") == Kept(changed, second)
    assert first < second
    assert await names(store) == {"Upper"}


async def test_text_of_every_script(store: Store) -> None:
    odd = Component("Größe", '{"a":"创建"}', "x = 'é 😀'\n\tpass", '{"a":"\\u0000"}')
    await store.of("ann").keep_component(odd)
    kept = await store.of("ann").component("Größe")
    assert kept
    assert kept.component == odd


async def test_owners_see_change_and_forget_only_their_own(store: Store) -> None:
    ann, bob = store.of("ann"), store.of("bob")
    await ann.keep_component(component(code="ann's"))
    await bob.keep_component(component(code="bob's"))
    await bob.keep_component(component("Other"))
    await ann.forget_component("Upper")
    for name in ("Upper", "Other"):
        with pytest.raises(Refused) as refused:
            await ann.forget_component(name)
        assert (refused.value.reason, refused.value.metadata) == (Reason.COMPONENT_TYPE_NOT_FOUND, {"name": name})
    assert await names(store) == set()
    kept = await bob.component("Upper")
    assert kept
    assert kept.component.code == "bob's"


async def test_five_hundred_are_kept_and_the_next_is_refused(store: Store) -> None:
    mine = store.of("ann")
    await fill(store.of("ann"))
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await mine.keep_component(component("OneMore"))
        assert (refused.value.reason, refused.value.metadata) == (Reason.TOO_MANY_COMPONENTS, {"limit": "500"})
    await mine.keep_component(component(f"C{7:0199}", "changed"))
    await store.of("bob").keep_component(component())
    await mine.forget_component(f"C{9:0199}")
    await mine.keep_component(component("OneMore"))
    assert len(await names(store)) == LIMIT


async def test_many_that_keep_the_same_one_at_once(store: Store) -> None:
    mine = store.of("ann")
    await asyncio.gather(*(mine.keep_component(component(code=str(number))) for number in range(50)))
    assert await names(store) == {"Upper"}


async def test_a_turn_keeps_its_component_with_its_memory(store: Store) -> None:
    mine, turn = store.of("ann"), Exchange("ask", "answer", "code")
    assert await mine.remember("agentic_s", "t", turn, component())
    assert await mine.history("agentic_s", 1) == (turn,)
    assert await names(store) == {"Upper"}
    assert await names(store, "bob") == set()


async def test_a_turn_without_room_for_its_component_is_remembered(store: Store) -> None:
    await fill(store.of("ann"))
    mine, turn = store.of("ann"), Exchange("ask", "answer", "code")
    assert not await mine.remember("agentic_s", "t", turn, component("OneMore"))
    assert await mine.remember("agentic_s", "u", turn, component(f"C{3:0199}", "changed"))
    assert await mine.history("agentic_s", 9) == (turn, turn)
    kept = await mine.component(f"C{3:0199}")
    assert kept
    assert kept.component.code == "changed"


async def test_a_turn_that_cannot_be_remembered_keeps_no_component(store: Store) -> None:
    broken = replace(Exchange("ask", "answer"), answered=None)  # type: ignore[arg-type]  # the column takes no NULL
    with pytest.raises(Refused):
        await store.of("ann").remember("agentic_s", "t", broken, component())
    assert await names(store) == set()
    assert await store.of("ann").history("agentic_s", 9) == ()


async def test_they_outlive_the_process(tmp_path: Path) -> None:
    for name in ("One", "Two"):
        store = store_in(tmp_path)
        await store.open()
        await store.of("ann").keep_component(component(name))
        await store.close()
    await store.open()
    assert await names(store) == {"One", "Two"}
    await store.close()


async def test_a_database_of_the_former_version_gets_the_table(store: Store, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "data" / "store.db")) as former:
        former.execute("DROP TABLE components")
    again = store_in(tmp_path)
    await again.open()
    await again.of("ann").keep_component(component())
    assert await names(again) == {"Upper"}
    await again.close()


async def test_a_store_that_is_away_says_so(store: Store, tmp_path: Path) -> None:
    await store.close()
    for file in (tmp_path / "data").iterdir():
        file.unlink()
    (tmp_path / "data").rmdir()
    mine = store.of("ann")
    for ask in (
        lambda: mine.keep_component(component()),
        mine.list_components,
        lambda: mine.component("Upper"),
        lambda: mine.forget_component("Upper"),
    ):
        with pytest.raises(Refused) as refused:
            await ask()
        assert refused.value.reason is Reason.STORE_UNAVAILABLE
