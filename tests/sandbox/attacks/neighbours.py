"""The other jobs: their code, values and results, their folders and processes. One with a canary runs beside these."""

from tests.sandbox.attacks.entry import method, tries

INTERNALS, FILES, NATIVE = "security-internals", "security-filesystem", "security-native-code"

# the canary's pattern; the text of the pattern itself does not fit it
PATTERN = "import re\nCANARY = re.compile(rb'canary:[0-9a-f]{32}')\n"
PAGES = """
import ctypes
import gc
libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p
SIZE = 1 << 20
PIPE = os.pipe()

def places():
    yield from sorted({id(one) // SIZE * SIZE for one in gc.get_objects()})
    top = libc.sbrk(ctypes.c_long(0)) // SIZE * SIZE
    yield from range(top - 256 * SIZE, top, SIZE)

def pages(place):
    for page in range(place, place + SIZE, 4096):
        if libc.write(PIPE[1], ctypes.c_void_p(page), 4096) == 4096:  # fails where nothing can be read
            yield os.read(PIPE[0], 4096)
"""

ATTACKS = (
    method(
        "looks for jobs among the objects of the zygote",
        INTERNALS,
        r"done: \[\]",
        """
        found = []
        for one in gc.get_objects():
            kind = type(one)
            if kind.__module__.startswith("flowassist.zygote") and kind.__name__ in ("Running", "Child", "Job"):
                found.append(one)
        return Message(text=str([one for one in found if getattr(one, "code", "") != self._code]))
        """,
        "import gc",
    ),
    method(
        "looks for a text among all objects",
        INTERNALS,
        r"done: \[\]",
        """
        found = []
        for one in gc.get_objects():
            for held in gc.get_referents(one):
                if isinstance(held, (str, bytes, bytearray)) and len(held) < 1 << 20:
                    found += CANARY.findall(held.encode(errors="replace") if isinstance(held, str) else held)
        return Message(text=str(found))
        """,
        PATTERN + "import gc\n",
        seconds=15,
    ),
    method(
        "reads all the memory that it was born with",
        INTERNALS,
        r"done: \[\]",
        """
        found = set()
        for place in places():
            found |= set(CANARY.findall(b"".join(pages(place))))
        return Message(text=str(sorted(found)))
        """,
        PATTERN + PAGES,
        seconds=20,
    ),
    method(
        "uses the descriptors of the zygote",
        FILES,
        "done: held",
        """
        for descriptor in range(4, 64):
            try:
                os.write(descriptor, b'{"reap": 1}')
            except OSError:
                continue
        return tried(lambda: os.fstat(20), lambda: os.fstat(4 + 40))
        """,
    ),
    tries(
        "waits for the children of others", "security-process", "os.waitpid(-1, 0)", "os.waitpid(@PID@, 0)", "os.wait()"
    ),
    tries(
        "looks into the folders of others",
        FILES,
        "os.listdir('..')",
        "os.listdir(os.path.dirname(os.getcwd()))",
        "open('../outside').read()",
        "os.mkdir('../planted')",
        "os.rename('.', '../planted')",
        "os.listdir(f'/proc/{os.getppid()}/cwd')",
    ),
    tries(
        "reaches the processes beside it",
        FILES,
        *(f"open(f'/proc/{{os.getpid() + {step}}}/mem', 'rb')" for step in (-2, -1, 1, 2)),
        *(f"os.kill(os.getpid() + {step}, 9)" for step in (-2, -1, 1, 2)),
        *(f"os.sched_setaffinity(os.getpid() + {step}, {{0}})" for step in (-2, -1, 1, 2)),
    ),
)
