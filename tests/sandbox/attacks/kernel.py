"""The kernel itself: calls that no component needs, other ways of making them, and what lives in the kernel."""

import platform

from flowassist.zygote import seccomp
from tests.sandbox.attacks.entry import KILLED, Attack, method, tries
from tests.sandbox.attacks.numbers import MORE, NUMBERS, RAW

NATIVE = "security-native-code"
FATAL = [name for name in seccomp.FATAL if name in NUMBERS]
SHARED = ("shmget", "shmat", "msgget", "semget", "mq_open", "memfd_create", "memfd_secret")
WATCHING = ("inotify_init1", "fanotify_init", "fanotify_mark", "kcmp", "syslog", "lookup_dcookie", "signalfd4")
TIMERS = ("timer_create", "timer_settime", "clock_settime", "adjtimex")
SCHEDULER = ("sched_setscheduler", "sched_setattr", "ioprio_set", "mlock", "mlockall", "set_mempolicy", "mbind")
APART = {*SHARED, *WATCHING, *TIMERS, *SCHEDULER}


def numbered(name: str, calls: tuple[str, ...]) -> Attack:
    return tries(name, NATIVE, *(f"denied({NUMBERS[call]}, 0, 0, 0, 0, 0, 0)" for call in calls), before=RAW)


def fatal(what: str, call: str, *arguments: object) -> Attack:
    words = ", ".join(map(str, (NUMBERS[call], *arguments)))
    return method(what, NATIVE, KILLED, f"libc.syscall({words})", RAW)


# mov eax, N; int 0x80; ret: the same calls by the numbers of 32-bit x86, where 20 is getpid and 2 is fork
MACHINE_CODE = """
import ctypes
import mmap

def run(code):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_long)(address)()
"""
OTHER_DOORS = (
    method("calls as 32-bit programs do", NATIVE, KILLED, r"run(b'\xb8\x14\x00\x00\x00\xcd\x80\xc3')", MACHINE_CODE),
    method("forks as 32-bit programs do", NATIVE, KILLED, r"run(b'\xb8\x02\x00\x00\x00\xcd\x80\xc3')", MACHINE_CODE),
    method(
        "forks by its own machine code",
        NATIVE,
        "done: -1$",
        r"""
        return Message(text=str(run(b'\x48\xc7\xc0\x39\x00\x00\x00\x0f\x05\xc3')))
        """,
        MACHINE_CODE,
    ),
    method("calls by the numbers of x32", NATIVE, KILLED, "libc.syscall(0x40000000 + 57)", RAW),
    method("reads by the numbers of x32", NATIVE, KILLED, "libc.syscall(0x40000000 + 39)", RAW),
    tries("changes its segments", NATIVE, "denied(154, 1, 0, 0)", "denied(172, 3)", "denied(173, 0, 1, 1)", before=RAW),
)

ATTACKS = (
    fatal("opens a file by its handle", "open_by_handle_at", -100, 0, 0),
    fatal("loads a program into the kernel", "bpf", 5, 0, 0),
    fatal("handles page faults itself", "userfaultfd", 0),
    fatal("asks for keys", "keyctl", 0, -3, 0),
    fatal("adds a key", "add_key", 0, 0, 0, 0, -3),
    fatal("requests a key", "request_key", 0, 0, 0, 0),
    fatal("counts events", "perf_event_open", 0, 0, -1, -1, 0),
    fatal("makes a user namespace", "unshare", 0x10000000),
    fatal("makes a mount namespace", "unshare", 0x00020000),
    fatal("enters a namespace", "setns", 0, 0),
    fatal("mounts", "mount", 0, 0, 0, 0, 0),
    fatal("unmounts", "umount2", 0, 0),
    fatal("opens a tree to mount", "open_tree", -100, 0, 1),
    fatal("opens a file system", "fsopen", 0, 0),
    fatal("changes its root", "chroot", 0),
    fatal("pivots the root", "pivot_root", 0, 0),
    fatal("loads another kernel", "kexec_load", 0, 0, 0, 0),
    fatal("loads a module", "finit_module", 0, 0, 0),
    fatal("reboots", "reboot", 0, 0, 0, 0),
    fatal("uses io_uring", "io_uring_setup", 8, 0),
    fatal("enters io_uring", "io_uring_enter", 0, 1, 1, 0, 0, 0),
    fatal("advises another's memory", "process_madvise", 0, 0, 0, 0, 0),
    numbered("shares memory and queues", SHARED),
    numbered("watches files and the kernel", WATCHING),
    numbered("sets timers and clocks", TIMERS),
    numbered("schedules and pins memory", SCHEDULER),
    numbered("calls all else by number", tuple(name for name in MORE if name not in APART)),
    tries(
        "types into a terminal, and other controls",
        "security-filesystem",
        "fcntl.ioctl(0, 0x5412, b'x')",
        "fcntl.ioctl(0, 0x541C, b'x' * 8)",
        "fcntl.ioctl(0, 0x4004662F, b'x' * 8)",
        "fcntl.ioctl(os.open('.', 0), 0x40086602, b'x' * 8)",
        "fcntl.ioctl(0, 0x8933, b'x' * 40)",
        before="import fcntl",
    ),
    *(OTHER_DOORS if platform.machine() == "x86_64" else ()),
)
