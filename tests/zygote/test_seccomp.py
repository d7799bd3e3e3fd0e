"""The filter's verdicts, by running its program in a small interpreter of the kernel's instructions."""

import errno
import re
import struct
from pathlib import Path

import pytest

from flowassist.zygote.seccomp import ALLOWED, FATAL, program
from flowassist.zygote.syscalls import MACHINES, Machine, this_machine

KILL, ALLOW = 0x80000000, 0x7FFF0000
EPERM, ENOSYS = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
THREAD_FLAGS = 0x3D0F00  # what glibc's pthread_create passes to clone


def verdict(machine: Machine, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the kernel would do with the call."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=iIQ6Q", number, machine.audit if audit is None else audit, 0, *padded)
    code = list(struct.iter_unpack("=HBBI", program(machine)))
    at = accumulator = 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif operation == 0x54:
            accumulator &= value
        else:
            holds = accumulator == value if operation == 0x15 else accumulator >= value
            assert operation in (0x15, 0x35)
            at += if_true if holds else if_false


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return MACHINES[request.param]


def test_named_calls_pass_or_end_the_child(machine: Machine) -> None:
    allowed = [n for n in ALLOWED if n in machine.numbers]
    assert len(allowed) > 80
    assert {verdict(machine, machine.numbers[n]) for n in allowed} == {ALLOW}
    assert {verdict(machine, machine.numbers[n]) for n in FATAL} == {KILL}


def test_everything_else_is_refused(machine: Machine) -> None:
    known = set(machine.numbers.values())
    assert {verdict(machine, n) for n in range(600) if n not in known} == {EPERM}


def test_another_machines_calls_end_the_child(machine: Machine) -> None:
    assert verdict(machine, machine.numbers["read"], audit=0x40000003) == KILL


def test_the_second_abi_of_x86_is_closed() -> None:
    x86 = MACHINES["x86_64"]
    assert verdict(x86, 0x40000000) == KILL
    assert verdict(x86, 0x40000000 + x86.numbers["read"]) == KILL


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (THREAD_FLAGS,), ALLOW),
        ("clone", (17,), EPERM),  # SIGCHLD alone: a fork
        ("clone", (0x4111,), EPERM),  # vfork
        ("clone", (THREAD_FLAGS | 0x10000000,), EPERM),  # a thread in a new user namespace
        ("clone3", (), ENOSYS),
        ("openat2", (), ENOSYS),
        ("clone", (THREAD_FLAGS & ~0x400,), EPERM),  # a thread with descriptors of its own
        ("socketpair", (1, 1), ALLOW),
        ("socketpair", (1, 1 | 0o2004000), ALLOW),  # with SOCK_CLOEXEC and SOCK_NONBLOCK
        ("socketpair", (1, 2), EPERM),  # of datagrams, which go to any address
        ("socketpair", (1, 5), EPERM),
        ("socketpair", (2, 1), EPERM),
        ("sendto", (4, 0x7000, 1, 0x4000, 0), ALLOW),
        ("sendto", (4, 0x7000, 1, 0, 0x7000), EPERM),
        ("sendto", (4, 0x7000, 1, 0, 0x7F00_0000_0000), EPERM),
        ("sendto", (4, 0x7000, 1, 1, 0), EPERM),  # MSG_OOB
        ("recvfrom", (4, 0x7000, 1, 0x40), ALLOW),
        ("recvfrom", (4, 0x7000, 1, 1), EPERM),
        ("fcntl", (4, 3), ALLOW),
        ("fcntl", (4, 1030), ALLOW),
        ("fcntl", (4, 8, 1), EPERM),  # F_SETOWN
        ("fcntl", (4, 10, 9), EPERM),  # F_SETSIG
        ("fcntl", (4, 15), EPERM),  # F_SETOWN_EX
        ("fcntl", (4, 1024), EPERM),  # F_SETLEASE
        ("fcntl", (4, 1031), EPERM),  # F_SETPIPE_SZ
        ("prlimit64", (1, 0, 0), EPERM),  # another's
        ("prlimit64", (0, 0, 0), ALLOW),
        ("prlimit64", (0, 0, 0x7000), EPERM),
        ("prlimit64", (0, 0, 0x7F00_0000_0000), EPERM),
        ("prctl", (15,), ALLOW),
        ("prctl", (4,), EPERM),
        ("prctl", (22,), EPERM),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x541B), ALLOW),
        ("ioctl", (0, 0x5451), ALLOW),
        ("ioctl", (0, 0x5412), EPERM),  # TIOCSTI types into the terminal
        ("ioctl", (0, 0x541C), EPERM),  # TIOCLINUX
        ("landlock_create_ruleset", (), EPERM),
        ("capset", (), EPERM),
    ],
)
def test_arguments_decide(machine: Machine, name: str, arguments: tuple[int, ...], expected: int) -> None:
    assert verdict(machine, machine.numbers[name], *arguments) == expected


def test_jumps_stay_inside_the_program(machine: Machine) -> None:
    code = list(struct.iter_unpack("=HBBI", program(machine)))
    jumps = [(at, *both) for at, (operation, *both, _) in enumerate(code) if operation in (0x15, 0x35)]
    assert all(at + 1 + max(if_true, if_false) < len(code) for at, if_true, if_false in jumps)
    assert code[-1] == (0x06, 0, 0, EPERM)
    assert len(code) < 4096


HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_the_numbers_are_the_kernels(name: str) -> None:
    if not HEADERS[name].exists():
        pytest.skip("the kernel's headers are not installed")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[name].read_text())
    theirs = {call.replace("fstatat", "newfstatat").replace("newnew", "new"): int(number) for call, number in found}
    ours = MACHINES[name].numbers
    assert {call: theirs[call] for call in ours} == ours


def test_this_machine_has_a_table() -> None:
    assert this_machine() in MACHINES.values()
