import ctypes
import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from flowassist.zygote import folders


def dug(root: Path, depth: int, name: str = "d") -> None:
    """Folders inside folders, deeper than any path may be long."""
    place = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=place)
        deeper = os.open(name, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = deeper
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)


@pytest.mark.parametrize("depth", [0, 1, 50, 3000])
def test_any_depth_is_removed(tmp_path: Path, depth: int) -> None:
    root = tmp_path / "root"
    root.mkdir()
    dug(root, depth)
    folders.remove(str(root))
    assert not root.exists()


def test_closed_folders_and_links_are_removed_and_nothing_behind_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    root = tmp_path / "root"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "link").symlink_to(outside)
    (root / "a" / "b").chmod(0)
    (root / "link").symlink_to(outside)
    folders.remove(str(root))
    assert not root.exists()
    assert (outside / "kept").exists()


def test_what_is_not_there_is_no_error(tmp_path: Path) -> None:
    folders.remove(str(tmp_path / "none"))


def test_outgrown_counts_entries_bytes_and_what_cannot_be_seen(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"f{number}").write_bytes(b"x" * (1 << 16))
    assert not folders.outgrown(str(tmp_path), 5, 5 << 16)
    assert folders.outgrown(str(tmp_path), 4, 5 << 16)
    assert folders.outgrown(str(tmp_path), 5, (5 << 16) - 1)
    dug(tmp_path, 30, "d" * 250)
    assert folders.outgrown(str(tmp_path), 10**6, 10**9)
    folders.remove(str(tmp_path / ("d" * 250)))


def test_space_that_a_file_owns_beyond_its_end_counts(tmp_path: Path) -> None:
    keep_size, size = 1, 1 << 20
    file = os.open(tmp_path / "short", os.O_CREAT | os.O_WRONLY)
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.fallocate(file, keep_size, ctypes.c_long(0), ctypes.c_long(size)) == 0
    os.close(file)
    assert (tmp_path / "short").stat().st_size == 0
    assert folders.outgrown(str(tmp_path), 9, size - 1)


def test_what_never_stays_in_place_has_outgrown(tmp_path: Path) -> None:
    """Folders that are renamed all the time cannot be looked into, and could hold anything."""
    (tmp_path / "a" / "a" / "a" / "a").mkdir(parents=True)
    done = threading.Event()
    threads = [threading.Thread(target=swapped, args=(tmp_path, depth, done)) for depth in range(3)]
    for thread in threads:
        thread.start()
    found = [folders.outgrown(str(tmp_path), 3, 1 << 20) for _ in range(50)]
    done.set()
    for thread in threads:
        thread.join()
    assert all(found)


def swapped(root: Path, depth: int, done: threading.Event) -> None:
    """Rename the folder at this depth to and fro, whenever those above it have their first name."""
    above = root.joinpath(*"a" * depth)
    while not done.is_set():
        for old, new in ("ab", "ba"):
            with suppress(OSError):
                (above / old).rename(above / new)


def test_names_made_to_be_in_the_way_are_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for number in range(1, 30):
        (root / f".moved-{number}-{os.getpid()}" / "a" / "b").mkdir(parents=True)
    folders.remove(str(root))
    assert not root.exists()
