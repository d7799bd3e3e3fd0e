"""System calls by number, as an attacker has them. Source: Linux, asm/unistd.h."""

import platform

from flowassist.zygote.syscalls import this_machine

# name, x86-64, arm64
_MORE = """
accept4 288 242, acct 163 89, adjtimex 159 171, bind 49 200, clock_settime 227 112, connect 42 203, cachestat 451 451
fanotify_init 300 262, fanotify_mark 301 263, fchmodat 268 53, fchownat 260 54, flock 73 32, futex_waitv 449 449
get_mempolicy 236 236, inotify_init1 294 26, io_setup 206 0, ioprio_set 251 30, kcmp 312 272, kill 62 129
linkat 265 37, listen 50 201, lookup_dcookie 212 18, memfd_create 319 279, memfd_secret 447 447, mknodat 259 33
mlock 149 228, mlockall 151 230, mount_setattr 442 442, mq_open 240 180, msgget 68 186, migrate_pages 256 238
move_pages 279 239, name_to_handle_at 303 264, personality 135 92, pidfd_open 434 434, pidfd_send_signal 424 424
pkey_alloc 330 289, process_mrelease 448 448, quotactl 179 60, recvmsg 47 212, remap_file_pages 216 234
rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, sched_setattr 314 274, sched_setscheduler 144 119
seccomp 317 277, semget 64 190, semop 65 193, sendmsg 46 211, sethostname 170 161, setsockopt 54 208
setxattr 188 5, shmat 30 196, shmget 29 194, signalfd4 289 74, socket 41 198, splice 275 76, swapon 167 224
symlinkat 266 36, sync 162 81
syslog 103 116, tee 276 77, tgkill 234 131, timer_create 222 107, timer_settime 223 110, tkill 200 130
truncate 76 45, utimensat 280 88, vhangup 153 58, vmsplice 278 75, set_mempolicy 238 237, mbind 237 235
"""

_COLUMN = 1 if platform.machine() == "x86_64" else 2
MORE = {
    parts[0]: int(parts[_COLUMN]) for parts in (entry.split() for entry in _MORE.replace("\n", ",").split(",")) if parts
}
NUMBERS = {**this_machine().numbers, **MORE}

RAW = """
import ctypes
import errno
libc = ctypes.CDLL(None, use_errno=True)

def called(function, *words):
    got = function(*words)
    if got < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return got

def denied(*words):
    got = libc.syscall(*(ctypes.c_long(word) if isinstance(word, int) else word for word in words))
    if got < 0 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS):
        raise OSError(ctypes.get_errno(), "refused")
    return words[0], got, ctypes.get_errno()
"""
