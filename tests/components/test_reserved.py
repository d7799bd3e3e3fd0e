"""The lists of clashing names are those of the installed lfx, asked in a process of its own."""

import json
import subprocess
import sys

from flowassist.components.reserved import ATTRIBUTES, METHODS

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


def test_the_lists_are_those_of_lfx() -> None:
    asked = subprocess.run([sys.executable, "-c", _ASK_LFX], capture_output=True, text=True, check=True, timeout=50)
    methods, attributes = json.loads(asked.stdout.splitlines()[-1])
    assert set(methods) == METHODS
    assert set(attributes) | {"graph"} == ATTRIBUTES
