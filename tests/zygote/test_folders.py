import os
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
        (tmp_path / f"f{number}").write_bytes(b"x" * 100)
    assert not folders.outgrown(str(tmp_path), 5, 500)
    assert folders.outgrown(str(tmp_path), 4, 500)
    assert folders.outgrown(str(tmp_path), 5, 499)
    dug(tmp_path, 30, "d" * 250)
    assert folders.outgrown(str(tmp_path), 10**6, 10**9)
    folders.remove(str(tmp_path / ("d" * 250)))
