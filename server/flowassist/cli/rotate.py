"""The operator's rotation of the keys that encrypt owners' variables."""

import argparse
import asyncio
import sys

from flowassist.errors import Refused
from flowassist.settings import SettingError, Settings
from flowassist.store.keys import KeyFile, KeysError
from flowassist.store.rotation import Rotated
from flowassist.store.store import Store
from flowassist.store.vault import vault_of

_NOTHING_CHANGED = "Nothing was changed."


def run(parsed: argparse.Namespace, settings: Settings) -> int:
    """0: every variable is under the newest key. 1: some cannot be read, or it broke off.

    Raises SettingError where nothing was begun: there is no such database, or former keys would be lost with what
    they encrypted.
    """
    return asyncio.run(_run(Store(settings.store_url, vault_of(settings)), forget=parsed.forget_old))


async def _run(store: Store, *, forget: bool) -> int:
    try:
        await store.find()
        if forget:
            await _check_nothing_is_lost(store)
        return await _rotated(store, forget=forget)
    finally:
        await store.close()


async def _check_nothing_is_lost(store: Store) -> None:
    if not await store.count_variables():
        question = "is that the server's database (FLOWASSIST_DATABASE_URL)?"
        raise SettingError(f"{store.place} holds no variables: {question} {_NOTHING_CHANGED}")
    if lost := await store.unreadable():
        advice = "give the server the key that they need, or have their owners set or delete them"
        raise SettingError(f"{lost} variables of {store.place} cannot be read: {advice}. {_NOTHING_CHANGED}")


async def _rotated(store: Store, *, forget: bool) -> int:
    begun = False
    try:
        with store.vault.keys.renewing():
            begun = True
            rotated = await store.rotate()
            print(f"Database: {store.place}\nVariables encrypted anew: {rotated.rows}.")  # noqa: T201
            print(_old_keys(store, rotated, forget=forget))  # noqa: T201
    except (KeysError, Refused) as error:
        again = "Run it again: it goes on where it stopped." if begun else _NOTHING_CHANGED
        print(f"flowassist: {error}\n{again}", file=sys.stderr)  # noqa: T201
        return 1
    if rotated.unreadable:
        print(f"Unreadable with any of the keys, to be set again: {rotated.unreadable}.", file=sys.stderr)  # noqa: T201
    return 1 if rotated.unreadable else 0


def _old_keys(store: Store, rotated: Rotated, *, forget: bool) -> str:
    """What became of the former keys, in words."""
    keys = store.vault.keys
    if not isinstance(keys, KeyFile):
        return f"Nothing needs the keys of {keys.place} after the first one: take them out."
    if forget and not rotated.unreadable:
        return f"Former keys forgotten: {keys.keep_newest()}."
    return f"{keys.place} keeps former keys: {len(keys.known()) - 1}. --forget-old drops them."
