"""The system calls that a confined child may make, as a filter program for the kernel.

Everything that is not named here fails with EPERM. Source: seccomp(2), linux/filter.h, linux/seccomp.h.
"""

import errno
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from flowassist.zygote.syscalls import Machine


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ALLOWED = _names("""
access arch_prctl brk chdir clock_getres clock_gettime clock_nanosleep close close_range dup dup2 dup3
epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 exit exit_group faccessat faccessat2
fadvise64 fallocate fdatasync fstat fstatfs fsync ftruncate futex get_robust_list getcpu getcwd
getdents64 getegid geteuid getgid getgroups getpeername getpid getppid getpriority getrandom getresgid getresuid
getrlimit getrusage getsockname getsockopt gettid gettimeofday getuid lseek lstat madvise membarrier mincore
mkdir mkdirat mmap mprotect mremap munmap nanosleep newfstatat open openat pipe pipe2 poll ppoll pread64 preadv
pselect6 pwrite64 pwritev read readlink readlinkat readv rename renameat renameat2
restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigtimedwait
sched_getaffinity sched_getparam sched_getscheduler sched_yield select sendfile set_robust_list
set_tid_address setitimer shutdown sigaltstack stat statfs statx sysinfo time timerfd_create
timerfd_gettime timerfd_settime times umask uname unlink unlinkat wait4 write writev
""")

# calls that no component makes by accident: they end the child
FATAL = _names("""
add_key bpf chroot delete_module execve execveat finit_module fsconfig fsmount fsopen init_module io_uring_enter
io_uring_register io_uring_setup kexec_load keyctl mount move_mount open_by_handle_at open_tree perf_event_open
pidfd_getfd pivot_root process_madvise process_vm_readv process_vm_writev ptrace reboot request_key setns
umount2 unshare userfaultfd
""")

# glibc asks for these first and has a way without them
ABSENT = ("clone3", "openat2")

_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x40000000

_A_THREAD = 0x10F00  # of CLONE_VM, FS, FILES, SIGHAND and THREAD none may miss: all share memory and descriptors
_CLONE_NAMESPACES = 0x7E020080
_AF_UNIX, _SOCK_STREAM, _TYPE, _MSG_OOB = 1, 1, 0xF, 1
_PR_SET_NAME = 15
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS
_HARMLESS_FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 1030, 1032, 1034)
_HARMLESS_IOCTLS = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX


@dataclass(frozen=True, slots=True)
class Word:
    """One 32-bit half of an argument that, masked, must be one of the values."""

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    high: bool = False

    @property
    def offset(self) -> int:
        return _ARGUMENTS_AT + 8 * self.argument + (4 if self.high else 0)


CONDITIONAL: dict[str, tuple[Word, ...]] = {
    # asyncio wakes itself through one; a datagram socket could still be used to send to any address
    "socketpair": (Word(0, (_AF_UNIX,)), Word(1, (_SOCK_STREAM,), _TYPE)),
    "sendto": (Word(3, (0,), _MSG_OOB), Word(4, (0,)), Word(4, (0,), high=True)),  # no address
    "recvfrom": (Word(3, (0,), _MSG_OOB),),
    "clone": (Word(0, (_A_THREAD,), _A_THREAD | _CLONE_NAMESPACES),),
    "fcntl": (Word(1, _HARMLESS_FCNTLS),),  # above all, no F_SETOWN: it has the kernel send signals to others
    "prlimit64": (Word(0, (0,)), Word(2, (0,)), Word(2, (0,), high=True)),  # reading one's limits, never setting them
    "prctl": (Word(0, (_PR_SET_NAME,)),),
    "ioctl": (Word(1, _HARMLESS_IOCTLS),),
}


def program(machine: Machine) -> bytes:
    """The whole filter in the kernel's form, 8 bytes an instruction."""
    return b"".join(_instructions(machine))


def refusing(machine: Machine, names: tuple[str, ...]) -> bytes:
    """A filter that allows everything but `names`, which fail with ENOSYS, as on a kernel without them."""
    head = [*_right_machine(machine), _load(_NUMBER_AT)]
    rules = [i for name in names for i in _verdict(machine.numbers[name], _ERRNO | errno.ENOSYS)]
    return b"".join([*head, *rules, _return(_ALLOW)])


def _instructions(machine: Machine) -> Iterator[bytes]:
    yield from _right_machine(machine)
    yield _load(_NUMBER_AT)
    if machine.x32:
        yield from (_jump(_AT_LEAST, _X32_BIT, 0, 1), _return(_KILL))
    for names, action in ((FATAL, _KILL), (ABSENT, _ERRNO | errno.ENOSYS), (ALLOWED, _ALLOW)):
        for name in names:
            if name in machine.numbers:
                yield from _verdict(machine.numbers[name], action)
    for name, words in CONDITIONAL.items():
        yield from _conditional(machine.numbers[name], words)
    yield _return(_ERRNO | errno.EPERM)


def _right_machine(machine: Machine) -> tuple[bytes, ...]:
    return _load(_ARCH_AT), _jump(_EQUAL, machine.audit, 1, 0), _return(_KILL)


def _verdict(number: int, action: int) -> tuple[bytes, bytes]:
    return _jump(_EQUAL, number, 0, 1), _return(action)


def _conditional(number: int, words: tuple[Word, ...]) -> list[bytes]:
    block = [instruction for word in words for instruction in _require(word)] + [_return(_ALLOW)]
    return [_jump(_EQUAL, number, 0, len(block)), *block]


def _require(word: Word) -> list[bytes]:
    """Go on behind this block if the word fits, else EPERM."""
    last = len(word.values)
    jumps = [_jump(_EQUAL, value, last - i, 0) for i, value in enumerate(word.values)]
    return [_load(word.offset), _code(_AND, word.mask), *jumps, _return(_ERRNO | errno.EPERM)]


def _load(offset: int) -> bytes:
    return _code(_LOAD, offset)


def _return(action: int) -> bytes:
    return _code(_RETURN, action)


def _code(operation: int, value: int) -> bytes:
    return _jump(operation, value, 0, 0)


def _jump(operation: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)
