"""What never ends, wherever code can stand; and what refuses to be ended."""

from tests.sandbox.attacks.entry import TIMED_OUT, Attack, in_main, inside, method
from tests.sandbox.code import component

SECONDS = 0.9
FOREVER = "def forever(*_, **__):\n    while True:\n        pass\n"


def hangs(name: str, refused: str, code: str, comes: str = TIMED_OUT) -> Attack:
    return Attack(f"hangs in {name}", code, refused, comes, SECONDS)


ATTACKS = (
    hangs("an assignment", "", component(before=FOREVER + "x = forever()")),
    hangs("the class body", "", component(inside="while True:\n    pass")),
    hangs("a decorator", "", component("pass", before=FOREVER, more="\n@forever\ndef other(self):\n    pass\n")),
    hangs(
        "a default argument", "", component("pass", before=FOREVER, more="\ndef other(self, x=forever()):\n    pass\n")
    ),
    hangs(
        "a base class",
        "",
        component(
            "pass",
            before=FOREVER
            + "\nclass Base:\n    def __init_subclass__(cls):\n        forever()\n\nclass Late(Base):\n    pass\n",
        ),
    ),
    hangs(
        "a metaclass",
        "",
        component(
            "pass",
            before=FOREVER + "\nclass Meta(type):\n    __new__ = forever\n\nclass Made(metaclass=Meta):\n    pass\n",
        ),
    ),
    hangs("__init__", "", component(more="\ndef __init__(self, **kwargs):\n    while True:\n        pass\n")),
    hangs(
        "a property",
        "",
        component(
            "return Message(text=self.slow)", more="\n@property\ndef slow(self):\n    while True:\n        pass\n"
        ),
    ),
    hangs("__getattribute__", "", component(more="\ndef __getattr__(self, name):\n    while True:\n        pass\n")),
    hangs("a method", "", component("while True:\n    pass")),
    hangs("an async method", "", component("while True:\n    pass").replace("    def build", "    async def build")),
    hangs(
        "an async sleep",
        "",
        component("await asyncio.sleep(3600)", before="import asyncio").replace("    def build", "    async def build"),
    ),
    hangs("a generator", "", component("return Message(text=str(sum(iter(int, 1))))")),
    hangs(
        "an output that yields",
        "",
        component("while True:\n    yield Message(text='x')", returns=""),
        f"{TIMED_OUT}|done: .generator",
    ),
    hangs(
        "the text of a result",
        "",
        component("return Message(text=str(Slow()))", before=FOREVER + "\nclass Slow:\n    __str__ = forever\n"),
    ),
    hangs(
        "the text of an error",
        "",
        component("raise Slow", before=FOREVER + "\nclass Slow(Exception):\n    __str__ = forever\n"),
    ),
    hangs(
        "a destructor",
        "",
        component(
            "slow = Slow()\ndel slow\nreturn Message(text='x')",
            before=FOREVER + "\nclass Slow:\n    __del__ = forever\n",
        ),
    ),
    hangs(
        "a cache that is asked for a hash",
        "",
        component("return Message(text=str({Slow(): 1}))", before=FOREVER + "\nclass Slow:\n    __hash__ = forever\n"),
    ),
    hangs(
        "a property of its result",
        "",
        component(
            "return Slow()",
            returns="",
            before=FOREVER + "\nclass Slow(Message):\n    def __getattribute__(self, name):\n        forever()\n",
        ),
    ),
    hangs(
        "the end of the interpreter",
        "security-process",
        component("atexit.register(forever)\nraise SystemExit", before=FOREVER + "import atexit"),
        "code: SystemExit",
    ),
    hangs(
        "a handler of the end",
        "security-process",
        component("atexit.register(forever)\nreturn Message(text='ended')", before=FOREVER + "import atexit"),
        "done: ended",
    ),
    hangs(
        "a thread that nobody waits for",
        "",
        component(
            "threading.Thread(target=forever).start()\nreturn Message(text='left')", before=FOREVER + "import threading"
        ),
        "done: left|limits: ",
    ),
    hangs(
        "a lock", "", component("lock = threading.Lock()\nlock.acquire()\nlock.acquire()", before="import threading")
    ),
    hangs("a sleep", "", component("time.sleep(3600)", before="import time")),
    hangs("a read of nothing", "security-filesystem", component("os.read(os.pipe()[0], 1)")),
    hangs(
        "a regular expression",
        "",
        component("return Message(text=str(re.match('(a+)+$', 'a' * 64 + 'b')))", before="import re"),
    ),
    hangs("one long sum", "", component("return Message(text=str(sum(range(1 << 60))))")),
    hangs(
        "a number as text",
        "security-internals",
        component("sys.set_int_max_str_digits(0)\nreturn Message(text=str(7 ** (1 << 25)))", before="import sys"),
    ),
    hangs("a sort", "", component("return Message(text=str(sorted(range(1 << 60))))"), f"{TIMED_OUT}|limits: "),
    hangs("a search in a text", "", component("text = 'a' * (1 << 24)\nwhile True:\n    text.count('a' * 4096 + 'b')")),
    hangs(
        "products of everything",
        "",
        component("return Message(text=str(max(itertools.product(range(999), repeat=9))))", before="import itertools"),
    ),
    method(
        "swallows every error on its way",
        "",
        TIMED_OUT,
        """
        while True:
            try:
                1 / 0
            except BaseException:
                continue
        """,
        seconds=SECONDS,
    ),
    inside(
        "ignores every signal that can be ignored",
        "security-process",
        TIMED_OUT,
        """
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, 32, 33}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass
        """,
        "import signal",
        seconds=SECONDS,
    ),
    in_main(
        "blocks every signal that can be blocked",
        "security-process",
        TIMED_OUT,
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            pass
        """,
        "import signal",
        seconds=SECONDS,
    ),
    in_main(
        "burns processor time in threads that ignore its end",
        "security-process",
        "limits: ",
        """
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        for _ in range(8):
            threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha512", b"x", b"y", 1 << 30), daemon=True).start()
        while True:
            pass
        """,
        "import hashlib, signal, threading",
        seconds=SECONDS,
    ),
    method(
        "takes away the look at where it hangs",
        "security-process",
        TIMED_OUT,
        """
        faulthandler.cancel_dump_traceback_later()
        while True:
            pass
        """,
        "import faulthandler",
        seconds=SECONDS,
    ),
    method(
        "closes its pipe and goes on",
        "security-filesystem",
        TIMED_OUT,
        "os.close(3)\nwhile True:\n    pass",
        seconds=SECONDS,
    ),
    method(
        "holds the interpreter in native code",
        "security-native-code",
        TIMED_OUT,
        """
        ctypes.PyDLL(None).sleep(3600)
        """,
        "import ctypes",
        seconds=SECONDS,
    ),
)
