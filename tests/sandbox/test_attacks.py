"""Code that means harm, or only behaves so: it is stopped, told, and nobody else notices."""

import asyncio
import json
import time
from pathlib import Path, PurePath

import psutil
import pytest

from flowassist.sandbox import claims
from flowassist.sandbox.claims import Blame, Claim, Job, Stage
from flowassist.sandbox.supervisor import Sandbox
from flowassist.zygote import frames
from tests.sandbox.code import component, line_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

GOOD = Job(component(), "Sample")


async def attempted(sandbox: Sandbox, expression: str, before: str = "import os", seconds: float = 5.0) -> Claim:
    """Run an expression whose value becomes the output's, or whose error does."""
    code = component(f"return Data(data={{'got': repr({expression})}})", returns=" -> Data", before=before)
    return await sandbox.validate(Job(code, "Sample", {"text": "x"}, seconds))


def exists(path: str) -> bool:
    return Path(path).exists()


def got(claim: Claim) -> str:
    assert claim.fault is None
    assert claim.runs[0].fault is None
    return str(json.loads(claim.runs[0].result)["got"])


def refused(claim: Claim) -> str:
    """What the boundary said; the code as such is not to blame."""
    assert claim.fault is None
    fault = claim.runs[0].fault
    assert fault
    assert fault.blame is Blame.BOUNDARY
    return fault.message


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/shadow",
        "/proc/1/environ",
        "/proc/self/environ",
        "/proc/self/mem",
        str(Path.home() / ".bashrc"),
        str(Path(__file__).resolve()),
        str(Path(claims.__file__).resolve()),
    ],
)
async def test_no_file_outside_can_be_read(sandbox: Sandbox, path: str) -> None:
    assert f"It needs {path!r}" in refused(await attempted(sandbox, f"open({path!r}, 'rb').read()"))


async def test_the_parents_environment_cannot_be_read(sandbox: Sandbox) -> None:
    for parent in (*psutil.Process(sandbox.pid).children(), psutil.Process(sandbox.pid)):
        said = refused(await attempted(sandbox, f"open('/proc/{parent.pid}/environ').read()"))
        assert said == f"It needs '/proc/{parent.pid}/environ', which the sandbox does not open."


@pytest.mark.parametrize("path", ["/tmp/planted", "/dev/shm/planted", str(Path(__file__).with_name("planted"))])
async def test_no_file_outside_can_be_written(sandbox: Sandbox, path: str) -> None:
    assert refused(await attempted(sandbox, f"open({path!r}, 'w').write('x')"))
    assert not exists(path)


async def test_its_own_folder_can_be_used_and_is_gone_afterwards(sandbox: Sandbox) -> None:
    before = "import os, pathlib, tempfile"
    write = "[p := pathlib.Path(tempfile.mkdtemp(), 'a'), p.write_text('hi'), p.read_text(), str(p)][2:]"
    text, path = json.loads(got(await attempted(sandbox, write, before)).replace("'", '"'))
    assert text == "hi"
    assert not exists(path)
    assert not exists(str(PurePath(path).parent))


@pytest.mark.parametrize(
    "call",
    [
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "socket.create_connection(('127.0.0.1', 22))",
        "socket.getaddrinfo('example.com', 80)",
        "socket.create_server(('127.0.0.1', 0))",
    ],
)
async def test_there_is_no_network(sandbox: Sandbox, call: str) -> None:
    said = refused(await attempted(sandbox, call, "import socket"))
    assert said == "It needs the network, which the sandbox does not have."


@pytest.mark.parametrize(
    "call",
    [
        "os.fork()",
        "subprocess.run(['/bin/true'])",
        "subprocess.check_output('id', shell=True)",
        "os.kill(os.getppid(), 9)",
        "os.kill(-1, 9)",
        "os.kill(1, 0)",
        "os.setuid(0)",
        "os.setpriority(os.PRIO_PROCESS, 0, -5)",
        "os.chmod(os.getcwd(), 0o777)",
        "os.symlink('/etc/passwd', 'here')",
        "os.mkfifo('pipe')",
        "os.nice(-1)",
    ],
)
async def test_processes_and_rights_are_out_of_reach(sandbox: Sandbox, call: str) -> None:
    assert refused(await attempted(sandbox, call, "import os, subprocess"))


async def test_os_system_runs_nothing(sandbox: Sandbox) -> None:
    assert got(await attempted(sandbox, "os.system('touch /tmp/ran')")) != "0"
    assert not exists("/tmp/ran")


async def test_limits_cannot_be_raised(sandbox: Sandbox) -> None:
    before = "import resource"
    claim = await attempted(sandbox, "resource.setrlimit(resource.RLIMIT_CPU, (900, 900))", before)
    assert claim.fault
    assert claim.fault.message == "ValueError: not allowed to raise maximum limit"


LIBC = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)"


