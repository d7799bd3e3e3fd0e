"""Verdicts on real code, run by the real sandbox with the real lfx."""

import asyncio
import json

import pytest

from flowassist.components.check import check, explain, run_with
from flowassist.components.report import Outcome, Report, Verdict
from flowassist.components.source import MAX_BYTES
from flowassist.sandbox.claims import Stage
from flowassist.sandbox.supervisor import Sandbox, SandboxUnavailable
from tests.components.samples import HEAD, INHERITED, UPPERCASE, component, with_method

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSED, FAILED, NOT_CHECKED = Outcome.PASSED, Outcome.FAILED, Outcome.NOT_CHECKED
STAGES = ("create", "instantiate", "template")


def outcomes(report: Report) -> dict[str, Outcome]:
    return {one.name: one.outcome for one in report.checks}


def detail(report: Report, name: str) -> str:
    return next(one.detail for one in report.checks if one.name == name)


async def test_a_good_component(sandbox: Sandbox) -> None:
    verdict = await check(UPPERCASE, sandbox)
    assert (verdict.ok, verdict.error, verdict.class_name) == (True, "", "UppercaseComponent")
    names = ["extract", "static", "security", *STAGES, "run:result"]
    assert outcomes(verdict.report) == dict.fromkeys(names, PASSED)
    assert "Message" in detail(verdict.report, "run:result")
    assert "HELLO" in detail(verdict.report, "run:result")
    assert sandbox.boundary
    assert verdict.report.boundary == sandbox.boundary.describe()
    assert verdict.report.milliseconds > 0
    assert explain(verdict) == ""


ASYNC = component("""
    inputs = [MessageTextInput(name="text"), IntInput(name="times", value=2)]
    outputs = [
        Output(name="message", display_name="Message", method="as_message"),
        Output(name="data", display_name="Data", method="as_data"),
        Output(name="table", display_name="Table", method="as_table"),
    ]

    async def as_message(self) -> Message:
        return Message(text=self.text * self.times)

    def as_data(self) -> Data:
        return Data(data={"text": self.text})

    def as_table(self) -> DataFrame:
        return DataFrame([{"word": word} for word in self.text.split()])
""")
DICT = component(
    """
    inputs = [DictInput(name="pairs")]
    outputs = [Output(name="result", display_name="Result", method="build_result")]

    def build_result(self) -> Data:
        return Data(data=dict(self.pairs))
""",
    head=HEAD + "from lfx.io import DictInput\n",
)


@pytest.mark.parametrize(
    "code",
    [
        ASYNC,
        DICT,
        INHERITED,
        UPPERCASE.replace("inputs = [", "inputs: list = [").replace("outputs = [", "outputs: list = ["),
        UPPERCASE.replace("outputs = [", "outputs = (").replace('build_result")]', 'build_result"),)'),
        UPPERCASE.replace("from lfx.custom", "from langflow.custom"),
        component('inputs = [MessageTextInput(name="text")]'),
        with_method('import re\nreturn Message(text=re.sub("\\d", "", self.text))'),
    ],
    ids=["async", "dict", "inherited", "annotated", "tuple", "langflow", "no outputs", "odd escape"],
)
async def test_other_good_components(code: str, sandbox: Sandbox) -> None:
    verdict = await check(code, sandbox)
    assert verdict.error == ""
    assert verdict.ok
    assert set(outcomes(verdict.report).values()) == {PASSED}


@pytest.mark.parametrize(
    ("code", "failed", "error"),
    [
        (with_method("return Message(text=1 + self.text)"), "run:result", "TypeError: unsupported operand"),
        (with_method("return (self.text, 1)"), "run:result", "build_result declares Message but returned tuple"),
        (with_method("if False:\n    return 1"), "run:result", "build_result declares Message but returned"),
        (with_method("return Message(text='x')", annotation=" -> DataFrame"), "run:result", "declares DataFrame but"),
        (with_method("import nosuchpackage\nreturn Message(text='x')"), "run:result", "ModuleNotFoundError: No module"),
        (with_method("return Data(data=[1, 2])", annotation=" -> Data"), "run:result", "dict"),
        (with_method("return Data(data=self.text)", annotation=" -> Data"), "run:result", "dict"),
        (with_method("return Message(text='x', sender={'a': 1})"), "run:result", "sender"),
        ("from lfx.base import Component\n" + UPPERCASE.split("\n", 1)[1], "create", "ImportError: Cannot import name"),
        (
            "import nosuchpackage\n" + UPPERCASE,
            "create",
            "ModuleNotFoundError: No module named 'nosuchpackage' (line 1)",
        ),
        (UPPERCASE.replace('display_name="Text"', 'colour="red"'), "create", "Extra inputs are not permitted"),
    ],
)
async def test_faults_of_the_code(code: str, failed: str, error: str, sandbox: Sandbox) -> None:
    verdict = await check(code, sandbox)
    assert not verdict.ok
    assert outcomes(verdict.report)[failed] is FAILED
    assert outcomes(verdict.report)["static"] is PASSED
    assert error in verdict.error
    assert not verdict.error.endswith(".")
    assert f"What to do: {verdict.report.findings[0].remedy}" in explain(verdict)


