"""Memory: more than there is, in every way of asking for it."""

from tests.sandbox.attacks.entry import MEMORY, inside, method

WITHOUT_END = f"{MEMORY}|limits: The code did not finish"

ATTACKS = (
    method("takes it at once", "", MEMORY, "return Message(text=str(len(bytearray(1 << 36))))"),
    method(
        "takes it bit by bit", "", WITHOUT_END, "kept = []\nwhile True:\n    kept.append(bytearray(1 << 24))", seconds=2
    ),
    method("makes a long list", "", MEMORY, "return Message(text=str(len([None] * (1 << 34))))"),
    method("multiplies a text", "", MEMORY, "return Message(text='ha' * (1 << 33))"),
    method("raises a number to a power", "", WITHOUT_END, "return Message(text=str((9 ** 9 ** 9) > 0))", seconds=1.5),
    method("doubles a number", "", WITHOUT_END, "n = 3\nwhile True:\n    n = n * n", seconds=1.5),
    method(
        "joins a generator",
        "",
        WITHOUT_END,
        "return Message(text=''.join('x' * 4096 for _ in iter(int, 1)))",
        seconds=1.5,
    ),
    method("nests a list in itself", "", f"{WITHOUT_END}|done: ", "x = []\nwhile True:\n    x = [x, x]", seconds=1.5),
    method(
        "makes arrays", "", MEMORY, "return Message(text=str(numpy.ones((1 << 17, 1 << 17)).sum()))", "import numpy"
    ),
    method(
        "makes frames",
        "",
        WITHOUT_END,
        """
        frame = pandas.DataFrame({"x": range(1 << 20)})
        while True:
            frame = pandas.concat([frame, frame])
        """,
        "import pandas",
        seconds=1.5,
    ),
    method(
        "maps memory",
        "security-filesystem",
        MEMORY,
        """
        kept = []
        try:
            while True:
                kept.append(mmap.mmap(-1, 1 << 24))
        except OSError as error:
            raise MemoryError from error
        """,
        "import mmap",
    ),
    method(
        "takes it behind Python's back",
        "security-native-code",
        "done: [0-9]{1,4}$",
        """
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        blocks = 0
        while libc.malloc(ctypes.c_size_t(1 << 20)):
            blocks += 1
        return Message(text=str(blocks))
        """,
        "import ctypes",
    ),
    method("calls itself", "", "code: RecursionError", "return down(0)", "def down(n):\n    return down(n + 1)"),
    method(
        "calls itself without Python's limit",
        "security-internals",
        "code: .*(SIGSEGV|RecursionError)|limits: ",
        """
        sys.setrecursionlimit(1 << 30)
        return down(0)
        """,
        "import sys\n\ndef down(n):\n    return [down(n + 1)]",
        seconds=1.5,
    ),
    method(
        "nests brackets for the parser",
        "security-dynamic-code",
        "code: |limits: ",
        """
        return Message(text=str(eval("(" * 100000 + ")" * 100000)))
        """,
    ),
    method(
        "unpacks a bomb",
        "",
        WITHOUT_END,
        """
        bomb = zlib.compress(bytes(1 << 24), 9)
        unpacked = [zlib.decompress(bomb) for _ in range(1000)]
        return Message(text=str(len(unpacked)))
        """,
        "import zlib",
        seconds=1.5,
    ),
    method(
        "expands entities",
        "",
        "code: |limits: |done: ",
        """
        entities = ''.join(f'<!ENTITY e{n} "{"&e%d;" % (n - 1) * 10}">' for n in range(1, 10))
        text = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><x>&e9;</x>'
        return Message(text=str(len(ElementTree.fromstring(text).text)))
        """,
        "from xml.etree import ElementTree",
        seconds=1.5,
    ),
    inside(
        "takes it while the class is made",
        "",
        WITHOUT_END,
        "kept = [bytearray(1 << 24) for _ in range(1 << 10)]",
        seconds=2,
    ),
)
