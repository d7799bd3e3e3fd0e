"""What is rendered passes our own rules, and lfx's in the sandbox; and it can be read back."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowassist.components.check import check, run_with
from flowassist.components.reading import read
from flowassist.components.render import render, signature
from flowassist.components.rendered import function_of, spec_of
from flowassist.components.scan import scan
from flowassist.components.spec import ICONS, Input, InputType, OutputType, Spec, class_name, named, output_name
from flowassist.sandbox.supervisor import Sandbox

TEXT = Input("text", InputType.MULTILINE, "Text")
SPEC = Spec("UppercaseText", "Uppercase Text", "Converts.", "type", (TEXT,), OutputType.MESSAGE)
UPPER = "def compute(text: str) -> str:\n    return text.upper()"

EXPECTED = """\
import re

from lfx.custom import Component
from lfx.io import IntInput, MessageTextInput, Output
from lfx.schema.dataframe import DataFrame


def compute(text: str, limit: int = 3) -> list[dict]:
    words = re.findall(r"\\w+", text)
    return [{"word": word} for word in words[:limit]]


class Words(Component):
    display_name = "Words"
    description = "Lists \\"words\\"."
    icon = "list"
    name = "Words"

    inputs = [
        MessageTextInput(name="text", display_name="Text", required=True, tool_mode=True),
        IntInput(name="limit", display_name="Limit", value=3, tool_mode=True),
    ]
    outputs = [
        Output(name="result", display_name="Result", method="build_result"),
    ]

    def build_result(self) -> DataFrame:
        rows = compute(self.text, self.limit)
        if not isinstance(rows, list):
            rows = [rows]
        return DataFrame([row if isinstance(row, dict) else {"value": row} for row in rows])
"""


def words() -> Spec:
    inputs = (Input("text", InputType.TEXT, "Text", None, required=True), Input("limit", InputType.INT, "Limit"))
    return Spec("Words", "Words", 'Lists "words".', "list", inputs, OutputType.DATAFRAME)


WORDS = """\
def compute(text: str, limit: int = 3) -> list[dict]:
    words = re.findall(r"\\w+", text)
    return [{"word": word} for word in words[:limit]]