@pytest.mark.parametrize(
    "call",
    [
        "libc.ptrace(16, 1, 0, 0)",
        "libc.unshare(0x10000000)",
        "libc.syscall(425, 1, 0)",
        "libc.execv(b'/bin/true', (ctypes.c_char_p * 2)(b'true', None))",
        "libc.syscall(0x40000000 + 39)",
    ],
)
async def test_calls_that_no_component_makes_by_accident_end_it(sandbox: Sandbox, call: str) -> None:
    claim = await attempted(sandbox, call, LIBC)
    assert claim.stage is Stage.RUN
    assert claim.fault
    assert claim.fault.message == "The code made a system call that the sandbox forbids (SIGSYS)."
    assert claim.fault.blame is Blame.CODE


@pytest.mark.parametrize("call", ["libc.ioctl(0, 0x5412, b'x')", "libc.prctl(4, 1, 0, 0, 0)", "libc.kill(1, 9)"])
async def test_other_calls_are_refused(sandbox: Sandbox, call: str) -> None:
    assert got(await attempted(sandbox, f"({call}, ctypes.get_errno())", LIBC)) == "(-1, 1)"


async def test_no_descriptor_of_the_zygote_is_left(sandbox: Sandbox) -> None:
    assert got(await attempted(sandbox, "[n for n in range(200) if not fails(n)]", FAILS)) == "[0, 1, 2, 3, 4, 5, 6]"


FAILS = """\
import os
def fails(n):
    try:
        os.fstat(n)
    except OSError:
        return True
"""


@pytest.mark.parametrize(
    ("before", "expression"),
    [
        ("", "len(bytearray(64 << 30))"),
        ("def hog():\n    kept = []\n    while True:\n        kept.append(bytearray(64 << 20))", "hog()"),
    ],
)
async def test_memory_has_an_end(sandbox: Sandbox, before: str, expression: str) -> None:
    claim = await attempted(sandbox, expression, before)
    assert claim.fault
    assert claim.fault.blame is Blame.LIMITS
    assert claim.fault.message == "MemoryError: The code needs more memory than the sandbox gives."


async def test_threads_have_an_end(sandbox: Sandbox) -> None:
    before = """\
import threading
def bomb():
    waiting = threading.Event()
    for _ in range(5000):
        threading.Thread(target=waiting.wait, daemon=True).start()
"""
    claim = await attempted(sandbox, "bomb()", before)
    assert claim.fault
    assert (claim.fault.blame, claim.fault.message) == (Blame.LIMITS, "RuntimeError: can't start new thread")


async def test_a_file_has_an_end(sandbox: Sandbox) -> None:
    claim = await attempted(sandbox, "open('big', 'wb').write(b'x' * (64 << 20))", "")
    assert claim.fault
    assert claim.fault.blame is Blame.LIMITS
    assert "File too large" in claim.fault.message


async def test_all_files_together_have_an_end(sandbox: Sandbox) -> None:
    before = """\
def fill():
    for n in range(100000):
        with open(f'f{n}', 'wb') as f:
            f.write(b'x' * (1 << 20))
"""
    began = time.monotonic()
    claim = await attempted(sandbox, "fill()", before)
    assert time.monotonic() - began < 4
    assert claim.fault
    assert claim.fault.blame is Blame.LIMITS
    assert claim.fault.message in (
        "The code wrote more files than the sandbox allows.",
        "MemoryError: The code needs more memory than the sandbox gives.",
    )


DEEP = """\
import os
def dig(name, count):
    for _ in range(count):
        os.mkdir(name)
        os.chdir(name)
"""


def left_behind() -> list[Path]:
    return list(Path("/dev/shm").glob("flowassist-*/*/d"))


async def test_folders_of_any_depth_end_with_their_child(sandbox: Sandbox) -> None:
    pid = sandbox.pid
    await attempted(sandbox, "dig('d', 3000)", DEEP)
    assert (await sandbox.validate(GOOD)).fault is None
    assert sandbox.pid == pid
    assert not left_behind()


async def test_long_paths_hide_no_files(sandbox: Sandbox) -> None:
    before = DEEP + "def fill():\n    dig('d' * 250, 20)\n    for n in range(10**6):\n"
    before += "        with open(f'f{n}', 'wb') as f:\n            f.write(b'x' * (1 << 20))\n"
    claim = await attempted(sandbox, "fill()", before, seconds=8)
    assert claim.fault
    assert claim.fault.message == "The code wrote more files than the sandbox allows."


async def test_files_without_a_name_are_few_and_small(sandbox: Sandbox) -> None:
    before = "import os\ndef hoard():\n    held = []\n    for n in range(400):\n        f = open('f', 'wb', 0)\n"
    before += "        os.unlink('f')\n        f.write(b'x' * (1 << 20))\n        held.append(f)\n"
    claim = await attempted(sandbox, "hoard()", before)
    assert claim.fault
    assert "Too many open files" in claim.fault.message


