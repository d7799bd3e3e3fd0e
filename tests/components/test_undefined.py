import ast

import pytest

from flowassist.components.undefined import undefined_findings
from tests.components.samples import UPPERCASE


def undefined(code: str) -> list[tuple[str, int | None]]:
    """Name and line."""
    found = sorted(undefined_findings(code, ast.parse(code)), key=lambda finding: finding.line or 0)
    return [(finding.message.split("'")[1], finding.line) for finding in found]


@pytest.mark.parametrize(
    "code",
    [
        UPPERCASE,
        "import os.path as p, json\nfrom re import compile as c\ndef f():\n    return p, json, c",
        "def f():\n    return later\nlater = 1",
        "x: int\ndef f():\n    return x",
        "class A:\n    y = 1\n    z = y\n    def f(self):\n        return __class__, super().f",
        "def f():\n    global g\n    g = 1\ndef h():\n    return g, __name__, __file__, __doc__",
        "def outer():\n    a = 1\n    def inner():\n        nonlocal a\n        a += 1\n    return inner",
        "def f(a, *b, c=1, **d):\n    return [i for i in a if (k := i)] + [b, c, d, k]",
        "def f(a):\n    match a:\n        case {'x': v, **rest}:\n            return v, rest",
        "def f(a):\n    match a:\n        case [first, *others]:\n            return first, others",
        "def f(a):\n    with a as b, a as (d, e):\n        return b, d, e",
        "def f(a):\n    try:\n        return a\n    except ValueError as error:\n        return error",
        "def f(a):\n    for i, *j in a:\n        yield i, j\n    import m.n, p.q as r\n    return m, r",
        "x = lambda a, *b, **c: (a, b, c)",
        "from __future__ import annotations\ndef f(a: Later) -> Other:\n    return a",
        "def f(a: Later) -> Other:\n    b: Third = a\n    return b\nclass A:\n    c: Fourth\n    d: Fifth = 1",
        "x = Data(data={}), DataFrame([]), Output, MessageTextInput",
        "def f(a: 'Later') -> 'Other':\n    return a",
        "try:\n    import a\nexcept ImportError:\n    a = None\ndef f():\n    return a",
    ],
)  # fmt: skip
def test_what_is_defined_somewhere(code: str) -> None:
    assert undefined(code) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def f(a):\n    if a:\n        return undefined\n    return a", [("undefined", 3)]),
        ("class A:\n    y = 1\n    z = y\n    def f(self):\n        return y", [("y", 5)]),
        ("def f():\n    return (lambda a: a + b)(1)", [("b", 2)]),
        ("'''doc'''\ndef f(a: Later) -> str:\n    return b", [("b", 3)]),
        ("@decorator\nclass A(Base):\n    pass", [("decorator", 1), ("Base", 2)]),
        ("def f():\n    x = 1\n    return g\ndef h():\n    return x", [("g", 3), ("x", 5)]),
        ("x = [i for i in range(3)]\ndef f():\n    return i", [("i", 3)]),
        ("def f():\n    return json.dumps(1), json.loads('1')", [("json", 2)]),
    ],
)
def test_what_is_not(code: str, found: list[tuple[str, int]]) -> None:
    assert undefined(code) == found


def test_the_sentence_is_that_of_the_run() -> None:
    (finding,) = undefined_findings(code := "x = nowhere", ast.parse(code))
    assert (finding.rule, finding.message) == ("undefined-name", "NameError: name 'nowhere' is not defined")
    assert finding.remedy == "Import or define 'nowhere' before it is used."


def test_a_name_that_is_near_is_proposed() -> None:
    (finding,) = undefined_findings(
        code := "from lfx.io import MessageTextInput\nx = MesageTextInput()", ast.parse(code)
    )
    assert finding.remedy == "Did you mean 'MessageTextInput'?"


def test_a_star_import_may_define_everything() -> None:
    assert undefined("from math import *\nx = sqrt(2)") == []


def test_code_that_python_refuses_later_is_left_to_it() -> None:
    assert undefined("def f():\n    print(x)\n    global x") == []
