"""Turning a freshly forked child into one that can do nothing but compute."""

import os
import resource
import signal
import sys
import sysconfig
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from flowassist.zygote import identity, kernel, landlock, seccomp
from flowassist.zygote.identity import Identity
from flowassist.zygote.syscalls import Machine, this_machine

RESULT_FD = 3
_MEMORY_BYTES = 1 << 30
_FILE_BYTES = 2 << 20
_OPEN_FILES = 48  # with the size of one file this bounds what is unlinked and still held
_TASKS = 64
_STACK_BYTES = 1 << 20  # small stacks, so that threads fit into the address space
_NICER = 5  # the server's streams come before generated code
_SYSTEM_PATHS = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/usr/share/mime",
    "/usr/share/zoneinfo",
    "/dev/urandom",
    "/dev/null",
)


@dataclass(frozen=True, slots=True)
class Confinement:
    """What this kernel and this user allow. `landlock` is its version, 0 where there is none."""

    machine: Machine
    landlock: int
    filter: bytes
    identity: Identity
    readable: tuple[str, ...]

    @property
    def whole(self) -> bool:
        return bool(self.landlock and self.filter)


@dataclass(frozen=True, slots=True)
class Cell:
    """Where one child lives: `place` counts from 0 and is its own while it lives; `folder` is all it may write."""

    place: int
    folder: str
    wall_seconds: float


def available() -> Confinement:
    """Raises OSError on a machine that we have no system call table for."""
    machine = this_machine()
    importable = _importable()
    readable = tuple(dict.fromkeys([*importable, *_SYSTEM_PATHS]))
    code = seccomp.program(machine) if _kernel_filters() else b""
    return Confinement(machine, landlock.abi(machine), code, identity.choose(importable), readable)


def enter(confinement: Confinement, cell: Cell, result_fd: int) -> None:
    """Confine this process, which must have one thread, for the rest of its life. Raises OSError.

    Afterwards RESULT_FD is the only descriptor besides /dev/null.
    """
    _leave_the_parent(result_fd)
    _own_surroundings(cell.folder)
    _limit_resources(cell.wall_seconds, own_user=confinement.identity.own_user)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    confinement.identity.assume(confinement.machine, cell.place)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of uid had cleared it
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    if confinement.landlock:
        writable = (cell.folder, "/dev/null")
        landlock.restrict(confinement.machine, confinement.landlock, confinement.readable, writable)
    if confinement.filter:
        kernel.load_filter(confinement.filter)


def _leave_the_parent(result_fd: int) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.dup2(result_fd, RESULT_FD, inheritable=False)
    os.closerange(RESULT_FD + 1, 1 << 20)


def _own_surroundings(folder: str) -> None:
    os.environ.clear()
    os.environ.update(HOME=folder, TMPDIR=folder, LANG="C.UTF-8", PATH="/nonexistent")
    tempfile.tempdir = folder
    os.chdir(folder)


def _limit_resources(wall_seconds: float, *, own_user: bool) -> None:
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    os.nice(_NICER)
    seconds = int(wall_seconds) + 2
    _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
    _limit(resource.RLIMIT_AS, _address_space() + _MEMORY_BYTES)
    _limit(resource.RLIMIT_FSIZE, _FILE_BYTES)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_STACK, _STACK_BYTES)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NPROC, _TASKS if own_user else _tasks_now() + _TASKS)


def _limit(what: int, soft: int, hard: int | None = None) -> None:
    """Never above what is already the most."""
    most = resource.getrlimit(what)[1]
    top = soft if hard is None else hard
    if most != resource.RLIM_INFINITY:
        soft, top = min(soft, most), min(top, most)
    resource.setrlimit(what, (soft, top))


def _address_space() -> int:
    """Bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _tasks_now() -> int:
    """All of the machine's: the limit counts a user's tasks everywhere, and they are at most these."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def _importable() -> tuple[str, ...]:
    """Where Python's and installed modules lie; not every folder on the path, which may be somebody's project."""
    own = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    libraries = [str(Path(prefix, lib)) for prefix in (sys.prefix, sys.base_prefix) for lib in ("lib", "lib64")]
    installed = [folder for folder in sys.path if folder.endswith("-packages")]
    return tuple(dict.fromkeys(folder for folder in (*own, *libraries, *installed) if Path(folder).is_dir()))


def _kernel_filters() -> bool:
    """Whether this kernel knows filters at all."""
    return "Seccomp:" in Path("/proc/self/status").read_text()
