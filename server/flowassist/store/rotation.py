"""Have every variable encrypted with the newest key. Servers may run meanwhile, and it may be killed and run again."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, func, or_, select, update

from flowassist.store.database import Database
from flowassist.store.tables import variables
from flowassist.store.vault import Sealed, Unreadable

_BATCH = 200


@dataclass(frozen=True, slots=True)
class Rotated:
    """How many rows were encrypted anew, and how many none of the keys opens: those stay as they are."""

    rows: int = 0
    unreadable: int = 0


async def rotate(database: Database) -> Rotated:
    """Encrypt anew what is not under the current key."""
    current = (await asyncio.to_thread(database.vault.keys.current)).id
    done, after = Rotated(), ("", "")
    while rows := await _batch(database, current, after):
        for row in rows:
            done = await _renew(database, row, done)
        after = rows[-1].owner, rows[-1].name
    return done


async def count(database: Database) -> int:
    """How many variables there are."""
    async with database.engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(variables))).scalar_one())


async def unreadable(database: Database) -> int:
    """How many variables are under a key that is not known here."""
    known = {key.id for key in await asyncio.to_thread(database.vault.keys.known)}
    counts = select(variables.c.key_id, func.count().label("rows")).group_by(variables.c.key_id)
    async with database.engine.connect() as connection:
        found = (await connection.execute(counts)).all()
    return sum(row.rows for row in found if row.key_id not in known)


async def _batch(database: Database, current: str, after: tuple[str, str]) -> Sequence[Row[Any]]:
    """The next rows in the order of their keys, those of other transactions included."""
    owner, name = variables.c.owner, variables.c.name
    later = or_(owner > after[0], (owner == after[0]) & (name > after[1]))
    query = select(variables).where(variables.c.key_id != current, later).order_by(owner, name).limit(_BATCH)
    async with database.engine.connect() as connection:
        return (await connection.execute(query)).all()


async def _renew(database: Database, row: Row[Any], done: Rotated) -> Rotated:
    try:
        sealed = await asyncio.to_thread(_again, database, row)
    except Unreadable:
        return Rotated(done.rows, done.unreadable + 1)
    unchanged = (variables.c.owner == row.owner) & (variables.c.name == row.name) & (variables.c.value == row.value)
    changes = update(variables).where(unchanged).values(value=sealed.value, key_id=sealed.key_id)
    async with database.writing, database.engine.begin() as connection:
        changed = await connection.execute(changes)
    return Rotated(done.rows + changed.rowcount, done.unreadable)


def _again(database: Database, row: Row[Any]) -> Sealed:
    secret = database.vault.open(row.owner, row.name, Sealed(row.key_id, row.value))
    return database.vault.seal(row.owner, row.name, secret)
