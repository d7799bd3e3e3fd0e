"""Other processes: started, stopped, traced, overtaken; and what this one may become."""

from tests.sandbox.attacks.entry import KILLED, NOTHING_RAN, TIMED_OUT, method, tries
from tests.sandbox.attacks.numbers import NUMBERS, RAW

PROCESS, NATIVE = "security-process", "security-native-code"

ATTACKS = (
    tries("forks", PROCESS, "os.fork()", "os.forkpty()", "pty.fork()", before="import pty"),
    tries("forks by libc", NATIVE, "called(libc.fork)", "called(libc.vfork)", "called(libc.daemon, 0, 0)", before=RAW),
    tries(
        "clones",
        NATIVE,
        f"denied({NUMBERS['clone']}, 17, 0, 0, 0, 0)",
        f"denied({NUMBERS['clone']}, 0x100 | 17, 0, 0, 0, 0)",
        f"denied({NUMBERS['clone']}, 0x10000000 | 17, 0, 0, 0, 0)",
        f"denied({NUMBERS['clone']}, 0x10900, 0, 0, 0, 0)",
        f"denied({NUMBERS['clone']}, 0x10D00, 0, 0, 0, 0)",
        f"denied({NUMBERS['clone']}, 0x8000 | 17, 0, 0, 0, 0)",
        f"denied({NUMBERS['clone3']}, 0, 88)",
        before=RAW,
    ),
    tries(
        "starts programs",
        PROCESS,
        "subprocess.run(['/bin/true'])",
        "subprocess.run('touch @ROOM@/planted', shell=True)",
        "os.popen('id').read()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.spawnv(os.P_WAIT, '/bin/true', ['true'])",
        before="import subprocess",
    ),
    method("starts a shell", PROCESS, NOTHING_RAN, "return Message(text=str(os.system('touch @ROOM@/planted')))"),
    method(
        "becomes a program",
        PROCESS,
        f"{KILLED}|boundary: ",
        "os.execv('/bin/sh', ['sh', '-c', 'touch @ROOM@/planted'])",
    ),
    method(
        "becomes a program that it wrote",
        NATIVE,
        f"{KILLED}|boundary: ",
        """
        with open("program", "w") as program:
            program.write("#!/bin/sh\\ntouch @ROOM@/planted\\n")
        libc.execv(b"program", (ctypes.c_char_p * 2)(b"program", None))
        """,
        RAW,
    ),
    method(
        "becomes a file without a name",
        NATIVE,
        f"{KILLED}|done: held",
        f"""
        return tried(
            lambda: os.memfd_create("program"),
            lambda: denied({NUMBERS["execveat"]}, -100, b"/bin/true", 0, 0, 0x1000),
        )
        """,
        RAW,
    ),
    method(
        "starts a pool of processes",
        PROCESS,
        "boundary: |code: ",
        """
        with multiprocessing.Pool(2) as pool:
            return Message(text=str(pool.map(abs, [-1])))
        """,
        "import multiprocessing",
    ),
    method(
        "starts a process by asyncio",
        PROCESS,
        "boundary: |code: ",
        """
        async def start():
            return await asyncio.create_subprocess_exec("/bin/true")
        return Message(text=str(asyncio.run(start())))
        """,
        "import asyncio",
    ),
    tries("runs a terminal", PROCESS, "pty.spawn('/bin/sh')", "os.openpty()", before="import pty"),
    tries(
        "sends signals",
        PROCESS,
        "os.kill(os.getppid(), 9)",
        "os.kill(-1, 9)",
        "os.kill(0, 0)",
        "os.kill(1, 0)",
        "os.kill(@PID@, 9)",
        "os.kill(@SERVER@, 9)",
        "os.kill(@ZYGOTE@, 9)",
        "os.killpg(os.getpgid(0), 0)",
        "signal.pidfd_send_signal(os.pidfd_open(@PID@), 9)",
        "os.kill(os.getpid(), 19)",
        before="import signal",
    ),
    tries(
        "sends signals by number",
        NATIVE,
        f"denied({NUMBERS['kill']}, @PID@, 9)",
        f"denied({NUMBERS['tgkill']}, @PID@, @PID@, 9)",
        f"denied({NUMBERS['tkill']}, @PID@, 9)",
        f"denied({NUMBERS['rt_sigqueueinfo']}, @PID@, 9, 0)",
        f"denied({NUMBERS['rt_tgsigqueueinfo']}, @PID@, @PID@, 9, 0)",
        f"denied({NUMBERS['pidfd_open']}, @PID@, 0)",
        f"denied({NUMBERS['pidfd_send_signal']}, 0, 9, 0, 0)",
        f"denied({NUMBERS['process_mrelease']}, 0, 0)",
        before=RAW,
    ),
    tries(
        "has the kernel send a signal",
        "security-filesystem",
        "fcntl.fcntl(PAIR[0], 8, @PID@)",
        "fcntl.fcntl(PAIR[0], 8, os.getppid())",
        "fcntl.fcntl(PAIR[0], 15, b'\\0' * 8)",
        "fcntl.fcntl(PAIR[0], 10, 9)",
        "fcntl.ioctl(PAIR[0], 0x8901, b'\\0' * 4)",
        "fcntl.ioctl(PAIR[0], 0x5452, b'\\1\\0\\0\\0')",
        before="import fcntl\nPAIR = os.pipe()",
    ),
    method("traces the parent", NATIVE, KILLED, "libc.ptrace(16, os.getppid(), 0, 0)", RAW),
    method("seizes a process of its user", NATIVE, KILLED, "libc.ptrace(0x4206, @PID@, 0, 0)", RAW),
    method(
        "reads another's memory",
        NATIVE,
        KILLED,
        f"libc.syscall({NUMBERS['process_vm_readv']}, @PID@, 0, 0, 0, 0, 0)",
        RAW,
    ),
    method(
        "writes another's memory",
        NATIVE,
        KILLED,
        f"libc.syscall({NUMBERS['process_vm_writev']}, @PID@, 0, 0, 0, 0, 0)",
        RAW,
    ),
    method("takes another's descriptor", NATIVE, KILLED, f"libc.syscall({NUMBERS['pidfd_getfd']}, 0, 0, 0)", RAW),
    tries(
        "changes who it is",
        PROCESS,
        "os.setuid(0)",
        "os.setgid(0)",
        "os.setresuid(0, 0, 0)",
        "os.setgroups([0])",
        "os.setsid()",
        "os.setpgid(0, os.getppid())",
        "os.seteuid(0)",
    ),
    tries(
        "takes the processor for itself",
        PROCESS,
        "os.nice(-5)",
        "os.setpriority(os.PRIO_PROCESS, 0, -20)",
        "os.setpriority(os.PRIO_PROCESS, @PID@, 19)",
        "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
        "os.sched_setaffinity(0, {0})",
        "os.sched_setaffinity(@PID@, {0})",
    ),
    tries(
        "changes what the kernel knows of it",
        NATIVE,
        "called(libc.prctl, 1, 0, 0, 0, 0)",
        "called(libc.prctl, 4, 1, 0, 0, 0)",
        "called(libc.prctl, 22, 0, 0, 0, 0)",
        "called(libc.prctl, 36, 1, 0, 0, 0)",
        "called(libc.prctl, 8, 1, 0, 0, 0)",
        "called(libc.prctl, 0x59616D61, -1, 0, 0, 0)",
        f"denied({NUMBERS['capset']}, 0, 0)",
        f"denied({NUMBERS['seccomp']}, 1, 0, 0)",
        f"denied({NUMBERS['personality']}, 0x0040000)",
        before=RAW,
    ),
    tries(
        "raises its limits, and cuts another's",
        PROCESS,
        "limit(resource.RLIMIT_AS)",
        "limit(resource.RLIMIT_CPU)",
        "limit(resource.RLIMIT_NOFILE)",
        "limit(resource.RLIMIT_NPROC)",
        "limit(resource.RLIMIT_FSIZE)",
        "resource.prlimit(@PID@, resource.RLIMIT_CPU, (0, 0))",
        "resource.prlimit(@PID@, resource.RLIMIT_CPU)",
        "resource.prlimit(os.getppid(), resource.RLIMIT_NPROC, (0, 0))",
        before="""
        import resource

        def limit(which):
            try:
                resource.setrlimit(which, (1 << 40, 1 << 40))
            except ValueError as error:
                raise OSError(str(error)) from error
        """,
    ),
    method(
        "lets its main thread end and goes on",
        NATIVE,
        TIMED_OUT,
        f"""
        threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
        libc.syscall({NUMBERS["exit"]}, 0)
        """,
        RAW + "import threading\n",
        seconds=1.5,
    ),
)
