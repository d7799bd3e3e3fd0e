"""Looking at and removing folders in which hostile code may have built anything: nothing here recurses, and no path
is followed that is longer than the kernel takes."""

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_DEEPEST = 2000  # characters of a path
_LOOKS = 50  # at a folder that changes meanwhile


def outgrown(root: str, most_entries: int, most_bytes: int) -> bool:
    """Whether there is more below `root` than that, or what is there cannot be looked at or never stays in place."""
    for _ in range(_LOOKS):
        try:
            return _more_than(root, most_entries, most_bytes)
        except FileNotFoundError:
            continue  # something went, or was renamed, while we looked
        except OSError:
            break
    return True


def _more_than(root: str, most_entries: int, most_bytes: int) -> bool:
    """Raises OSError."""
    entries = size = 0
    waiting = [root]
    while waiting:
        for path, is_folder, own_size in _entries(waiting.pop()):
            entries, size = entries + 1, size + own_size
            if entries > most_entries or size > most_bytes or len(path) > _DEEPEST:
                return True
            if is_folder:
                waiting.append(path)
    return False


def _size(status: os.stat_result) -> int:
    """Bytes; a file may own more space than it is long."""
    return max(status.st_size, status.st_blocks * 512)


def remove(root: str) -> None:
    """Remove `root` and all below it, as far as the kernel lets us; never raises.

    Folders inside folders are first moved up to `root`, so that depth costs neither stack, descriptors nor long paths.
    """
    with suppress(OSError):
        top = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _empty(top)
        finally:
            os.close(top)
        Path(root).rmdir()


def _empty(top: int) -> None:
    while names := os.listdir(top):
        left = 0
        for name in names:
            _flatten(top, name)
            left += _removed(top, name)
        if not left:
            return  # nothing gives way any more


def _flatten(top: int, name: str) -> None:
    """Empty the folder `name`: its files go, its folders move up to `top`, under names that nobody could foresee."""
    with suppress(OSError):
        if not _is_folder(top, name):
            return
        with suppress(OSError):
            os.chmod(name, 0o700, dir_fd=top)
        inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
        try:
            for entry in os.listdir(inside):  # noqa: PTH208 - a descriptor has no path
                if _is_folder(inside, entry):
                    with suppress(OSError):
                        os.chmod(entry, 0o700, dir_fd=inside)
                        os.rename(entry, secrets.token_hex(16), src_dir_fd=inside, dst_dir_fd=top)
                else:
                    with suppress(OSError):
                        os.unlink(entry, dir_fd=inside)
        finally:
            os.close(inside)


def _removed(top: int, name: str) -> bool:
    """Whether the file or empty folder is gone."""
    with suppress(OSError):
        if _is_folder(top, name):
            os.rmdir(name, dir_fd=top)
        else:
            os.unlink(name, dir_fd=top)
        return True
    return False


def _is_folder(place: int, name: str) -> bool:
    try:
        return os.stat(name, dir_fd=place, follow_symlinks=False).st_mode & 0o170000 == 0o040000
    except OSError:
        return False


def _entries(folder: str) -> Iterator[tuple[str, bool, int]]:
    """Path, whether it is a folder, and size of each entry."""
    with os.scandir(folder) as found:
        for entry in found:
            yield entry.path, entry.is_dir(follow_symlinks=False), _size(entry.stat(follow_symlinks=False))