async def test_stages_after_a_failed_one_are_not_reached(sandbox: Sandbox) -> None:
    verdict = await check(UPPERCASE.replace('display_name="Text"', 'colour="red"'), sandbox)
    assert outcomes(verdict.report) == {
        "extract": PASSED,
        "static": PASSED,
        "security": PASSED,
        "create": FAILED,
        "instantiate": NOT_CHECKED,
        "template": NOT_CHECKED,
        "run:result": NOT_CHECKED,
    }


@pytest.mark.parametrize(
    ("code", "checked", "error"),
    [
        (UPPERCASE.replace("Message:", "Message"), "static", "SyntaxError: expected ':' (line 12)"),
        ("x = 1\n", "static", "Could not extract class name from code"),
        (UPPERCASE.replace('name="result"', 'name="text"'), "static", "overlapping names: 'text' (line 10)"),
        ("import subprocess\n" + UPPERCASE, "security", "subprocess starts or controls processes"),
        (with_method("return Message(text=open('/etc/passwd').read())"), "security", "open reaches files"),
        (with_method("return Message(text=self.txet)"), "static", "AttributeError: Attribute txet not found in"),
        (with_method("return Message(text=foo)"), "static", "NameError: name 'foo' is not defined (line 12)"),
        (UPPERCASE.replace("[MessageTextInput", "[MesageTextInput"), "static", "NameError: name 'MesageTextInput'"),
        ("#" * (MAX_BYTES + 1), "static", "The code is larger than 200 kB"),
    ],
)
async def test_faults_that_reading_finds_keep_code_from_running(code: str, checked: str, error: str) -> None:
    closed = Sandbox()
    await closed.close()
    verdict = await check(code, closed)
    assert not verdict.ok
    assert error in verdict.error
    assert outcomes(verdict.report)[checked] is FAILED
    assert outcomes(verdict.report)["create"] is NOT_CHECKED
    assert verdict.report.boundary == ""


async def test_good_code_cannot_be_checked_without_a_sandbox() -> None:
    closed = Sandbox()
    await closed.close()
    with pytest.raises(SandboxUnavailable):
        await check(UPPERCASE, closed)


NEEDS_NETWORK = with_method("import httpx\nreturn Message(text=httpx.get('https://example.com').text)")
NEEDS_MODEL = component(
    """
    inputs = [HandleInput(name="model", input_types=["LanguageModel"])]
    outputs = [Output(name="result", display_name="Result", method="build_result")]

    def build_result(self) -> Message:
        return Message(text=self.model.invoke("hello").content)
""",
    head=HEAD + "from lfx.io import HandleInput\n",
)
NEEDS_FILE = component("""
    inputs = [FileInput(name="source", file_types=["txt"])]
    outputs = [Output(name="result", display_name="Result", method="build_result")]

    def build_result(self) -> Message:
        path = self.resolve_path(self.source)
        with open(path, "r") as file:
            return Message(text=file.read())
""")


@pytest.mark.parametrize(
    ("code", "why"),
    [(NEEDS_NETWORK, "network"), (NEEDS_MODEL, "a language model"), (NEEDS_FILE, "a file")],
    ids=["network", "model", "file"],
)
async def test_what_only_the_boundary_forbids_is_not_checked(code: str, why: str, sandbox: Sandbox) -> None:
    verdict = await check(code, sandbox)
    assert verdict.error == ""
    assert verdict.ok
    assert outcomes(verdict.report)["run:result"] is NOT_CHECKED
    assert why in detail(verdict.report, "run:result")
    assert {outcomes(verdict.report)[stage] for stage in STAGES} == {PASSED}