async def test_a_child_cannot_say_that_the_boundary_broke(sandbox: Sandbox) -> None:
    frame = frames.pack({"broken": "the boundary is down"})
    claim = await attempted(sandbox, f"(os.write(3, {frame!r}), os._exit(0))")
    assert claim.fault
    assert claim.fault.blame is Blame.CODE
    assert "ended its process" in claim.fault.message


@pytest.mark.parametrize(
    "raised", ["PermissionError(1, 'made up')", "ConnectionError('bug')", "FileNotFoundError(2, 'x', 'nofile')"]
)
async def test_what_the_code_raises_itself_is_its_own_fault(sandbox: Sandbox, raised: str) -> None:
    claim = await sandbox.validate(Job(component(f"raise {raised}"), "Sample"))
    assert claim.fault
    assert claim.fault.blame is Blame.CODE
    assert claim.fault.message.startswith(raised.split("(", maxsplit=1)[0])


IGNORE = (
    "import signal\nfor n in (signal.SIGTERM, signal.SIGALRM, signal.SIGINT):\n    signal.signal(n, signal.SIG_IGN)\n"
)
LOOPS = {
    "assignment": component(before="def forever():\n    while True:\n        pass  # here\nx = forever()"),
    "class body": component(inside="while True:\n    pass  # here"),
    "method": component("while True:\n    pass  # here"),
    "method that ignores signals": component("while True:\n    pass  # here", inside=IGNORE),
    "async method": component("while True:\n    pass  # here").replace("    def build", "    async def build"),
    "sleep": component("import time\ntime.sleep(60)  # here"),
    "one long call": component("return Message(text=str(sum(range(10**12))))  # here"),
    "endless output": component("while True:\n    print('x' * 1000)  # here"),
    "swallowed errors": component(
        "while True:\n    try:\n        1 / 0  # here\n    except BaseException:\n        pass"
    ),
}


@pytest.mark.parametrize("case", LOOPS)
async def test_what_never_ends_is_ended_and_placed(sandbox: Sandbox, case: str) -> None:
    code = LOOPS[case]
    began = time.monotonic()
    claim = await sandbox.validate(Job(code, "Sample", wall_seconds=1.0))
    assert 0.9 < time.monotonic() - began < 2.5
    assert claim.fault
    assert (claim.fault.blame, claim.class_name) == (Blame.LIMITS, "Sample")
    assert claim.fault.message == "The code did not finish within 1 s."
    assert claim.stage is (Stage.CREATE if case in ("assignment", "class body") else Stage.RUN)
    assert claim.fault.line
    assert abs(claim.fault.line - line_of(code, "# here")) <= 3


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("import os\nos._exit(0)", "The code ended its process (status 0) without a result."),
        ('import os\nos.write(3, b\'{"stage": "done"}\')\nos._exit(0)', "ended its process (status 0)"),
        ("import os\nos.close(3)\nos._exit(7)", "ended its process (status 7)"),
        ("import ctypes\nctypes.string_at(0)", "The code crashed the interpreter (SIGSEGV)."),
    ],
)
async def test_leaving_or_crashing_is_the_codes_fault(sandbox: Sandbox, body: str, message: str) -> None:
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert claim.stage is Stage.RUN
    assert claim.fault
    assert claim.fault.blame is Blame.CODE
    assert message in claim.fault.message


async def test_a_forged_frame_without_the_nonce_is_no_result(sandbox: Sandbox) -> None:
    body = """\
import os
from flowassist.zygote import frames
os.write(3, frames.pack({"nonce": "0" * 32}, b'{"stage": "done"}'))
os._exit(0)
"""
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert claim.fault
    assert claim.fault.message == "The code ended its process (status 0) without a result."


async def test_too_much_said_ends_it(sandbox: Sandbox) -> None:
    body = "import os\nwhile True:\n    os.write(3, b'x' * 65536)"
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert claim.fault
    assert (claim.fault.blame, claim.fault.message) == (Blame.LIMITS, "The code said more than the sandbox accepts.")


async def test_nobody_notices_a_loop_beside_them(sandbox: Sandbox) -> None:
    loop = asyncio.create_task(sandbox.validate(Job(LOOPS["class body"], "Sample", wall_seconds=2.0)))
    claims = [await sandbox.validate(GOOD) for _ in range(10)]
    assert all(claim.stage is Stage.DONE for claim in claims)
    assert not loop.done()
    assert (await loop).fault


async def test_after_everything_the_process_is_still_the_same(sandbox: Sandbox) -> None:
    pid = sandbox.pid
    for body in ("import os\nos._exit(0)", "import ctypes\nctypes.string_at(0)", "import sys\nsys.modules.clear()"):
        await sandbox.validate(Job(component(body), "Sample"))
    assert (await sandbox.validate(GOOD)).stage is Stage.DONE
    assert sandbox.pid == pid
    assert len(psutil.Process(pid).children(recursive=True)) == 1  # the fork server
