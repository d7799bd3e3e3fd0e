"""The files that a confined child may reach. Source: landlock(7)."""

import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from flowassist.zygote import kernel
from flowassist.zygote.syscalls import Machine

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REGULAR, _TRUNCATE = 1 << 4, 1 << 5, 1 << 7, 1 << 8, 1 << 14
_READ = _READ_FILE | _READ_DIR
_CHANGE = _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REGULAR | _TRUNCATE
_FILE_ONLY = _WRITE_FILE | _READ_FILE | _TRUNCATE
_ABI_QUERY = 1
_PATH_BENEATH = 1

# rights that each version of the interface added to the 13 of the first
_SINCE = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}


def abi(machine: Machine) -> int:
    """The kernel's version of the interface; 0 where there is none."""
    try:
        return kernel.syscall(machine.numbers["landlock_create_ruleset"], None, 0, _ABI_QUERY)
    except OSError:
        return 0


def restrict(machine: Machine, version: int, readable: Iterable[str], writable: Iterable[str]) -> None:
    """Confine this thread to reading below `readable` and writing below `writable`. Raises OSError.

    no_new_privs must be set. No TCP, no abstract Unix sockets and no signals to the outside where the version has
    words for it.
    """
    rules = _ruleset(machine, version)
    for path in readable:
        _allow(machine, rules, path, _READ)
    for path in writable:
        _allow(machine, rules, path, (_READ | _CHANGE) & _handled(version))
    kernel.syscall(machine.numbers["landlock_restrict_self"], rules, 0)
    os.close(rules)


def _handled(version: int) -> int:
    return ((1 << 13) - 1) | sum(right for since, right in _SINCE.items() if version >= since)


def _ruleset(machine: Machine, version: int) -> int:
    """A file descriptor; nothing is allowed by it yet."""
    bind_and_connect, abstract_sockets_and_signals = 3, 3
    words = [_handled(version)]
    if version >= 4:
        words.append(bind_and_connect)
    if version >= 6:
        words.append(abstract_sockets_and_signals)
    attributes = struct.pack(f"={len(words)}Q", *words)
    return kernel.syscall(machine.numbers["landlock_create_ruleset"], attributes, len(attributes), 0)


def _allow(machine: Machine, rules: int, path: str, rights: int) -> None:
    with suppress(FileNotFoundError):
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        given = rights if Path(path).is_dir() else rights & _FILE_ONLY
        rule = struct.pack("=Qi", given, beneath)
        kernel.syscall(machine.numbers["landlock_add_rule"], rules, _PATH_BENEATH, rule, 0)
        os.close(beneath)
