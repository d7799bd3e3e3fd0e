"""Results that are none: forged frames, forged claims, tampering with who writes them.

Code that runs in the process that reports on it can mark itself valid, and no more: those that say "done" here do that.
"""

from tests.sandbox.attacks.entry import Attack, inside, method
from tests.sandbox.code import component

FILES, PROCESS, INTERNALS = "security-filesystem", "security-process", "security-internals"
OURS = "security-langflow-internals"
LEFT = "code: The code ended its process"
UNREADABLE = "code: The code's process gave a result that cannot be read"
HARMLESS = component("return Message(text='harmless')")
PACK = "from flowassist.zygote import frames\n"

# the first frame of the main thread has the nonce and the farewell in its locals
FIND = """
import sys
from flowassist.zygote import frames, job

def secret():
    for frame in sys._current_frames().values():
        while frame and not ("asked" in frame.f_locals and "head" in frame.f_locals):
            frame = frame.f_back
        if frame:
            return frame.f_locals["head"]

def say(body):
    head = secret()
    os.write(3, frames.pack({"nonce": head["nonce"]}, body))
    os._exit(head["farewell"])
"""


def dumps(name: str, comes: str, text: str) -> Attack:
    """The function that writes its claim is replaced by one that writes this."""
    return method(
        name,
        "",
        comes,
        "json._default_encoder.encode = encode\nreturn Message(text='x')",
        f"""
        import json
        HEAD = json._default_encoder.encode

        def encode(value):
            return {text} if "class_name" in value else HEAD(value)
        """,
    )


