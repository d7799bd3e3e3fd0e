"""The environment of the server, of the zygote and of the child itself."""

from tests.sandbox.attacks.entry import method, tries

SECRETS = "security-environment"

ATTACKS = (
    method(
        "tells its environment",
        SECRETS,
        "done: HOME LANG PATH TMPDIR$",
        "return Message(text=' '.join(sorted(os.environ)))",
    ),
    method("asks for a key", SECRETS, "done: None", "return Message(text=str(os.getenv('OPENAI_API_KEY')))"),
    method("asks for the canary", SECRETS, "done: None", "return Message(text=str(os.environb.get(b'@VARIABLE@')))"),
    method(
        "expands it in a path", SECRETS, r"done: \$FLOWASSIST", "return Message(text=os.path.expandvars('$@VARIABLE@'))"
    ),
    method(
        "asks libc for it",
        "security-native-code",
        "done: None",
        "return Message(text=str(libc.getenv(b'@VARIABLE@')))",
        "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.getenv.restype = ctypes.c_char_p",
    ),
    method(
        "walks libc's environ and what lies behind it",
        "security-native-code",
        "done: False",
        """
        environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
        told = []
        while environ and environ[len(told)]:
            told.append(environ[len(told)])
        return Message(text=str(b"@VARIABLE@" in b" ".join(told)))
        """,
        "import ctypes",
    ),
    tries(
        "reads it from /proc",
        "security-filesystem",
        "open('/proc/self/environ').read()",
        "open(f'/proc/{os.getppid()}/environ').read()",
        "open('/proc/@SERVER@/environ').read()",
        "open('/proc/@PID@/environ').read()",
        "open('/proc/@PID@/cmdline').read()",
        "open('/proc/1/environ').read()",
    ),
    method(
        "reads it with psutil",
        "security-process",
        "(boundary|code): ",
        "return Message(text=str(psutil.Process(@PID@).environ()))",
        "import psutil",
    ),
    method(
        "finds it in modules that hold it",
        SECRETS,
        "done: False",
        "return Message(text=str('@VARIABLE@' in logging.os.environ))",
        "import logging",
    ),
    method(
        "looks for it in all that is in memory",
        "security-internals",
        "done: False",
        """
        texts = [one for one in gc.get_objects() if isinstance(one, (dict, list))]
        return Message(text=str(any("@VARIABLE@" in one for one in texts if one is not texts)))
        """,
        "import gc",
    ),
    tries(
        "asks who is here",
        SECRETS,
        "os.getlogin()",
        "known()",
        before="""
        import pwd

        def known():
            try:
                return pwd.getpwuid(0)
            except KeyError as error:
                raise OSError("unknown") from error
        """,
    ),
)
