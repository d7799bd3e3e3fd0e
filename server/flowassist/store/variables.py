"""Owners' variables, encrypted: what providers need, such as keys and addresses."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from flowassist.errors import Reason, Refused
from flowassist.secret import Secret
from flowassist.store.database import TRIES, Database, utc
from flowassist.store.tables import variables
from flowassist.store.vault import Sealed, Unreadable, Vault

LIMIT = 200


@dataclass(frozen=True, slots=True)
class Variable:
    """What may be told of one."""

    name: str
    updated_at: datetime
    unreadable: bool = False


async def put(database: Database, owner: str, name: str, secret: Secret) -> datetime:
    """Write or replace one; at most LIMIT for an owner, and a few more where PostgreSQL writes several at once."""
    for _ in range(TRIES):
        sealed = await asyncio.to_thread(database.vault.seal, owner, name, secret)
        at = datetime.now(UTC)
        row = {"owner": owner, "name": name, "value": sealed.value, "key_id": sealed.key_id, "updated_at": at}
        try:
            async with database.writing, database.engine.begin() as connection:
                await _write(connection, row)
        except IntegrityError:
            continue  # another replica has just made it
        if (await asyncio.to_thread(database.vault.keys.current)).id == sealed.key_id:
            return at
    raise Refused(Reason.STORE_UNAVAILABLE)


async def names(database: Database, owner: str) -> tuple[Variable, ...]:
    """In alphabetical order."""
    query = select(variables.c.name, variables.c.updated_at, variables.c.key_id).where(variables.c.owner == owner)
    async with database.engine.connect() as connection:
        rows = (await connection.execute(query)).all()
    known = {key.id for key in await asyncio.to_thread(database.vault.keys.known)}
    ordered = sorted(rows, key=lambda row: str(row.name))
    return tuple(Variable(row.name, utc(row.updated_at), row.key_id not in known) for row in ordered)


async def remove(database: Database, owner: str, name: str) -> None:
    """Raises Refused: VARIABLE_NOT_FOUND."""
    async with database.writing, database.engine.begin() as connection:
        gone = await connection.execute(delete(variables).where(_is(owner, name)))
    if not gone.rowcount:
        raise Refused(Reason.VARIABLE_NOT_FOUND, name=name)


async def secrets(database: Database, owner: str) -> Mapping[str, Secret | None]:
    """All values by name, None for those that none of the keys opens."""
    for _ in range(TRIES - 1):
        found = await _secrets(database, owner)
        if None not in found.values():
            return found
    return await _secrets(database, owner)


async def _secrets(database: Database, owner: str) -> Mapping[str, Secret | None]:
    """Rows first, then keys: whoever rotates has made the key before the first row that needs it."""
    query = select(variables.c.name, variables.c.value, variables.c.key_id).where(variables.c.owner == owner)
    async with database.engine.connect() as connection:
        rows = (await connection.execute(query)).all()
    return await asyncio.to_thread(_opened, database.vault, owner, rows) if rows else {}


def _opened(vault: Vault, owner: str, rows: Sequence[Row[Any]]) -> Mapping[str, Secret | None]:
    return {row.name: _open(vault, owner, row) for row in rows}


def _open(vault: Vault, owner: str, row: Row[Any]) -> Secret | None:
    try:
        return vault.open(owner, row.name, Sealed(row.key_id, row.value))
    except Unreadable:
        return None


async def _write(connection: AsyncConnection, row: Mapping[str, Any]) -> None:
    written = await connection.execute(update(variables).where(_is(row["owner"], row["name"])).values(row))
    if written.rowcount:
        return
    counted = select(func.count()).select_from(variables).where(variables.c.owner == row["owner"])
    if (await connection.execute(counted)).scalar_one() >= LIMIT:
        raise Refused(Reason.TOO_MANY_VARIABLES, limit=str(LIMIT))
    await connection.execute(insert(variables).values(row))


def _is(owner: str, name: str) -> Any:
    return (variables.c.owner == owner) & (variables.c.name == name)
