"""Starts the zygote as on a kernel without Landlock, until the file that is named first exists."""

import os
import sys
from pathlib import Path

switch, *rest = sys.argv[1:]
old_kernel = str(Path(__file__).with_name("old_kernel.py"))
what = ["-m", "flowassist.zygote"] if Path(switch).exists() else [old_kernel]
os.execv(sys.executable, [sys.executable, "-P", *what, *rest])
