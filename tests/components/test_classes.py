"""Which class is the component, and what lfx makes of it."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import METHOD, OUTPUT, UPPERCASE, component


def test_several_components_the_last_is_meant() -> None:
    reading = read(UPPERCASE + component(f"outputs = [{OUTPUT}]" + METHOD, head="\n\n"))
    assert reading.class_name == "Sample"
    assert [(finding.rule, finding.warning) for finding in reading.findings] == [("several-components", True)]


def test_an_unknown_base_may_hand_down_what_the_code_lacks() -> None:
    code = "from lfx.base.models.model import LCModelComponent\n\n\nclass Mine(LCModelComponent):\n    icon = 'x'\n"
    reading = read(code)
    assert reading.findings == ()
    assert reading.anatomy
    assert reading.anatomy.foreign


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("from lfx.custom import Component as C", "C"),
        ("import lfx.custom", "lfx.custom.Component"),
        ("from lfx import custom", "custom.Component"),
        ("from langflow.custom import Component as Base", "Base"),
    ],
)
def test_a_base_that_lfx_does_not_notice(head: str, base: str) -> None:
    code = UPPERCASE.replace("from lfx.custom import Component", head).replace("(Component)", f"({base})")
    reading = read(code)
    finding = reading.errors[0]
    assert finding.rule == "base-not-by-name"
    assert "Could not extract class name from code" in finding.message
    assert finding.line == 6
    assert reading.class_name == "UppercaseComponent"


@pytest.mark.parametrize(
    "code", ["", "x = 1\n", "class A:\n    pass\n", "def f():\n    class A(Component):\n        pass\n"]
)
def test_no_component_class(code: str) -> None:
    reading = read(code)
    assert reading.anatomy is None
    assert reading.errors[0].rule == "no-component-class"
    assert reading.errors[0].message.startswith("Could not extract class name from code")
