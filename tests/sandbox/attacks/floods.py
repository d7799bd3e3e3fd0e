"""Disk, descriptors, threads, output: more of each than anybody should have."""

from tests.sandbox.attacks.entry import TIMED_OUT, in_main, inside, method
from tests.sandbox.attacks.numbers import NUMBERS, RAW

FILES, PROCESS, INTERNALS = "security-filesystem", "security-process", "security-internals"
TOO_MANY_FILES = "limits: The code wrote more files"
SAID_TOO_MUCH = "limits: The code said more"

ATTACKS = (
    method(
        "writes a large file",
        FILES,
        "limits: .*File too large",
        """
        with open("large", "wb") as large:
            while True:
                large.write(bytes(1 << 20))
        """,
    ),
    method(
        "writes many files",
        FILES,
        TOO_MANY_FILES,
        """
        for number in range(1 << 30):
            with open(f"f{number}", "wb") as file:
                file.write(bytes(1 << 16))
        """,
    ),
    method("makes many folders", FILES, TOO_MANY_FILES, "for number in range(1 << 30):\n    os.mkdir(str(number))"),
    method("digs deep", FILES, TOO_MANY_FILES, "while True:\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)"),
    method(
        "writes far behind the end",
        FILES,
        "limits: .*File too large",
        """
        with open("sparse", "wb") as sparse:
            sparse.seek(1 << 40)
            sparse.write(b"x")
        """,
    ),
    method(
        "reserves space that no file shows",
        FILES,
        TOO_MANY_FILES,
        f"""
        for number in range(400):
            file = os.open(str(number), os.O_CREAT | os.O_RDWR)
            libc.syscall({NUMBERS["fallocate"]}, file, 1, ctypes.c_long(0), ctypes.c_long(2 << 20))
            os.close(file)
        while True:
            pass
        """,
        RAW,
    ),
    method(
        "hides files under folders that move",
        FILES,
        TOO_MANY_FILES,
        """
        os.makedirs("a/a/a/a")
        threading.Thread(target=move, args=("a",), daemon=True).start()
        threading.Thread(target=move, args=("b",), daemon=True).start()
        number = 0
        while True:
            number += 1
            try:
                with open(f"a/f{number}", "wb") as file:
                    file.write(bytes(1 << 20))
            except FileNotFoundError:
                pass
        """,
        """
        import threading

        def move(name):
            while True:
                try:
                    os.rename("a", "b")
                except OSError:
                    pass
                try:
                    os.rename("b", "a")
                except OSError:
                    pass
        """,
    ),
    method(
        "keeps files that have no name",
        FILES,
        "limits: .*Too many open files",
        """
        kept = []
        while True:
            kept.append(open("f", "wb"))
            os.unlink("f")
            kept[-1].write(bytes(1 << 20))
        """,
    ),
    method(
        "maps files that have no name",
        FILES,
        "limits: |boundary: ",
        """
        kept = []
        while True:
            with open("f", "w+b") as file:
                file.write(bytes(2 << 20))
                file.flush()
                kept.append(mmap.mmap(file.fileno(), 2 << 20))
            os.unlink("f")
        """,
        "import mmap",
    ),
    method(
        "opens descriptors",
        FILES,
        "limits: .*Too many open files",
        "kept = []\nwhile True:\n    kept.append(os.dup(0))",
    ),
    method("opens pipes", FILES, "limits: .*Too many open files", "while True:\n    os.pipe()"),
    method(
        "makes pipes large",
        FILES,
        "done: held",
        "return tried(lambda: fcntl.fcntl(os.pipe()[0], 1031, 1 << 20))",
        "import fcntl",
    ),
    method(
        "opens pairs of sockets",
        "security-network",
        "limits: .*Too many open files",
        """
        kept = []
        while True:
            kept.append(socket.socketpair())
        """,
        "import socket",
    ),
    method(
        "opens selectors and timers",
        FILES,
        "limits: .*Too many open files",
        "kept = []\nwhile True:\n    kept.append(os.eventfd(0))",
    ),
    method(
        "starts threads",
        "",
        "limits: .*can't start new thread",
        """
        while True:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        """,
        "import threading",
    ),
    method(
        "starts threads from threads",
        "",
        "done: left|limits: |code: ",
        """
        breed()
        return Message(text="left")
        """,
        """
        import threading

        def breed():
            while True:
                try:
                    threading.Thread(target=breed, daemon=True).start()
                except RuntimeError:
                    return
        """,
        seconds=2,
    ),
    method(
        "runs a pool of threads that hang",
        "",
        f"{TIMED_OUT}|limits: ",
        """
        with ThreadPoolExecutor(500) as pool:
            for _ in range(500):
                pool.submit(threading.Event().wait)
        """,
        "import threading\nfrom concurrent.futures import ThreadPoolExecutor",
        seconds=1.5,
    ),
    in_main(
        "sets off timers",
        PROCESS,
        f"{TIMED_OUT}|done: [0-9]+",
        """
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)
        return Message(text=str(sum(range(1 << 20))))
        """,
        "import signal",
        seconds=1.5,
    ),
    method("prints without end", "", TIMED_OUT, "while True:\n    print('x' * 4096)", seconds=1.5),
    method(
        "writes to stderr without end",
        INTERNALS,
        TIMED_OUT,
        "while True:\n    sys.__stderr__.write('x' * 4096)",
        "import sys",
        seconds=1.5,
    ),
    method(
        "logs without end", "", f"{TIMED_OUT}|{SAID_TOO_MUCH}", "while True:\n    self.log('x' * 4096)", seconds=1.5
    ),
    method(
        "logs with logging without end",
        "",
        TIMED_OUT,
        "while True:\n    logging.error('x' * 4096)",
        "import logging",
        seconds=1.5,
    ),
    method(
        "warns without end", "", TIMED_OUT, "while True:\n    warnings.warn('x' * 4096)", "import warnings", seconds=1.5
    ),
    method("writes its result pipe full", FILES, SAID_TOO_MUCH, "while True:\n    os.write(3, bytes(1 << 16))"),
    method(
        "writes a million empty frames",
        FILES,
        "code: The code ended its process",
        """
        frame = bytes(3) + bytes([2]) + bytes(4) + b"{}"
        for _ in range(60):
            os.write(3, frame * 6500)
        os._exit(0)
        """,
    ),
    method("gives a large result", "", "done: x+$|limits: ", "return Message(text='x' * (32 << 20))"),
    method("raises a large error", "", "code: ValueError: x", "raise ValueError('x' * (32 << 20))"),
    inside(
        "declares a thousand outputs",
        "",
        "code: |limits: |done: ",
        """
        outputs = [Output(name=f"o{n}", display_name="O", method="build_result") for n in range(1000)]
        """,
        seconds=1.5,
    ),
    inside(
        "declares a large default",
        "",
        "limits: |code: ",
        """
        inputs = [MessageTextInput(name="text", display_name="Text", value="x" * (8 << 20))]
        """,
    ),
)
