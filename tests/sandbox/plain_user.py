"""Starts the zygote as an unprivileged user.

That user keeps only the right to read what others may not, so that it can start a Python that lies in root's home.
"""

import ctypes
import os
import sys

from flowassist.zygote import kernel
from flowassist.zygote.syscalls import this_machine

UID, DAC_READ_SEARCH = 65534, 2
CAP_AMBIENT, AMBIENT_RAISE = 47, 2

os.chown(sys.argv[2], UID, UID)
kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
os.setgroups([])
os.setresgid(UID, UID, UID)
os.setresuid(UID, UID, UID)
libc = ctypes.CDLL(None, use_errno=True)
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
kept = 1 << DAC_READ_SEARCH
capset = this_machine().numbers["capset"]
assert libc.syscall(capset, header, (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0)) == 0
assert libc.prctl(CAP_AMBIENT, AMBIENT_RAISE, DAC_READ_SEARCH, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-P", "-m", "flowassist.zygote", *sys.argv[1:]])