ATTACKS = (
    *(method(f"leaves with {status}", PROCESS, LEFT, f"os._exit({status})") for status in (0, 1, 42, 255)),
    method("leaves while the class is made", PROCESS, LEFT, "return x", "import os\nx = os._exit(0)\n"),
    method("leaves by an exception", PROCESS, "code: SystemExit", "raise SystemExit(0)"),
    method(
        "crashes",
        "security-native-code",
        "code: The code crashed the interpreter",
        "ctypes.string_at(0)",
        "import ctypes",
    ),
    method("aborts", PROCESS, "code: The code crashed the interpreter", "os.abort()"),
    method(
        "writes a claim without a frame",
        FILES,
        LEFT,
        """
        os.write(3, b'{"stage": "done"}')
        os._exit(0)
        """,
    ),
    method(
        "guesses the nonce on every descriptor",
        FILES,
        LEFT,
        """
        for guess in range(256):
            frame = frames.pack({"nonce": f"{guess:032x}"}, b'{"stage": "done"}')
            for descriptor in (1, 2, 3):
                os.write(descriptor, frame)
        os._exit(0)
        """,
        PACK,
    ),
    method(
        "gives a nonce that equals all",
        FILES,
        LEFT,
        """
        for nonce in (None, True, "", [], {}, 0):
            os.write(3, frames.pack({"nonce": nonce, "stage": "done"}, b"{}"))
        os._exit(0)
        """,
        PACK,
    ),
    method(
        "says that the boundary broke",
        FILES,
        LEFT,
        """
        os.write(3, frames.pack({"broken": "it fell"}))
        os._exit(1)
        """,
        PACK,
    ),
    method(
        "says so before anything else",
        FILES,
        LEFT,
        "return x",
        """
        import os
        from flowassist.zygote import frames
        x = (os.write(3, frames.pack({"broken": "it fell"})), os._exit(1))
        """,
    ),
    method(
        "speaks of stages that there are none",
        FILES,
        LEFT,
        """
        for stage in ("done", "broken", [], {"a": 1}, 7, None):
            os.write(3, frames.pack({"stage": stage}))
        os._exit(0)
        """,
        PACK,
    ),
    method(
        "writes heads that nobody can read",
        FILES,
        LEFT,
        r"""
        os.write(3, b"\0\0\0\xff\0\0\0\0" + b"[" * 255)
        os.write(3, b"\xff" * 8 + b"x" * 999)
        os._exit(0)
        """,
    ),
    method(
        "answers for another job",
        FILES,
        LEFT,
        """
        os.write(3, frames.pack({"id": 1, "memory": 1 << 60, "milliseconds": 0.1, "cancelled": True}, b"{}"))
        os._exit(0)
        """,
        PACK,
    ),
    method("closes its pipe", FILES, LEFT, "os.close(3)\nreturn Message(text='x')"),
    method("puts something else in place of its pipe", FILES, LEFT, "os.dup2(0, 3)\nreturn Message(text='x')"),
    method("finds the nonce and says nothing", INTERNALS, UNREADABLE, "say(b'')", FIND),
    method(
        "finds the nonce and says too much", INTERNALS, "limits: The results are larger", "say(b'x' * (2 << 20))", FIND
    ),
    method(
        "finds the nonce and leaves otherwise",
        INTERNALS,
        LEFT,
        """
        os.write(3, frames.pack({"nonce": secret()["nonce"]}, b"{}"))
        os._exit(secret()["farewell"] ^ 1)
        """,
        FIND,
    ),
    method(
        "passes off another component as itself",
        INTERNALS,
        "done: harmless",
        """
        claim = job.validate(job.Job(OTHER, "Sample", {"text": "x"}), 0)
        say(job.json.dumps(claim).encode())
        """,
        f"{FIND}OTHER = {HARMLESS!r}\n",
    ),
    method(
        "tells of another class",
        INTERNALS,
        "done: harmless",
        """
        claim = job.validate(job.Job(OTHER, "Other", {"text": "x"}), 0)
        say(job.json.dumps(claim).encode())
        """,
        f"{FIND}OTHER = {HARMLESS.replace('Sample', 'Other')!r}\n",
    ),
    dumps("gives a claim that is done and nothing more", UNREADABLE, '\'{"stage": "done"}\''),
    dumps("gives a claim with fields of its own", UNREADABLE, '\'{"stage": "run", "admin": true}\''),
    dumps("gives a claim of the wrong types", UNREADABLE, '\'{"stage": ["done"], "runs": {}, "fault": 1}\''),
    dumps("gives a claim that is no JSON", UNREADABLE, "'{' * 4096"),
    dumps("gives a claim that nests", UNREADABLE, "'[' * 100000 + ']' * 100000"),
    dumps("gives a claim with numbers that are none", UNREADABLE, '\'{"stage": "run", "milliseconds": NaN}\''),
    dumps(
        "gives a claim with huge numbers", UNREADABLE, "'{\"stage\": \"run\", \"milliseconds\": ' + '9' * 5000 + '}'"
    ),
    method(
        "makes its fault the boundary's",
        OURS,
        "boundary: It needs the network",
        """
        blame.fault = lambda *_: blame.made("OSError", "It needs the network", "boundary")
        return Message(text=missing)
        """,
        "from flowassist.zygote import blame\n",
    ),
    method(
        "replaces who runs its outputs",
        OURS,
        "code: ",
        """
        runs.Runner.sampled = runs.Runner.given = lambda *_: []
        return Message(text=missing)
        """,
        "from flowassist.zygote import runs\n",
    ),
    method(
        "replaces modules",
        INTERNALS,
        f"done: x|code: |{UNREADABLE}",
        """
        for name in [name for name in sys.modules if name.startswith(("flowassist", "json", "lfx"))]:
            sys.modules[name] = None
        return Message(text="x")
        """,
        "import sys",
    ),
    method(
        "takes all modules away",
        INTERNALS,
        "done: x|code: ",
        "sys.modules.clear()\nreturn Message(text='x')",
        "import sys",
    ),
    inside(
        "replaces what describes it",
        OURS,
        "code: |done: ",
        """
        utils.build_custom_component_template = lambda *_, **__: ({}, None)
        job.build_custom_component_template = lambda *_, **__: ({}, None)
        """,
        "from flowassist.zygote import job\nfrom lfx.custom import utils\n",
    ),
)
