"""Programs that mean harm, as data: each is a complete component, each of them tries something else."""

from tests.sandbox.attacks import (
    environment,
    escapes,
    files,
    floods,
    forgeries,
    kernel,
    loops,
    memory,
    neighbours,
    network,
    processes,
)
from tests.sandbox.attacks.entry import Attack

__all__ = ["ALL", "Attack"]

ALL = (
    *files.ATTACKS,
    *environment.ATTACKS,
    *network.ATTACKS,
    *processes.ATTACKS,
    *kernel.ATTACKS,
    *memory.ATTACKS,
    *floods.ATTACKS,
    *loops.ATTACKS,
    *forgeries.ATTACKS,
    *escapes.ATTACKS,
    *neighbours.ATTACKS,
)
