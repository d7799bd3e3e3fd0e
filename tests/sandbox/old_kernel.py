"""Starts the zygote as on a kernel without Landlock: its system calls fail with ENOSYS."""

import os
import sys

from flowassist.zygote import kernel, seccomp
from flowassist.zygote.syscalls import this_machine

kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
kernel.load_filter(seccomp.refusing(this_machine(), ("landlock_create_ruleset",)))
os.execv(sys.executable, [sys.executable, "-P", "-m", "flowassist.zygote", *sys.argv[1:]])
