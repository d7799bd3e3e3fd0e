"""Holds for every test: our own code never blocks the event loop."""

from collections.abc import Iterator

import pytest
from blockbuster import BlockBuster, blockbuster_ctx


@pytest.fixture(autouse=True)
def never_blocks() -> Iterator[BlockBuster]:
    with blockbuster_ctx("flowassist") as detector:
        yield detector
