"""The lists of names are those of the installed lfx, asked in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flowassist.components.reserved import ATTRIBUTES, METHODS, OVERRIDDEN, PREPENDED
from tests.components.samples import UPPERCASE

_ASK_LFX = """
import inspect, json, sys
from lfx.custom import Component
from lfx.io import MessageTextInput

def is_method(name):
    return not isinstance(inspect.getattr_static(Component, name), property) and callable(getattr(Component, name))

def reads_the_input(name):
    try:
        made = type("Made", (Component,), {"inputs": [MessageTextInput(name=name)], "outputs": []})()
        made.set(**{name: "given"})
        return getattr(made, name) == "given"
    except Exception:
        return False

methods = [name for name in dir(Component) if not name.startswith("_") and is_method(name)]
instance = [name for name in [*dir(Component), *vars(Component())] if not name.startswith("_") and name.islower()]
attributes = [name for name in instance if name not in methods and not reads_the_input(name)]
print(json.dumps([methods, attributes]))
"""


_RUN_FLOWS = """
import asyncio, json, sys, uuid
from lfx.custom.eval import eval_custom_component_code
from lfx.custom.utils import build_custom_component_template
from lfx.graph.flow_builder import add_component, add_connection, empty_flow
from lfx.graph.flow_builder.builder import load_local_registry
from lfx.load import arun_flow_from_json

built_in = load_local_registry()

async def runs(code):
    try:
        node, _ = build_custom_component_template(eval_custom_component_code(code)(_code=code))
        registry = {**built_in, "Mine": {**node, "category": "custom", "custom": True}}
        flow = {**empty_flow("flow", ""), "id": str(uuid.uuid4())}
        start, mine, end = (add_component(flow, kind, registry)["id"] for kind in ("ChatInput", "Mine", "ChatOutput"))
        add_connection(flow, start, "message", mine, "text", registry=registry)
        add_connection(flow, mine, "result", end, "input_value", registry=registry)
        told = await arun_flow_from_json(flow, "hello", session_id="session")
        return told[0].outputs[0].results["message"].text == "HELLO"
    except Exception:
        return False

async def main():
    return [await runs(code) for code in json.load(sys.stdin)]

print(json.dumps(asyncio.run(main())))
"""

_ASK_PREPENDED = """
import ast, json
from lfx.custom.validate import DEFAULT_IMPORT_STRING

imports = [node for node in ast.parse(DEFAULT_IMPORT_STRING).body if isinstance(node, ast.ImportFrom)]
print(json.dumps([alias.asname or alias.name for node in imports for alias in node.names]))
"""


def asked(program: str, told: str = "", folder: Path | None = None) -> Any:
    environment = {**os.environ, **({"LANGFLOW_CONFIG_DIR": str(folder)} if folder else {})}
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=told, capture_output=True, text=True, check=True, timeout=50, env=environment, cwd=folder,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def test_the_lists_are_those_of_lfx() -> None:
    methods, attributes = asked(_ASK_LFX)
    assert set(methods) == METHODS
    assert set(attributes) | {"graph"} == ATTRIBUTES


def test_what_lfx_puts_before_the_code() -> None:
    typing = {"Optional", "Union"}  # of the module in which lfx runs it
    assert set(asked(_ASK_PREPENDED)) | typing == PREPENDED


@pytest.mark.parametrize(
    ("names", "runs"),
    [(OVERRIDDEN, False), ({"build_result", "build", "index", "log", "run", "set", "start", "stop", "validate"}, True)],
    ids=["break it", "do not"],
)
def test_methods_that_break_a_flow(names: set[str], *, runs: bool, tmp_path: Path) -> None:
    codes = [UPPERCASE.replace("build_result", name) for name in sorted(names)]
    assert asked(_RUN_FLOWS, json.dumps(codes), tmp_path) == [runs] * len(codes)
