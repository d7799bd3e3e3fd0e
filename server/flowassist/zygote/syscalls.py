"""System call numbers by name, for the two machines that we serve. Source: Linux 6.1, asm/unistd.h."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """`audit` is the word by which seccomp knows the machine; `x32` tells whether a second ABI hides behind it."""

    audit: int
    x32: bool
    numbers: Mapping[str, int]


def _table(text: str) -> dict[str, int]:
    return {name: int(number) for name, _, number in (entry.partition("=") for entry in text.split())}


_X86_64 = """
access=21 add_key=248 arch_prctl=158 bpf=321 brk=12 capset=126 chdir=80 chroot=161 clock_getres=229 clock_gettime=228
clock_nanosleep=230 clone=56 clone3=435 close=3 close_range=436 delete_module=176 dup=32 dup2=33 dup3=292
epoll_create=213 epoll_create1=291 epoll_ctl=233 epoll_pwait=281 epoll_wait=232 eventfd2=290 execve=59 execveat=322
exit=60 exit_group=231 faccessat=269 faccessat2=439 fadvise64=221 fallocate=285 fcntl=72 fdatasync=75 finit_module=313
fsconfig=431 fsmount=432 fsopen=430 fstat=5 fstatfs=138 fsync=74 ftruncate=77 futex=202 get_robust_list=274 getcpu=309
getcwd=79 getdents64=217 getegid=108 geteuid=107 getgid=104 getgroups=115 getpeername=52 getpid=39 getppid=110
getpriority=140 getrandom=318 getresgid=120 getresuid=118 getrlimit=97 getrusage=98 getsockname=51 getsockopt=55
gettid=186 gettimeofday=96 getuid=102 init_module=175 io_uring_enter=426 io_uring_register=427 io_uring_setup=425
ioctl=16 kexec_load=246 keyctl=250 landlock_add_rule=445 landlock_create_ruleset=444 landlock_restrict_self=446
lseek=8 lstat=6 madvise=28 membarrier=324 mincore=27 mkdir=83 mkdirat=258 mmap=9 mount=165 move_mount=429 mprotect=10
mremap=25 munmap=11 nanosleep=35 newfstatat=262 open=2 open_by_handle_at=304 open_tree=428 openat=257 openat2=437
perf_event_open=298 pidfd_getfd=438 pipe=22 pipe2=293 pivot_root=155 poll=7 ppoll=271 prctl=157 pread64=17 preadv=295
prlimit64=302 process_madvise=440 process_vm_readv=310 process_vm_writev=311 pselect6=270 ptrace=101 pwrite64=18
pwritev=296 read=0 readlink=89 readlinkat=267 readv=19 reboot=169 recvfrom=45 rename=82 renameat=264 renameat2=316
request_key=249 restart_syscall=219 rmdir=84 rseq=334 rt_sigaction=13 rt_sigpending=127 rt_sigprocmask=14
rt_sigreturn=15 rt_sigtimedwait=128 sched_getaffinity=204 sched_getparam=143 sched_getscheduler=145 sched_yield=24
select=23 sendfile=40 sendto=44 set_robust_list=273 set_tid_address=218 setitimer=38 setns=308 shutdown=48
sigaltstack=131 socketpair=53 stat=4 statfs=137 statx=332 sysinfo=99 time=201 timerfd_create=283 timerfd_gettime=287
timerfd_settime=286 times=100 umask=95 umount2=166 uname=63 unlink=87 unlinkat=263 unshare=272 userfaultfd=323
wait4=61 write=1 writev=20
"""

_AARCH64 = """
add_key=217 bpf=280 brk=214 capset=91 chdir=49 chroot=51 clock_getres=114 clock_gettime=113 clock_nanosleep=115
clone=220 clone3=435 close=57 close_range=436 delete_module=106 dup=23 dup3=24 epoll_create1=20 epoll_ctl=21
epoll_pwait=22 eventfd2=19 execve=221 execveat=281 exit=93 exit_group=94 faccessat=48 faccessat2=439 fadvise64=223
fallocate=47 fcntl=25 fdatasync=83 finit_module=273 fsconfig=431 fsmount=432 fsopen=430 fstat=80 fstatfs=44 fsync=82
ftruncate=46 futex=98 get_robust_list=100 getcpu=168 getcwd=17 getdents64=61 getegid=177 geteuid=175 getgid=176
getgroups=158 getpeername=205 getpid=172 getppid=173 getpriority=141 getrandom=278 getresgid=150 getresuid=148
getrlimit=163 getrusage=165 getsockname=204 getsockopt=209 gettid=178 gettimeofday=169 getuid=174 init_module=105
io_uring_enter=426 io_uring_register=427 io_uring_setup=425 ioctl=29 kexec_load=104 keyctl=219 landlock_add_rule=445
landlock_create_ruleset=444 landlock_restrict_self=446 lseek=62 madvise=233 membarrier=283 mincore=232 mkdirat=34
mmap=222 mount=40 move_mount=429 mprotect=226 mremap=216 munmap=215 nanosleep=101 newfstatat=79 open_by_handle_at=265
open_tree=428 openat=56 openat2=437 perf_event_open=241 pidfd_getfd=438 pipe2=59 pivot_root=41 ppoll=73 prctl=167
pread64=67 preadv=69 prlimit64=261 process_madvise=440 process_vm_readv=270 process_vm_writev=271 pselect6=72
ptrace=117 pwrite64=68 pwritev=70 read=63 readlinkat=78 readv=65 reboot=142 recvfrom=207 renameat=38 renameat2=276
request_key=218 restart_syscall=128 rseq=293 rt_sigaction=134 rt_sigpending=136 rt_sigprocmask=135 rt_sigreturn=139
rt_sigtimedwait=137 sched_getaffinity=123 sched_getparam=121 sched_getscheduler=120 sched_yield=124 sendfile=71
sendto=206 set_robust_list=99 set_tid_address=96 setitimer=103 setns=268 shutdown=210 sigaltstack=132 socketpair=199
statfs=43 statx=291 sysinfo=179 timerfd_create=85 timerfd_gettime=87 timerfd_settime=86 times=153 umask=166 umount2=39
uname=160 unlinkat=35 unshare=97 userfaultfd=282 wait4=260 write=64 writev=66
"""

MACHINES = {
    "x86_64": Machine(audit=0xC000003E, x32=True, numbers=_table(_X86_64)),
    "aarch64": Machine(audit=0xC00000B7, x32=False, numbers=_table(_AARCH64)),
}


def this_machine() -> Machine:
    """Raises OSError where we have no table."""
    name = platform.machine()
    if name not in MACHINES:
        raise OSError(f"no system call table for {name}")
    return MACHINES[name]
