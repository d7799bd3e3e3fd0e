"""The keys that encrypt what owners entrust to the store: from a setting, or from a file of the server's own.

Written as urlsafe base64 of 32 bytes. The first one encrypts; the others can still decrypt what they encrypted.
"""

import base64
import fcntl
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Protocol, TextIO

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_BYTES = 32
_Stamp = tuple[int, int, int]


class KeysError(ValueError):
    """The keys cannot be used; the text says why, without any of them."""


@dataclass(frozen=True, slots=True)
class Key:
    """`id` is told beside what it encrypted: 16 hexadecimal digits that say nothing of the key."""

    id: str
    cipher: AESGCM = field(repr=False)


class Keys(Protocol):
    """Reads and writes files: call it in a thread."""

    place: str

    def known(self) -> tuple[Key, ...]:
        """All keys, the one that encrypts first; none if there never was one. Raises KeysError."""
        ...

    def current(self) -> Key:
        """The key that encrypts, made if there is none yet. Raises KeysError."""
        ...

    def renewing(self) -> AbstractContextManager[None]:
        """Inside, the newest key there can be encrypts, and no other process rotates. Raises KeysError."""
        ...


class GivenKeys:
    """Keys of a setting, separated by commas. Raises KeysError."""

    place = "FLOWASSIST_ENCRYPTION_KEYS"

    def __init__(self, text: str) -> None:
        self._keys = _keys(text.split(","), self.place)
        if not self._keys:
            raise KeysError(f"{self.place} holds no key.")

    def known(self) -> tuple[Key, ...]:
        return self._keys

    def current(self) -> Key:
        return self._keys[0]

    def renewing(self) -> AbstractContextManager[None]:
        return nullcontext()


class KeyFile:
    """Keys of a file that only its owner may read, one a line, the newest first. A change of it is seen at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.place = str(path)
        self._read: tuple[_Stamp, tuple[Key, ...]] = ((0, 0, 0), ())

    def known(self) -> tuple[Key, ...]:
        try:
            with open(self._path, encoding="utf-8", errors="replace", opener=_at_once) as file:
                return self._known(file)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise KeysError(f"{self.place} cannot be read: {error.strerror}.") from None

    def current(self) -> Key:
        if not (keys := self.known()):
            self._publish([new_key()], os.link)  # a file that another server made meanwhile stays as it is
            keys = self.known()
        if not keys:
            raise KeysError(f"{self.place} holds no key.")
        return keys[0]

    @contextmanager
    def renewing(self) -> Iterator[None]:
        self.current()
        with _folder(self._path.parent) as folder:
            fcntl.flock(folder, fcntl.LOCK_EX)
            self._publish([new_key(), *self._lines()], os.replace)
            yield

    def keep_newest(self) -> int:
        """Drop all keys but the newest, while `renewing`; how many went."""
        newest, *others = self._lines()
        self._publish([newest], os.replace)
        return len(others)

    def _known(self, file: TextIO) -> tuple[Key, ...]:
        found = os.fstat(file.fileno())
        self._check(found)
        stamp = (found.st_mtime_ns, found.st_ino, found.st_size)
        if stamp != self._read[0]:
            self._read = stamp, _keys(file, self.place)
        if not self._read[1]:
            raise KeysError(f"{self.place} holds no key.")
        return self._read[1]

    def _check(self, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise KeysError(f"{self.place} is no file.")
        if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise KeysError(f"{self.place} may be read by others: run chmod 600 on it, and then rotate its keys.")

    def _lines(self) -> list[str]:
        return self._path.read_text(encoding="utf-8").split()

    def _publish(self, lines: list[str], move: Callable[[Path, Path], None]) -> None:
        """Have the whole file appear at once, or not at all."""
        written = self._path.with_name(f".{self._path.name}.{secrets.token_hex(8)}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write(written, "".join(f"{line}\n" for line in lines))
            move(written, self._path)
            _settle(self._path.parent)
        except FileExistsError:
            pass
        except OSError as error:
            raise KeysError(f"{self.place} cannot be written: {error.strerror}.") from None
        finally:
            with suppress(OSError):
                written.unlink()


@contextmanager
def _folder(path: Path) -> Iterator[int]:
    opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield opened
    finally:
        os.close(opened)


def _settle(folder: Path) -> None:
    """What is encrypted next must not outlive its key in a power cut."""
    with _folder(folder) as opened:
        os.fsync(opened)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def new_key() -> str:
    """As the setting and the file hold it."""
    return base64.urlsafe_b64encode(secrets.token_bytes(_BYTES)).decode()


def _write(path: Path, text: str) -> None:
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(opened, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(opened)


def _keys(texts: Iterable[str], place: str) -> tuple[Key, ...]:
    return tuple(_key(text.strip(), place) for text in texts if text.strip())


def _key(text: str, place: str) -> Key:
    try:
        raw = base64.b64decode(text, altchars=b"-_", validate=True)
    except ValueError:
        raw = b""
    if len(raw) != _BYTES:
        raise KeysError(f"{place} must hold keys of {_BYTES} bytes in urlsafe base64.")
    return Key(blake2b(raw, digest_size=8, person=b"flowassist key").hexdigest(), AESGCM(raw))
