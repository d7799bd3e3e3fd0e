from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from flowassist.store.keys import KeyFile
from flowassist.store.store import Store
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
