"""The database. `store.of(owner)` is the only way to data."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import event, func, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from flowassist.errors import Reason, Refused
from flowassist.secret import Secret
from flowassist.store import components, rotation, variables
from flowassist.store.components import Component, Kept, Listed
from flowassist.store.database import TRIES, Database
from flowassist.store.place import check_driver, check_present, check_tables, of_key_file, opening, place_of
from flowassist.store.rotation import Rotated
from flowassist.store.tables import messages, metadata
from flowassist.store.variables import Variable
from flowassist.store.vault import Vault

ANSWER_SECONDS = 3.0
_BUSY_MILLISECONDS = 2500  # less than ANSWER_SECONDS: a wait for SQLite's lock cannot be cancelled
_WRITERS = 10  # SQLite has one writer at a time, and lets those who wait for it by themselves starve


@dataclass(frozen=True, slots=True)
class Exchange:
    """One remembered turn: what was asked, what was answered, and the component's code if there was one."""

    asked: str
    answered: str
    component_code: str = ""


class Store:
    """Opens its database with `open()`; any SQLAlchemy async URL. `vault` encrypts what must not lie there to read."""

    def __init__(self, url: str, vault: Vault) -> None:
        self._url = place_of(url)
        self.vault = vault
        self._engine: AsyncEngine
        self._writing = asyncio.Semaphore(1 if self._url.get_backend_name() == "sqlite" else _WRITERS)

    async def open(self) -> None:
        """Make the tables that are missing. Nothing else works before. Raises SettingError."""
        with of_key_file():
            await asyncio.to_thread(self.vault.check)
        with opening(self._url):
            self._engine = await asyncio.to_thread(_engine, self._url)
            async with self._engine.begin() as connection:
                await connection.run_sync(metadata.create_all)

    async def find(self) -> None:
        """Open what is there, and make nothing. Raises SettingError where there is no database of ours."""
        with of_key_file():
            await asyncio.to_thread(self.vault.check)
        with opening(self._url):
            await asyncio.to_thread(check_present, self._url)
            self._engine = await asyncio.to_thread(_engine, self._url)
            async with self._engine.connect() as connection:
                await connection.run_sync(check_tables)

    @property
    def place(self) -> str:
        """Where it is, without a password."""
        return self._url.render_as_string(hide_password=True)

    def of(self, owner: str) -> "Owned":
        return Owned(self._engine, owner, self._writing, self._database)

    async def rotate(self) -> Rotated:
        """Encrypt every owner's variables with the vault's current key, however long it takes.

        Raises Refused: STORE_UNAVAILABLE, VARIABLE_KEYS_UNUSABLE.
        """
        database = replace(self._database, seconds=None)
        return await database.answer(rotation.rotate(database))

    async def count_variables(self) -> int:
        """Of all owners."""
        return await rotation.count(self._database)

    async def unreadable(self) -> int:
        """How many variables, of all owners, no key of the vault opens."""
        return await rotation.unreadable(self._database)

    @property
    def _database(self) -> Database:
        return Database(self._engine, self._writing, self.vault, ANSWER_SECONDS)

    async def close(self) -> None:
        if hasattr(self, "_engine"):
            await self._engine.dispose()


class Owned:
    """One owner's data.

    What concerns variables or components raises Refused: STORE_UNAVAILABLE; variables also VARIABLES_UNREADABLE.
    """

    def __init__(self, engine: AsyncEngine, owner: str, writing: asyncio.Semaphore, database: Database) -> None:
        self._engine, self._owner, self._writing, self._database = engine, owner, writing, database

    async def set_variable(self, name: str, secret: Secret) -> Variable:
        """Write or replace one. Raises Refused: TOO_MANY_VARIABLES."""
        at = await self._database.answer(variables.put(self._database, self._owner, name, secret))
        return Variable(name, at)

    async def list_variables(self) -> tuple[Variable, ...]:
        """In alphabetical order."""
        return await self._database.answer(variables.names(self._database, self._owner))

    async def delete_variable(self, name: str) -> None:
        """Raises Refused: VARIABLE_NOT_FOUND."""
        await self._database.answer(variables.remove(self._database, self._owner, name))

    async def variables(self) -> Mapping[str, Secret | None]:
        """Every value by its name, None for those that none of the keys opens."""
        return await self._database.answer(variables.secrets(self._database, self._owner))

    async def keep_component(self, component: Component) -> datetime:
        """Write or replace one; when that was. Raises Refused: TOO_MANY_COMPONENTS."""
        return await self._database.answer(components.put(self._database, self._owner, component))

    async def list_components(self) -> tuple[Listed, ...]:
        return await self._database.answer(components.listed(self._database, self._owner))

    async def component(self, name: str) -> Kept | None:
        return await self._database.answer(components.one(self._database, self._owner, name))

    async def forget_component(self, name: str) -> None:
        """Raises Refused: COMPONENT_TYPE_NOT_FOUND."""
        await self._database.answer(components.remove(self._database, self._owner, name))

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

    async def remember(
        self, session_id: str, turn_id: str, exchange: Exchange, component: Component | None = None
    ) -> bool:
        """Keep one turn and what it made, whole or not at all; False if there was no room for the component alone."""
        rows = self._rows(session_id, turn_id, exchange)
        for _ in range(TRIES):
            try:
                return await self._remembered(rows, component)
            except IntegrityError:
                continue  # another replica has just made a component of this name
        raise Refused(Reason.STORE_UNAVAILABLE)

    async def _remembered(self, rows: Sequence[Mapping[str, Any]], component: Component | None) -> bool:
        async with self._writing, self._engine.begin() as connection:
            await connection.execute(insert(messages), rows)
            try:
                if component:
                    await components.write(connection, self._owner, component)
            except Refused:
                return False
        return True

    def _rows(self, session_id: str, turn_id: str, exchange: Exchange) -> Sequence[Mapping[str, Any]]:
        common = {
            "owner": self._owner,
            "session_id": session_id,
            "turn_id": turn_id,
            "created_at": datetime.now(UTC),
        }
        return [
            {**common, "sender": "user", "text": exchange.asked, "component_code": ""},
            {**common, "sender": "assistant", "text": exchange.answered, "component_code": exchange.component_code},
        ]


def _engine(url: URL) -> AsyncEngine:
    """Parameters are users' texts: they must not stand in errors. Raises SettingError."""
    check_driver(url)
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
