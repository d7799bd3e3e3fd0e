"""Every rule of the static phase by an example, and the page that lists all rules."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import flowassist.components
from flowassist.components.capabilities import CAPABILITIES
from flowassist.components.evidence import STAGES
from flowassist.components.reading import read
from flowassist.components.report import Finding
from flowassist.components.source import MAX_BYTES
from flowassist.sandbox.claims import Stage
from tests.components.samples import INPUT, METHOD, OUTPUT, UPPERCASE, component, with_method

ROOT = Path(__file__).parents[2]
MODEL = (
    "from typing import Literal\nfrom pydantic import BaseModel\n\nclass Row(BaseModel):\n    kind: Literal['a']\n\n"
)

TABLE = [
    ("syntax", UPPERCASE.replace("Message:", "Message"), 12, "SyntaxError: expected ':'"),
    ("unreadable", "x = '\x00'", None, "The code holds characters that Python cannot read."),
    ("too-large", "#" * (MAX_BYTES + 1), None, "The code is larger than 200 kB."),
    ("too-deep", "x = " + "+".join(["1"] * 50_000), None, "The code is nested too deeply to be read."),
    (
        "unknown-attribute",
        with_method("return Message(text=self.txet)"),
        12,
        "AttributeError: Attribute txet not found in Sample",
    ),
    ("undefined-name", with_method("return Message(text=foo)"), 12, "NameError: name 'foo' is not defined"),
    (
        "dropped-statement",
        "try:\n    import yaml\nexcept ImportError:\n    pass\n" + with_method("return Message(text=yaml.dump(1))"),
        1,
        "Langflow leaves out this try at module level, so 'yaml' would not be set.",
    ),
    ("star-import", "from math import *\n" + UPPERCASE, 1, "Langflow cannot do `from math import *`."),
    (
        "relative-import",
        "from .helpers import shout\n" + UPPERCASE,
        1,
        "A component is one file: there is nothing to import relatively from.",
    ),
    (
        "annotation-active",
        UPPERCASE.replace("-> Message", "-> type(Message())"),
        12,
        "The annotation `type(Message())` would run code, which Langflow refuses.",
    ),
    (
        "pydantic-not-rebuilt",
        MODEL + UPPERCASE,
        5,
        "In Langflow the Pydantic model Row does not find 'Literal', and fails when it is used.",
    ),
    (
        "no-component-class",
        "class Sample:\n    pass\n",
        None,
        "Could not extract class name from code: no class derives from Component.",
    ),
    (
        "base-not-by-name",
        UPPERCASE.replace("from lfx.custom import Component", "import lfx.custom").replace(
            "(Component)", "(lfx.custom.Component)"
        ),
        6,
        (
            "Could not extract class name from code: lfx finds a component only by a base class written as a plain "
            "name that holds 'Component', not as 'lfx.custom.Component'."
        ),
    ),
    (
        "several-components",
        UPPERCASE + component(f"outputs = [{OUTPUT}]" + METHOD, head="\n\n"),
        6,
        "The code has several component classes; 'Sample' is checked, but editors may open 'UppercaseComponent'.",
    ),
    (
        "nothing-declared",
        component("display_name = 'Empty'"),
        7,
        "The class Sample defines neither inputs nor outputs.",
    ),
    (
        "not-a-list",
        UPPERCASE.replace("outputs = [", "outputs = ").replace('build_result")]', 'build_result")'),
        10,
        "`outputs` is no list, which Langflow cannot read.",
    ),
    ("name-missing", UPPERCASE.replace('name="result", ', ""), 10, "This output has no name."),
    (
        "name-repeated",
        component(f"inputs = [{INPUT}, {INPUT}]"),
        8,
        "The input name 'text' is used 2 times, so that only one of them would exist.",
    ),
    (
        "name-overlap",
        UPPERCASE.replace('name="result"', 'name="text"'),
        10,
        "Inputs and outputs have overlapping names: 'text'.",
    ),
    (
        "input-name-invalid",
        UPPERCASE.replace('name="text"', 'name="my text"').replace("self.text", "self.description"),
        9,
        "The input name 'my text' is no Python name, so the code cannot read it from self.",
    ),
    (
        "input-named-like-method",
        UPPERCASE.replace('name="text"', 'name="log"').replace("self.text", "self.description"),
        9,
        "The input 'log' is named after a method of the component.",
    ),
    (
        "input-named-like-attribute",
        UPPERCASE.replace('name="text"', 'name="status"').replace("self.text", "self.status"),
        9,
        "self.status is the component's own attribute, not the input 'status'.",
    ),
    (
        "reserved-name",
        UPPERCASE.replace('name="result"', 'name="component_as_tool"'),
        10,
        "The output name 'component_as_tool' is reserved by Langflow.",
    ),
    (
        "method-overrides-lfx",
        UPPERCASE.replace("build_result", "extract_data"),
        12,
        "Langflow itself calls a method 'extract_data' when a flow runs; this one takes its place.",
    ),
    (
        "init-without-kwargs",
        component(f"inputs = [{INPUT}]\n\ndef __init__(self):\n    super().__init__()"),
        10,
        "__init__ does not accept the keyword arguments that lfx passes.",
    ),
    (
        "init-without-super",
        component(f"inputs = [{INPUT}]\n\ndef __init__(self, **kwargs):\n    self.x = 1"),
        10,
        "__init__ does not call super().__init__, so the component has no inputs.",
    ),
    (
        "output-without-method",
        UPPERCASE.replace(', method="build_result"', ""),
        10,
        "The output 'result' does not have a method.",
    ),
    (
        "output-method-missing",
        UPPERCASE.replace("def build_result", "def build_results_of"),
        10,
        "The output 'result' names the method 'build_result', which UppercaseComponent does not have.",
    ),
    (
        "output-method-signature",
        UPPERCASE.replace("(self)", "(self, text)"),
        12,
        "Langflow calls the method 'build_result' of the output 'result' without arguments, but it asks for 'text'.",
    ),
    (
        "output-without-return",
        with_method("self.status = self.text"),
        11,
        "The method 'build_result' of the output 'result' does not return a value.",
    ),
    (
        "output-is-generator",
        with_method("yield Message(text=self.text)"),
        11,
        "The method 'build_result' yields: its output 'result' would be a generator, not a value.",
    ),
    (
        "output-not-annotated",
        with_method("return Message(text=self.text)", annotation=""),
        11,
        "The method 'build_result' of the output 'result' has no return annotation.",
    ),
]


@pytest.mark.parametrize(("rule", "code", "line", "sentence"), TABLE, ids=[row[0] for row in TABLE])
def test_a_rule_by_its_example(rule: str, code: str, line: int | None, sentence: str) -> None:
    (finding,) = read(code).findings
    assert (finding.rule, finding.line, finding.message) == (rule, line, sentence)
    assert finding.remedy.endswith((".", "?"))
    assert finding.remedy != finding.message


def test_the_table_has_every_rule_of_the_static_phase() -> None:
    run = {"run-disagrees", "format-template"}
    assert {row[0] for row in TABLE} == set(_written_rules()) - run


def _written_rules() -> Iterator[str]:
    for file, first in _first_arguments():
        if isinstance(first, ast.Constant):
            yield str(first.value)
        else:
            assert file in {"scan.py", "evidence.py"}, f"{file} makes the name of a rule: write it out"


def _first_arguments() -> Iterator[tuple[str, ast.expr]]:
    """Files and first arguments of every call of Finding in the package."""
    for file in sorted(Path(flowassist.components.__path__[0]).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == Finding.__name__:
                yield file.name, node.args[0]


def test_the_page_lists_exactly_the_rules_of_the_code() -> None:
    made = {f"security-{capability.name}" for capability in CAPABILITIES}
    made |= {f"{stage}-failed" for stage in (*STAGES, Stage.RUN)}
    page = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert sorted(listed) == sorted(made | set(_written_rules()))
