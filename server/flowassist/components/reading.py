"""The static reading of a component's code: what it consists of, and what is wrong with it. Nothing is run."""

import ast
from dataclasses import dataclass, replace
from typing import TypeVar

from flowassist.components.anatomy import Anatomy, Declared
from flowassist.components.annotations import annotation_findings
from flowassist.components.attributes import attribute_findings
from flowassist.components.classes import Classes, component_classes
from flowassist.components.declared import inputs_of, outputs_of
from flowassist.components.dropped import dropped_findings
from flowassist.components.methods import methods_of
from flowassist.components.names import Names, assigned, lineage, names_of
from flowassist.components.report import Finding
from flowassist.components.rules import anatomy_findings, class_findings
from flowassist.components.source import parse, too_deep
from flowassist.components.undefined import undefined_findings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading:
    """`tree` is None if the code cannot be parsed, `anatomy` if it holds no component class."""

    code: str
    tree: ast.Module | None
    anatomy: Anatomy | None
    findings: tuple[Finding, ...]

    @property
    def class_name(self) -> str:
        return self.anatomy.name if self.anatomy else ""

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.warning)


def read(code: str) -> Reading:
    """Read the code; never raises. Findings come in the order of their lines, those without a line first."""
    tree = parse(code)
    if isinstance(tree, Finding):
        return Reading(code, None, None, (tree,))
    try:
        return _read(code, tree)
    except RecursionError:
        return Reading(code, None, None, (too_deep(),))


def _read(code: str, tree: ast.Module) -> Reading:
    names = names_of(tree)
    classes = component_classes(names)
    anatomy = _anatomy(classes, names)
    findings = [*class_findings(tree, classes), *dropped_findings(tree), *undefined_findings(code, tree)]
    findings += annotation_findings(tree, names)
    if anatomy:
        line = lineage(names.classes[anatomy.name], names)
        findings += [*anatomy_findings(anatomy, line), *attribute_findings(anatomy, line)]
    return Reading(code, tree, anatomy, tuple(sorted(findings, key=lambda finding: finding.line or 0)))


def _anatomy(classes: Classes, names: Names) -> Anatomy | None:
    if (cls := classes.chosen) is None:
        return None
    line = lineage(cls, names)
    foreign = any(names.is_foreign(base) for one in line for base in one.bases)
    return Anatomy(
        name=cls.name,
        line=cls.lineno,
        bases=tuple(ast.unparse(base) for base in cls.bases),
        foreign=foreign,
        inputs=_known(inputs_of(line, names) or Declared(), foreign),
        outputs=_known(outputs_of(line, names) or Declared(), foreign),
        methods=methods_of(line),
        attributes=frozenset(name for one in line for node in one.body for name, _ in assigned(node)),
        reads=frozenset(name for one in line for name in _reads(one)),
    )


def _known(declared: Declared[T], foreign: bool) -> Declared[T]:
    """A class from outside may add entries to what the code declares, as lfx's triggers do."""
    return replace(declared, whole=False) if foreign else declared


def _reads(cls: ast.ClassDef) -> set[str]:
    loads = (node for node in ast.walk(cls) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))
    return {node.attr for node in loads if isinstance(node.value, ast.Name) and node.value.id == "self"}
