"""Looking at and removing folders in which hostile code may have built anything: nothing here recurses, and no path
is followed that is longer than the kernel takes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_DEEPEST = 2000  # characters of a path


def outgrown(root: str, most_entries: int, most_bytes: int) -> bool:
    """Whether there is more below `root` than that, or anything that cannot be looked at."""
    entries = size = 0
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            for entry in _entries(folder):
                entries += 1
                size += entry.stat(follow_symlinks=False).st_size
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                if entries > most_entries or size > most_bytes or len(entry.path) > _DEEPEST:
                    return True
        except FileNotFoundError:
            continue  # it went while we looked
        except OSError:
            return True
    return False


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
    moved = 0
    while names := os.listdir(top):
        left = 0
        for name in names:
            moved = _flattened(top, name, moved)
            left += _removed(top, name)
        if not left:
            return  # nothing gives way any more


def _flattened(top: int, name: str, moved: int) -> int:
    """Empty the folder `name`: its files go, its folders move up to `top`. Returns the count of those moved so far."""
    with suppress(OSError):
        if not _is_folder(top, name):
            return moved
        with suppress(OSError):
            os.chmod(name, 0o700, dir_fd=top)
        inside = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
        try:
            for entry in os.listdir(inside):  # noqa: PTH208 - a descriptor has no path
                if _is_folder(inside, entry):
                    moved += 1
                    with suppress(OSError):
                        os.chmod(entry, 0o700, dir_fd=inside)
                        os.rename(entry, f".moved-{moved}-{os.getpid()}", src_dir_fd=inside, dst_dir_fd=top)
                else:
                    with suppress(OSError):
                        os.unlink(entry, dir_fd=inside)
        finally:
            os.close(inside)
    return moved


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


def _entries(folder: str) -> Iterator["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        yield from found
