"""The few kernel calls that Python's standard library does not offer. Source: man 2 prctl, capset, landlock(7)."""

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38

SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def prctl(option: int, value: int) -> None:
    """Raises OSError."""
    _checked(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """Raises OSError with the kernel's errno."""
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(int(_libc.syscall(ctypes.c_long(number), *words)), f"system call {number}")


def set_capabilities(number: int, kept: int) -> None:
    """Make `kept`, a bit set of capabilities, all that this thread has. `number` is that of capset(2)."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    low, high = kept & 0xFFFFFFFF, kept >> 32
    sets = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)
    _checked(int(_libc.syscall(ctypes.c_long(number), header, sets)), "capset")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def load_filter(program: bytes) -> None:
    """Install a seccomp filter (8 bytes an instruction) on this thread and all that it will start."""
    code = ctypes.create_string_buffer(program, len(program))
    whole = _Program(len(program) // 8, ctypes.cast(code, ctypes.c_void_p))
    result = _libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0)
    _checked(result, "seccomp filter")


def _checked(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result
