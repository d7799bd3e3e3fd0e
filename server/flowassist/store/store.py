"""The database. `store.of(owner)` is the only way to data."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import event, func, insert, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from flowassist.store.tables import messages, metadata

_BUSY_MILLISECONDS = 5000
_WRITERS = 10  # SQLite has one writer at a time, and lets those who wait for it by themselves starve


@dataclass(frozen=True, slots=True)
class Exchange:
    """One remembered turn: what was asked, what was answered, and the component's code if there was one."""

    asked: str
    answered: str
    component_code: str = ""


class Store:
    """Opens its database with `open()`; any SQLAlchemy async URL."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._engine: AsyncEngine
        self._writing = asyncio.Semaphore(1 if self._url.get_backend_name() == "sqlite" else _WRITERS)

    async def open(self) -> None:
        """Make the tables that are missing. Nothing else works before."""
        self._engine = await asyncio.to_thread(_engine, self._url)
        async with self._engine.begin() as connection:
            await connection.run_sync(metadata.create_all)

    @property
    def place(self) -> str:
        """Where it is, without a password."""
        return self._url.render_as_string(hide_password=True)

    def of(self, owner: str) -> "Owned":
        return Owned(self._engine, owner, self._writing)

    async def close(self) -> None:
        if hasattr(self, "_engine"):
            await self._engine.dispose()


class Owned:
    """One owner's data."""

    def __init__(self, engine: AsyncEngine, owner: str, writing: asyncio.Semaphore) -> None:
        self._engine, self._owner, self._writing = engine, owner, writing

    async def history(self, session_id: str, turns: int) -> tuple[Exchange, ...]:
        """The session's last turns, oldest first."""
        if not turns:
            return ()
        mine = (messages.c.owner == self._owner) & (messages.c.session_id == session_id)
        last = (
            select(messages.c.turn_id, func.max(messages.c.id).label("last"))
            .where(mine)
            .group_by(messages.c.turn_id)
            .order_by(func.max(messages.c.id).desc())
            .limit(turns)
            .subquery()
        )
        query = select(messages).join(last, messages.c.turn_id == last.c.turn_id).where(mine).order_by(messages.c.id)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        return _exchanges(rows)

    async def remember(self, session_id: str, turn_id: str, exchange: Exchange) -> None:
        """Keep one turn, whole or not at all."""
        common = {
            "owner": self._owner,
            "session_id": session_id,
            "turn_id": turn_id,
            "created_at": datetime.now(UTC),
        }
        rows = [
            {**common, "sender": "user", "text": exchange.asked, "component_code": ""},
            {**common, "sender": "assistant", "text": exchange.answered, "component_code": exchange.component_code},
        ]
        async with self._writing, self._engine.begin() as connection:
            await connection.execute(insert(messages), rows)


def _engine(url: URL) -> AsyncEngine:
    """Parameters are users' texts: they must not stand in errors."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, hide_parameters=True)
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = create_async_engine(url, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _exchanges(rows: Sequence[Any]) -> tuple[Exchange, ...]:
    asked = {row.turn_id: row.text for row in rows if row.sender == "user"}
    answers = [row for row in rows if row.sender == "assistant"]
    return tuple(Exchange(asked.get(row.turn_id, ""), row.text, row.component_code) for row in answers)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")
    cursor.close()
