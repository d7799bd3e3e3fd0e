"""Code as large as it may be, in the shapes that make readers slow: it is read and scanned within the test's time."""

import pytest

from flowassist.components.reading import read
from flowassist.components.scan import scan
from flowassist.components.source import MAX_BYTES

_HEAD = "from lfx.custom import Component\nclass A(Component):\n"
_OUTPUTS = ", ".join(f"Output(name='a{n}', method='m')" for n in range(5_000))
SHAPES = {
    "assignments": "x = 1\n" * 30_000,
    "names of names": "".join(f"a{n} = a{n - 1}\n" for n in range(1, 12_000)),
    "functions": "".join(f"def f{n}(a, b=1):\n    return a + b\n" for n in range(5_000)),
    "nested functions": "".join("    " * depth + f"def f{depth}():\n" for depth in range(90)) + "    " * 90 + "pass\n",
    "nested calls": ("x = " + "f(" * 80 + "1" + ")" * 80 + "\n") * 700,
    "attributes": ("x = a" + ".b" * 300 + "\n") * 300,
    "joined texts": ("x = " + " + ".join(["'a'"] * 80) + "\n") * 400,
    "imports": "".join(f"import m{n}\n" for n in range(14_000)),
    "methods": _HEAD + "".join(f"    def m{n}(self):\n        return self.a{n}\n" for n in range(4_000)),
    "outputs": f"{_HEAD}    outputs = [{_OUTPUTS}]\n",
    "bases": "".join(f"class A{n}(A{n - 1}):\n    x = 1\n" for n in range(1, 6_000)),
    "try": "".join(f"try:\n    import a{n}\nexcept E:\n    a{n} = 1\n" for n in range(3_500)),
    "globals": "def f():\n    global x\n" + "    x = 1\n" * 15_000,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_large_code_is_read(shape: str) -> None:
    code = SHAPES[shape]
    assert len(code) <= MAX_BYTES
    reading = read(code)
    assert reading.tree is not None
    assert not [finding for finding in scan(reading) if finding.rule == "too-deep"]
