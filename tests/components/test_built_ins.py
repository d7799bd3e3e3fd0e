"""Every component type that comes with lfx passes the static phase; what the scan finds in them is written down.

`built_in_findings.json` has the capabilities that built-ins reach for, by type. Renew it, after a look at the
difference, with `RENEW=1 pytest tests/components/test_built_ins.py`.
"""

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from flowassist.components.reading import Reading, read
from flowassist.components.scan import scan

WRITTEN = Path(__file__).with_name("built_in_findings.json")

EXCEPTIONS: Mapping[str, tuple[str, str]] = {
    "CrewAIAgentComponent": (
        "output-not-annotated",
        "build_output has no annotation: lfx's own index says types [], so nothing can be connected to it (legacy)",
    ),
    "MergeFlows": (
        "input-named-like-attribute",
        "its input is called 'inputs': self.inputs is the list of declared inputs, so it always reports 1 merged flow",
    ),
    "RunnableExecutor": (
        "method-overrides-lfx",
        "its get_output(result, input_key, output_key) takes the place of get_output(name), which edges call",
    ),
    "GoogleSerperAPI": ("pydantic-not-rebuilt", "QuerySchema has a field of type Any, which Pydantic does not find"),
    "SerpAPI": ("pydantic-not-rebuilt", "SerpAPISchema has a field of type Any, which Pydantic does not find"),
    "YahooFinanceTool": (
        "pydantic-not-rebuilt",
        "YahooFinanceSchema has a field of the type YahooFinanceMethod, which Pydantic does not find",
    ),
}
"""Rule and reason: each is a fault of the component, not of the rule."""


@cache
def nodes() -> Mapping[str, Any]:
    """Langflow's JSON by type. lfx's index is read as data."""
    file = Path(str(distribution("lfx").locate_file("lfx/_assets/component_index.json")))
    return {name: node for _, types in json.loads(file.read_bytes())["entries"] for name, node in types.items()}


@cache
def built_ins() -> Mapping[str, Reading]:
    return {name: read(node["template"]["code"]["value"]) for name, node in nodes().items()}


def faults() -> dict[str, list[str]]:
    """Rules by type, those of the types that pass left out."""
    found = {name: [finding.rule for finding in reading.errors] for name, reading in built_ins().items()}
    return {name: rules for name, rules in found.items() if rules}


def test_every_built_in_passes_but_for_the_exceptions() -> None:
    print(f"{len(built_ins())} built-in components, {len(EXCEPTIONS)} exceptions:")  # noqa: T201 - shown with -s
    for name, (rule, reason) in EXCEPTIONS.items():
        print(f"  {name}: {rule}: {reason}")  # noqa: T201
    assert len(built_ins()) == 130
    assert faults() == {name: [rule] for name, (rule, _) in EXCEPTIONS.items()}


@pytest.mark.parametrize("name", nodes())
def test_it_is_read_as_what_lfx_makes_of_it(name: str) -> None:
    """None passes for want of being understood: inputs, outputs and methods are those of the index."""
    anatomy, node = built_ins()[name].anatomy, nodes()[name]
    assert anatomy
    inputs = {entry.name for entry in anatomy.inputs.entries} - {"code"}
    indexed = {key for key, field in node["template"].items() if isinstance(field, dict)} - {"code"}
    assert inputs == indexed if anatomy.inputs.whole else inputs <= indexed
    outputs = {(entry.name, entry.method) for entry in anatomy.outputs.entries}
    made = {(output["name"], output["method"]) for output in node["outputs"]}
    assert outputs == made if anatomy.outputs.whole else outputs <= made


def test_more_than_half_are_read_as_a_whole() -> None:
    anatomies = [reading.anatomy for reading in built_ins().values()]
    whole = [one for one in anatomies if one and one.inputs.whole and one.outputs.whole]
    assert len(whole) > len(anatomies) / 2  # the others inherit from lfx's own bases


def test_only_what_langflow_drops_is_warned_of() -> None:
    warnings = {finding.rule for reading in built_ins().values() for finding in reading.findings if finding.warning}
    assert warnings == {"dropped-statement"}


def found() -> dict[str, list[str]]:
    """Capabilities by type, sorted; types without any are left out."""
    told = {name: sorted({finding.rule for finding in scan(reading)}) for name, reading in sorted(built_ins().items())}
    return {name: rules for name, rules in told.items() if rules}


def test_the_findings_of_the_scan_are_those_that_are_written_down() -> None:
    now = found()
    if os.environ.get("RENEW"):
        WRITTEN.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
        pytest.skip("built_in_findings.json is renewed")
    assert difference(json.loads(WRITTEN.read_bytes()), now) == []


def difference(before: Mapping[str, Sequence[str]], now: Mapping[str, Sequence[str]]) -> list[str]:
    """One line for each finding that came or went."""
    old, new = ({(name, rule) for name, rules in each.items() for rule in rules} for each in (before, now))
    gone = [f"{name} has no {rule} any more" for name, rule in sorted(old - new)]
    return gone + [f"{name} has {rule}" for name, rule in sorted(new - old)]


def test_a_difference_is_told() -> None:
    assert difference({"A": ["x", "y"]}, {"A": ["x"], "B": ["z"]}) == ["A has no y any more", "B has z"]
