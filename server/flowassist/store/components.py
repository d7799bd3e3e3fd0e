"""Owners' own component types: what was validated for them, and kept."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from flowassist.errors import Reason, Refused
from flowassist.store.database import TRIES, Database, utc
from flowassist.store.tables import components

LIMIT = 500


@dataclass(frozen=True, slots=True)
class Component:
    """A component to keep. `summary` and `node` are JSON: what a list tells of it, and what Langflow places."""

    name: str
    summary: str
    code: str
    node: str


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list tells of one that is kept."""

    name: str
    summary: str
    validated_at: datetime


@dataclass(frozen=True, slots=True)
class Kept:
    component: Component
    validated_at: datetime


async def put(database: Database, owner: str, component: Component) -> datetime:
    """Write or replace one; at most LIMIT for an owner, and a few more where PostgreSQL writes several at once.

    Raises Refused: TOO_MANY_COMPONENTS.
    """
    for _ in range(TRIES):
        try:
            async with database.writing, database.engine.begin() as connection:
                return await write(connection, owner, component)
        except IntegrityError:
            continue  # another replica has just made it
    raise Refused(Reason.STORE_UNAVAILABLE)


async def write(connection: AsyncConnection, owner: str, component: Component) -> datetime:
    """As part of a transaction, which is as before where it raises Refused: TOO_MANY_COMPONENTS."""
    at = datetime.now(UTC)
    row = {"summary": component.summary, "code": component.code, "node": component.node, "validated_at": at}
    written = await connection.execute(update(components).where(_is(owner, component.name)).values(row))
    if written.rowcount:
        return at
    counted = select(func.count()).select_from(components).where(components.c.owner == owner)
    if (await connection.execute(counted)).scalar_one() >= LIMIT:
        raise Refused(Reason.TOO_MANY_COMPONENTS, limit=str(LIMIT))
    await connection.execute(insert(components).values(owner=owner, name=component.name, **row))
    return at


async def listed(database: Database, owner: str) -> tuple[Listed, ...]:
    """In no order."""
    columns = components.c.name, components.c.summary, components.c.validated_at
    async with database.engine.connect() as connection:
        rows = (await connection.execute(select(*columns).where(components.c.owner == owner))).all()
    return tuple(Listed(row.name, row.summary, utc(row.validated_at)) for row in rows)


async def one(database: Database, owner: str, name: str) -> Kept | None:
    async with database.engine.connect() as connection:
        row = (await connection.execute(select(components).where(_is(owner, name)))).one_or_none()
    return Kept(Component(row.name, row.summary, row.code, row.node), utc(row.validated_at)) if row else None


async def remove(database: Database, owner: str, name: str) -> None:
    """Raises Refused: COMPONENT_TYPE_NOT_FOUND."""
    async with database.writing, database.engine.begin() as connection:
        gone = await connection.execute(delete(components).where(_is(owner, name)))
    if not gone.rowcount:
        raise Refused(Reason.COMPONENT_TYPE_NOT_FOUND, name=name)


def _is(owner: str, name: str) -> Any:
    return (components.c.owner == owner) & (components.c.name == name)
