"""Who children become."""

import os
from pathlib import Path

import pytest

from flowassist.zygote.identity import Identity, choose

DAC_READ_SEARCH = 1 << 2
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root chooses")


@root_only
def test_a_python_that_all_can_read_needs_no_right() -> None:
    assert choose(["/usr/lib"]) == Identity(own_user=True, kept=0)


@root_only
def test_a_python_in_a_closed_home_needs_the_right_to_read(tmp_path: Path) -> None:
    closed = tmp_path / "home"
    (closed / "python").mkdir(parents=True)
    closed.chmod(0o700)
    assert choose(["/usr/lib", str(closed / "python")]) == Identity(own_user=True, kept=DAC_READ_SEARCH)


def test_each_place_has_a_uid_of_its_own() -> None:
    uids = {Identity(own_user=True, kept=0).uid(place) for place in range(8)}
    assert len(uids) == 8
    assert os.getuid() not in uids
    assert Identity(own_user=False, kept=0).uid(3) == os.getuid()
