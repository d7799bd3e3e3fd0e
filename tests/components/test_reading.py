"""The static reading of a whole component."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowassist.components.anatomy import Input, Output
from flowassist.components.reading import read
from flowassist.components.scan import scan
from tests.components.samples import UPPERCASE


def test_a_good_component_has_no_finding() -> None:
    reading = read(UPPERCASE)
    assert reading.findings == ()
    assert reading.class_name == "UppercaseComponent"
    assert reading.anatomy
    assert reading.anatomy.inputs.entries == (Input("text", "MessageTextInput", 9),)
    assert reading.anatomy.outputs.entries == (Output("result", "build_result", 10),)
    assert reading.anatomy.methods["build_result"].annotation == "Message"


def test_reading_never_runs_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLOWASSIST_RAN", raising=False)
    probe = "import os\nos.environ['FLOWASSIST_RAN'] = '1'\n" + UPPERCASE
    assert read(probe).class_name == "UppercaseComponent"
    assert "FLOWASSIST_RAN" not in os.environ


_TOP = st.sampled_from(
    [
        "import os as o, sys", "from . import *", "from .a import b", "o = p = q = o", "p = p", "x: int", "del o",
        "class B(A, B, C[int]): pass", "class B(f()): pass", "@f\n@g(os)\ndef h(): pass", "f'{o.system!r:{p}}'",
        "def g(a=os, *b, c, **d):\n    global o\n    o = os", "match x:\n    case {'a': b, **c}: pass", "getattr(o)",
        "[o for o in o if (q := o)]", "'{'.format(*a)", "open()", "yaml.load()", "(lambda: o)()", "o.a.b[0].c(o)",
        "try:\n    pass\nexcept* E as o:\n    o", "if x:\n    import y", "o += 1", "a, *b = c", "o.x = os",
    ]
)  # fmt: skip
_BODY = st.sampled_from(
    [
        "inputs = [x, *y, Input(**z)]", "outputs = outputs + [Output(name=n, method=1)]", "outputs.append(1)",
        "(inputs, outputs) = 1, 2", "async def f(self): yield", "f = lambda *a, **k: a", "def __init__(s): pass",
        "inputs = outputs", "outputs = [Output(name='r', method='f')]", "inputs = A.inputs", "inputs += 1",
        "inputs = [Input(name='f'), Input(name='r'), Input(name='')]", "for x in y: outputs = 1", "import os",
        "@property\n    def f(self): return self.name", "class A: pass", "outputs: list", "os = os.path",
    ]
)  # fmt: skip


@given(st.lists(_TOP, max_size=6), st.lists(_BODY, max_size=6), st.lists(_TOP, max_size=3))
@settings(max_examples=300, deadline=None)
def test_any_code_is_read_and_scanned_without_a_crash(above: list[str], body: list[str], below: list[str]) -> None:
    code = "\n".join([*above, "class A(Component):", *(f"    {line}" for line in [*body, "pass"]), *below])
    reading = read(code)
    assert reading.tree
    for finding in (*reading.findings, *scan(reading)):
        assert finding.message
        assert finding.remedy
        assert finding.line is None or 1 <= finding.line <= code.count("\n") + 1
