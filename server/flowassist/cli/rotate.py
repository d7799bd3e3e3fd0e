"""The operator's rotation of the keys that encrypt owners' variables."""

import argparse
import asyncio
import sys

from flowassist.errors import Refused
from flowassist.settings import Settings
from flowassist.store.keys import KeyFile, KeysError
from flowassist.store.rotation import Rotated
from flowassist.store.store import Store
from flowassist.store.vault import Vault, vault_of


def run(parsed: argparse.Namespace, settings: Settings) -> int:
    """0: every variable is under the newest key. 1: some cannot be read, or it did not work."""
    vault = vault_of(settings)
    try:
        with vault.keys.renewing():
            rotated = asyncio.run(_rotated(settings, vault))
            print(f"Variables encrypted anew: {rotated.rows}.\n{_old_keys(vault, parsed.forget_old)}")  # noqa: T201
    except (KeysError, Refused) as error:
        print(f"flowassist: {error}\nRun it again: it goes on where it stopped.", file=sys.stderr)  # noqa: T201
        return 1
    if rotated.unreadable:
        print(f"Unreadable with any of the keys, to be set again: {rotated.unreadable}.", file=sys.stderr)  # noqa: T201
    return 1 if rotated.unreadable else 0


async def _rotated(settings: Settings, vault: Vault) -> Rotated:
    store = Store(settings.store_url, vault)
    try:
        await store.open()
        return await store.rotate()
    finally:
        await store.close()


def _old_keys(vault: Vault, forget: bool) -> str:
    """What became of the former keys, in words."""
    keys = vault.keys
    if not isinstance(keys, KeyFile):
        return f"Nothing needs the keys of {keys.place} after the first one: take them out."
    if forget:
        return f"Former keys forgotten: {keys.keep_newest()}."
    return f"{keys.place} keeps former keys: {len(keys.known()) - 1}. --forget-old drops them."
