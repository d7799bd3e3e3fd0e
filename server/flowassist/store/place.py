"""The settings of where things are kept: read, and named in whatever they make fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from flowassist.settings import SettingError

SETTING = "FLOWASSIST_DATABASE_URL"
KINDS = "sqlite+aiosqlite:////folder/name.db, or postgresql+asyncpg://user:password@host/name"
KEY_FILE = "FLOWASSIST_ENCRYPTION_KEY_FILE"


def place_of(text: str) -> URL:
    """The database that the setting names. Raises SettingError; it may hold a password, so it is not shown."""
    try:
        return make_url(text)
    except (ArgumentError, ValueError):
        raise SettingError(f"{SETTING} is no URL of a database: let it read {KINDS}.") from None


def check_driver(url: URL) -> None:
    """Raises SettingError for a driver that is not known, or not async. Reads files: call it in a thread."""
    asks = f"{SETTING} asks for {url.drivername}, which is"
    try:
        is_async = url.get_dialect().get_async_dialect_cls(url).is_async
    except NoSuchModuleError:
        raise SettingError(f"{asks} no driver here: let it read {KINDS}.") from None
    if not is_async:
        raise SettingError(f"{asks} not async: let it read {KINDS}.")


def check_present(url: URL) -> None:
    """Raises SettingError where SQLite would make a new file. Reads files: call it in a thread."""
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        raise SettingError(f"There is no {url.database}: let {SETTING} name the server's database.")


def check_tables(connection: Connection) -> None:
    """Raises SettingError for a database that no server of ours has used."""
    if not inspect(connection).has_table("variables"):
        raise SettingError(f"That database has no tables of flowassist: let {SETTING} name the server's.")


@contextmanager
def opening(url: URL) -> Iterator[None]:
    """Whatever goes wrong inside is told as what the setting leads to, without its password. Raises SettingError."""
    try:
        yield
    except SettingError:
        raise
    except ModuleNotFoundError as error:
        advice = f"run pip install {error.name}, or set {SETTING} to another database"
        raise SettingError(f"{SETTING} asks for {url.drivername}, which is not installed: {advice}.") from None
    except Exception as error:  # noqa: BLE001 - drivers raise exceptions of their own, with or without SQLAlchemy's
        where = url.set(query={}).render_as_string(hide_password=True)  # a query may hold a password too
        raise SettingError(f"{where} cannot be opened ({_said(error, url)}): correct {SETTING}.") from None


@contextmanager
def of_key_file() -> Iterator[None]:
    """What is wrong with the file that holds the keys, named by its setting. Raises SettingError."""
    try:
        yield
    except SettingError as error:
        advice = "Let it name a file of keys that only the server may read, or one that is not there yet."
        raise SettingError(f"{KEY_FILE}: {error} {advice}") from None


def _said(error: Exception, url: URL) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    said = f"{type(cause).__name__}: {cause}"
    return said.replace(str(url.password), "***") if url.password else said