async def test_a_class_that_cannot_be_made_without_the_network_is_refused(sandbox: Sandbox) -> None:
    code = UPPERCASE.replace(
        "class Upper", "import httpx\n\nPAGE = httpx.get('https://example.com').text\n\n\nclass Upper"
    )
    verdict = await check(code, sandbox)
    assert not verdict.ok
    assert outcomes(verdict.report)["create"] is NOT_CHECKED
    assert "network" in verdict.error
    assert "method of the output" in explain(verdict)


async def test_a_component_that_never_ends(sandbox: Sandbox) -> None:
    code = with_method("while self.text:\n    pass\nreturn Message(text='x')")
    verdict = await check(code, sandbox, wall_seconds=1)
    assert not verdict.ok
    assert outcomes(verdict.report)["run:result"] is FAILED
    assert "1 s" in verdict.error


async def test_inputs_that_change_only_when_the_code_runs_disagree(sandbox: Sandbox) -> None:
    code = UPPERCASE + "\n\ndef _add(cls):\n    cls.inputs = []\n    return cls\n"
    code = code.replace(
        "class Upper", "def _empty(cls):\n    cls.inputs = []\n    return cls\n\n\n@_empty\nclass Upper"
    )
    verdict = await check(code.replace("self.text.upper()", "'x'"), sandbox)
    assert not verdict.ok
    assert verdict.error.startswith("The run reported something else than the code says")


async def test_warnings_travel_with_a_good_verdict(sandbox: Sandbox) -> None:
    verdict = await check(UPPERCASE + "\n\nif __name__ == '__main__':\n    print('x')\n", sandbox)
    assert verdict.ok
    assert [(finding.rule, finding.warning) for finding in verdict.report.findings] == [("dropped-statement", True)]


async def test_explained_for_a_model(sandbox: Sandbox) -> None:
    verdict = await check(with_method("if self.text:\n    return Message(text=foo)\nreturn Message(text='')"), sandbox)
    assert explain(verdict) == (
        "NameError: name 'foo' is not defined (line 13)\n"
        "    10 |\n"
        "    11 |     def build_result(self) -> Message:\n"
        "    12 |         if self.text:\n"
        ">   13 |             return Message(text=foo)\n"
        "    14 |         return Message(text='')\n"
        "What to do: Import or define 'foo' before it is used."
    )


async def test_every_error_is_explained() -> None:
    code = "import subprocess\n" + UPPERCASE.replace("return Message", "Message")
    closed = Sandbox()
    await closed.close()
    told = explain(await check(code, closed))
    assert "does not return a value (line 13)" in told
    assert "subprocess starts or controls processes" in told


async def test_large_code_leaves_the_loop_alone(sandbox: Sandbox) -> None:
    gaps: list[float] = []

    async def tick() -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0)
            gaps.append(loop.time() - before)

    ticking = asyncio.create_task(tick())
    verdict = await check(UPPERCASE + "\n\nTABLE = [\n" + "    {'name': 'x', 'value': 1},\n" * 6000 + "]\n", sandbox)
    ticking.cancel()
    await asyncio.gather(ticking, return_exceptions=True)
    assert verdict.ok
    assert max(gaps) < 1.0


async def test_values_go_into_the_inputs_in_their_order(sandbox: Sandbox) -> None:
    code = component("""
        inputs = [
            MessageTextInput(name="first"),
            IntInput(name="times"),
            MessageTextInput(name="second"),
        ]
        outputs = [Output(name="result", display_name="Result", method="build_result")]

        def build_result(self) -> Message:
            return Message(text=(self.first + self.second) * self.times)
    """)
    claim = await run_with(code, ["ab", "cd"], [2], sandbox)
    assert claim.stage is Stage.DONE
    (run,) = claim.runs
    assert "abcdabcd" in json.dumps(json.loads(run.result))


async def test_running_what_is_no_component_is_a_claim_with_a_fault(sandbox: Sandbox) -> None:
    claim = await run_with("x = (", ["a"], [], sandbox)
    assert claim.fault
    assert claim.fault.message == "SyntaxError: '(' was never closed"
    assert claim.fault.line == 1


async def test_cancelling_is_passed_on(sandbox: Sandbox) -> None:
    code = with_method("while True:\n    pass\nreturn Message(text='x')")
    endless = asyncio.create_task(check(code, sandbox))
    await asyncio.sleep(0)
    endless.cancel()
    with pytest.raises(asyncio.CancelledError):
        await endless
    assert isinstance(await check(UPPERCASE, sandbox), Verdict)
