"""The database as queries get it: how many may write, and how long it may take to answer."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from flowassist.errors import Reason, Refused
from flowassist.store.keys import KeysError
from flowassist.store.vault import Vault

TRIES = 3  # each further one means that another server wrote, or rotated the keys, in that very moment

logger = structlog.get_logger("flowassist")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Database:
    """Where they lie. `writing` lets as many write at once as it can bear; it must answer within `seconds`, if any."""

    engine: AsyncEngine
    writing: asyncio.Semaphore
    vault: Vault
    seconds: float | None

    async def answer(self, work: Awaitable[T]) -> T:
        """What `work` gives. Raises Refused: STORE_UNAVAILABLE, VARIABLE_KEYS_UNUSABLE."""
        try:
            async with asyncio.timeout(self.seconds):
                return await work
        except (TimeoutError, SQLAlchemyError, OSError) as error:
            logger.warning("store.unavailable", error=f"{type(error).__name__}: {error}")
            raise Refused(Reason.STORE_UNAVAILABLE) from error
        except KeysError as error:
            logger.warning("variables.keys_unusable", reason=str(error))
            raise Refused(Reason.VARIABLE_KEYS_UNUSABLE) from error


def utc(at: datetime) -> datetime:
    """SQLite forgets the zone."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
