"""What lfx leaves out at module level is told: an error where the component needs it, else a warning."""

import pytest

from flowassist.components.reading import read
from tests.components.samples import UPPERCASE


def found(statement: str, use: str = "") -> list[tuple[str, int | None, bool]]:
    code = statement + "\n" + UPPERCASE.replace("self.text.upper()", use or "self.text.upper()")
    return [(finding.rule, finding.line, finding.warning) for finding in read(code).findings]


@pytest.mark.parametrize(
    ("statement", "use"),
    [
        ("try:\n    import yaml\nexcept ImportError:\n    yaml = None", "yaml.dump(self.text)"),
        ("if True:\n    import json", "json.dumps(self.text)"),
        ("for LIMIT in range(3):\n    pass", "self.text * LIMIT"),
        ("with open('x') as FILE:\n    pass", "FILE.name"),
        ("while (DEPTH := 1) < 1:\n    pass", "self.text * DEPTH"),
        ("if True:\n    def helper(x): return x", "helper(self.text)"),
    ],
)
def test_a_dropped_statement_that_the_component_needs(statement: str, use: str) -> None:
    assert found(statement, use) == [("dropped-statement", 1, False)]


def test_an_augmented_assignment_changes_a_value_that_is_used() -> None:
    assert found("LIMIT = 1\nLIMIT += 1", "self.text * LIMIT") == [("dropped-statement", 2, False)]


@pytest.mark.parametrize(
    "statement",
    [
        "while True: pass",
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None",
        "if __name__ == '__main__':\n    print(1)",
        "print('hello')",
        "UNUSED = 1\nUNUSED += 1",
        "assert True",
        "del print",
        "raise ValueError",
        "match 1:\n    case 1: pass",
    ],
)
def test_a_dropped_statement_that_nothing_needs_is_a_warning(statement: str) -> None:
    line = 2 if statement.startswith("UNUSED") else 1
    assert found(statement) == [("dropped-statement", line, True)]


def test_a_name_that_is_set_plainly_too_is_not_missing() -> None:
    statement = "import json\ntry:\n    import orjson as json\nexcept ImportError:\n    pass"
    assert found(statement, "json.dumps(self.text)") == [("dropped-statement", 2, True)]


@pytest.mark.parametrize("test", ["TYPE_CHECKING", "typing.TYPE_CHECKING"])
def test_imports_for_type_checkers_are_a_warning(test: str) -> None:
    statement = f"import typing\nfrom typing import TYPE_CHECKING\nif {test}:\n    from collections.abc import Iterable"
    assert found(statement, "len(Iterable)") == [("dropped-statement", 3, True)]


def test_star_and_relative_imports() -> None:
    assert found("from math import *") == [("star-import", 1, False)]
    assert found("from . import helpers") == [("relative-import", 1, False)]
    assert found("from .helpers import f") == [("relative-import", 1, False)]


@pytest.mark.parametrize(
    "statement",
    ['"""A docstring."""', "...", "pass", "LIMIT = 3", "LIMIT: int = 3", "def helper(): pass", "class Helper: pass",
     "from __future__ import annotations"],
)  # fmt: skip
def test_statements_that_run_or_do_not_matter(statement: str) -> None:
    assert found(statement) == []
