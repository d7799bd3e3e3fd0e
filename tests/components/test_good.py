"""Good components pass: no false alarm, and every output is run unless its file says why it cannot be.

A file in `good/` may begin with comments that this test reads: `# not checked: <output>, ...: <why>` and
`# warns: <rule>, ...`. Everything else must pass.
"""

import ast
import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from flowassist.components.check import check, explain
from flowassist.components.report import Outcome, Report, Verdict
from flowassist.sandbox.supervisor import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

FILES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "good").glob("*.py"))}
_MARKS = re.compile(r"\A(?:#.*\n)*")
_NOT_CHECKED = re.compile(r"^# not checked: (?P<outputs>[^:]+): (?P<why>.+)$", re.MULTILINE)
_WARNS = re.compile(r"^# warns: (?P<rules>.+)$", re.MULTILINE)


def marks(code: str) -> str:
    """The comments that the file begins with."""
    found = _MARKS.match(code)
    return found[0] if found else ""


def not_checked(code: str) -> dict[str, str]:
    """Why an output cannot be run, by its name."""
    told = _NOT_CHECKED.finditer(marks(code))
    return {output: mark["why"] for mark in told for output in mark["outputs"].split(", ")}


def warned(code: str) -> list[str]:
    found = _WARNS.search(marks(code))
    return found["rules"].split(", ") if found else []


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def verdicts(sandbox: Sandbox) -> AsyncIterator[Mapping[str, asyncio.Task[Verdict]]]:
    """All of them on their way, side by side."""
    tasks = {name: asyncio.create_task(check(code, sandbox)) for name, code in FILES.items()}
    yield tasks
    for task in tasks.values():
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)


def unlike(report: Report, code: str) -> list[str]:
    """What the report says that the file does not promise."""
    excused = {f"run:{output}": why for output, why in not_checked(code).items()}
    wrong = [f"{name} is not in the report" for name in excused.keys() - {one.name for one in report.checks}]
    for one in report.checks:
        expected = Outcome.NOT_CHECKED if one.name in excused else Outcome.PASSED
        if one.outcome is not expected or excused.get(one.name, "") not in one.detail:
            wrong.append(f"{one.name} is {one.outcome.value}, not {expected.value}: {one.detail}")
    return wrong


@pytest.mark.parametrize("name", FILES)
async def test_a_good_component_passes(name: str, verdicts: Mapping[str, asyncio.Task[Verdict]]) -> None:
    code = FILES[name]
    verdict = await verdicts[name]
    assert explain(verdict) == ""
    assert verdict.ok
    assert [finding.rule for finding in verdict.report.findings] == warned(code)
    assert unlike(verdict.report, code) == []


async def test_there_are_enough_of_them_and_no_two_of_one_class() -> None:
    assert len(FILES) >= 60
    last = [
        [node.name for node in ast.parse(code).body if isinstance(node, ast.ClassDef)][-1] for code in FILES.values()
    ]
    assert len(set(last)) == len(last)