print(compute("a"))
"""


def test_a_whole_component() -> None:
    assert render(words(), WORDS) == EXPECTED


def test_the_signature_of_a_spec() -> None:
    kinds = list(InputType)
    spec = replace(SPEC, inputs=named([(f"a_{kind.value}", kind) for kind in kinds]), output=OutputType.DATA)
    assert signature(spec) == (
        "def compute(a_text: str, a_multiline: str, a_int: int, a_float: float, a_bool: bool, a_secret: str) -> dict:"
    )


def test_what_was_rendered_is_read_back() -> None:
    spec = spec_of(EXPECTED)
    assert spec is not None
    assert spec == replace(words(), inputs=(words().inputs[0], replace(words().inputs[1], value=3)))
    assert render(spec, function_of(EXPECTED)) == EXPECTED


@pytest.mark.parametrize(
    "code",
    [
        "",
        "def broken(",
        "x = 1",
        "class A(Component):\n    display_name = 'A'",
        EXPECTED.replace("IntInput(", "DropdownInput("),
        EXPECTED.replace("-> DataFrame", "-> LanguageModel"),
        EXPECTED.replace('"Words"\n', "f'{1}'\n", 1),
        EXPECTED.replace("    ]\n\n    def", "        Output(name='b', method='build_result'),\n    ]\n\n    def"),
    ],
)
def test_what_has_another_shape_has_no_spec(code: str) -> None:
    assert spec_of(code) is None


def test_arguments_go_by_name_where_the_function_leaves_one_out() -> None:
    spec = replace(SPEC, inputs=named([("text", InputType.TEXT), ("json", InputType.TEXT)]))
    assert "compute(json_value=self.json)" in render(spec, "def compute(json_value):\n    return json_value + '!'")
    assert "compute(self.text, self.json)" in render(spec, "def compute(a, b):\n    return a + b")
    assert "compute(self.text, self.json)" in render(spec, "def compute(*texts):\n    return ''.join(texts)")


def test_an_async_function_is_awaited() -> None:
    code = render(SPEC, "async def compute(text):\n    return text + '!'")
    assert "async def build_result(self) -> Message:\n        result = await compute(self.text)" in code


def test_a_function_that_does_not_parse_shows_its_line() -> None:
    code = render(SPEC, "def compute(text: str) -> str:\n    return text.upper(")
    (finding, *_) = read(code).findings
    assert finding.line is not None
    assert "compute" in "".join(code.splitlines()[finding.line - 2 : finding.line]) or "upper" in code


@pytest.mark.parametrize(
    ("output", "returned", "result"),
    [
        (OutputType.MESSAGE, "text.upper()", ['"ABC"']),
        (OutputType.MESSAGE, "[text, text]", ['"abc\\nabc"']),
        (OutputType.MESSAGE, "len(text)", ['"3"']),
        (OutputType.DATA, "{'n': len(text)}", ['{"n": 3}']),
        (OutputType.DATA, "len(text)", ['{"result": 3}']),
        (OutputType.DATAFRAME, "[{'c': c} for c in text[:2]]", ['[{"c": "a"}, {"c": "b"}]']),
        (OutputType.DATAFRAME, "list(text[:2])", ['[{"value": "a"}, {"value": "b"}]']),
        (OutputType.DATAFRAME, "{'n': len(text)}", ['[{"n": 3}]']),
        (OutputType.DATAFRAME, "text.upper()", ['[{"value": "ABC"}]']),
    ],
)
@pytest.mark.asyncio(loop_scope="session")
async def test_what_comes_is_brought_into_shape(
    sandbox: Sandbox, output: OutputType, returned: str, result: list[str]
) -> None:
    code = render(replace(SPEC, output=output), f"def compute(text):\n    return {returned}")
    claim = await run_with(code, ["abc"], [], sandbox)
    assert [run.result for run in claim.runs if run.output == "result"] == result


@pytest.mark.asyncio(loop_scope="session")
async def test_every_kind_of_input_and_output_passes_every_check(sandbox: Sandbox) -> None:
    inputs = named([(kind.value, kind) for kind in InputType])
    arguments = ", ".join(f"a{number}" for number in range(len(inputs)))
    for output in OutputType:
        code = render(replace(SPEC, inputs=inputs, output=output), f"def compute({arguments}):\n    return str(a0)")
        verdict = await check(code, sandbox)
        assert verdict.ok, verdict.error


@pytest.mark.asyncio(loop_scope="session")
async def test_numbers_left_alone_are_zero(sandbox: Sandbox) -> None:
    inputs = named([("a", InputType.INT), ("b", InputType.FLOAT)])
    code = render(replace(SPEC, inputs=inputs), "def compute(a, b):\n    return a + b + 1")
    claim = await run_with(code, [], [4], sandbox)
    assert [float(run.result.strip('"')) for run in claim.runs if run.output == "result"] == [5.0]


printable = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)
kinds = st.sampled_from(InputType)


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    inputs = named(draw(st.lists(st.tuples(st.text(max_size=12), kinds), min_size=1, max_size=5)))
    return Spec(
        class_name(draw(printable)),
        draw(printable),
        draw(printable),
        draw(st.sampled_from(ICONS)),
        inputs,
        draw(st.sampled_from(OutputType)),
        output_name(draw(st.text(max_size=12)), [entry.name for entry in inputs]),
    )


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(specs())
def test_any_spec_renders_to_what_our_rules_accept_and_comes_back(spec: Spec) -> None:
    parameters = ", ".join(f"a{number}" for number in range(len(spec.inputs)))
    code = render(spec, f"def compute({parameters}):\n    return str(a0)")
    reading = read(code)
    assert [finding for finding in itertools.chain(reading.findings, scan(reading)) if not finding.warning] == []
    assert reading.class_name == spec.class_name
    back = spec_of(code)
    assert back is not None
    assert replace(back, inputs=()) == replace(spec, inputs=())
    assert [(entry.name, entry.type) for entry in back.inputs] == [(entry.name, entry.type) for entry in spec.inputs]
    assert render(back, function_of(code)) == code
