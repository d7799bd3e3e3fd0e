"""Annotations as lfx treats them: none may run, and Pydantic does not find what they name."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import UPPERCASE, rules

IMPORTS = """\
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal
import pydantic
from pydantic import BaseModel, Field
"""


@pytest.mark.parametrize(
    "annotation",
    [
        "type(1)",
        "(lambda: 1)",
        "(str if True else int)",
        "list[f()]",
        "[int for _ in 'a']",
        "dict[str, __import__('os')]",
    ],
)
@pytest.mark.parametrize("place", ["def f() -> {}: pass", "def f(x: {}): pass", "x: {} = 1", "class A:\n    x: {}"])
def test_annotations_that_run(annotation: str, place: str) -> None:
    found = read("def f(): pass\n" + place.format(annotation) + "\n" + UPPERCASE).errors
    assert [finding.rule for finding in found] == ["annotation-active"]


@pytest.mark.parametrize(
    "annotation",
    ["str | None", "Literal['f()', -1]", "Annotated[int, Field(ge=0)]", "list[dict[str, Any]]", "'list[str]'", "..."],
)
def test_annotations_that_do_not(annotation: str) -> None:
    assert rules(IMPORTS + f"def f(x: {annotation}) -> {annotation}: pass\n" + UPPERCASE) == []


def model(fields: str, *, base: str = "BaseModel", after: str = "") -> str:
    return f"{IMPORTS}class Kind(Enum):\n    A = 1\nclass Row({base}):\n    {fields}\n{after}\n{UPPERCASE}"


@pytest.mark.parametrize(
    ("fields", "missed"),
    [
        ("kind: Literal['a']", "'Literal'"),
        ("kind: Kind = Kind.A", "'Kind'"),
        ("a: dict[str, Any] = {}", "'Any'"),
        ("a: int = 1\n    b: list[Kind] = []\n    c: Any = None", "'Any', 'Kind'"),
    ],
)
@pytest.mark.parametrize("base", ["BaseModel", "pydantic.BaseModel"])
def test_models_whose_fields_pydantic_does_not_find(fields: str, missed: str, base: str) -> None:
    (finding,) = read(model(fields, base=base)).errors
    assert finding.rule == "pydantic-not-rebuilt"
    assert f"does not find {missed}, and" in finding.message
    assert "`_row = Row.model_rebuild()`" in finding.remedy


def test_a_model_that_inherits_from_one() -> None:
    (finding,) = read(model("a: int", after="class Sub(Row):\n    kind: Kind")).errors
    assert "model Sub does not find 'Kind'" in finding.message


def test_a_bare_call_at_module_level_does_not_rebuild() -> None:
    assert rules(model("kind: Kind", after="Row.model_rebuild()")) == ["pydantic-not-rebuilt"]


@pytest.mark.parametrize(
    ("fields", "base", "after"),
    [
        ("a: int\n    b: str | None = None\n    c: list[dict[str, float]] = []", "BaseModel", ""),
        ("kind: Kind", "BaseModel", "_row = Row.model_rebuild()"),
        ("kind: Kind", "BaseModel", "def made():\n    Row.model_rebuild(_types_namespace={'Kind': Kind})"),
        ("K: ClassVar[Kind] = Kind.A", "BaseModel", ""),
        ("_kind: Kind = Kind.A", "BaseModel", ""),
        ("parent: 'Row | None' = None\n    children: list[Row] = []", "BaseModel", ""),
        ("kind: Kind", "object", ""),
    ],
)
def test_models_that_work(fields: str, base: str, after: str) -> None:
    assert rules(model(fields, base=base, after=after)) == []
