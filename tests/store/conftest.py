from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from flowassist.store.components import LIMIT, Component
from flowassist.store.keys import KeyFile
from flowassist.store.store import Owned, Store
from flowassist.store.vault import Vault


def store_in(folder: Path) -> Store:
    """One that is not open yet; its keys lie in the folder too."""
    return Store(f"sqlite+aiosqlite:///{folder}/data/store.db", Vault(KeyFile(folder / "keys")))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = store_in(tmp_path)
    await store.open()
    yield store
    await store.close()


def component(name: str = "Upper", code: str = "class Upper: ...") -> Component:
    summary = (
        f'{{"name":"{name}","display_name":"{"x" * 100}","description":"{"y" * 500}","category":"custom","icon":"type",'
        '"legacy":false,"beta":false,"packages":["numpy"]}'
    )
    return Component(name, summary, code, '{"template":{"code":{"value":"code"}},"outputs":[]}')


async def fill(mine: Owned) -> None:
    """As many components as an owner may have, their names as long as they may be; one after the other, since the
    database must answer each in time."""
    for number in range(LIMIT):
        await mine.keep_component(component(f"C{number:0199}"))
