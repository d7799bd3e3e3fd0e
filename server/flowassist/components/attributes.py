"""Names read from self that nothing gives. A run finds only those that it comes by, and none that the code swallows."""

import ast
import difflib
from collections.abc import Iterator

from flowassist.components.anatomy import Anatomy
from flowassist.components.report import Finding
from flowassist.components.reserved import ATTRIBUTES, METHODS

_AT_WILL = {"__getattr__", "__getattribute__", "__setattr__", "update_build_config", "build_config"}
"""Methods that may give a component names which its code does not tell."""


def attribute_findings(anatomy: Anatomy, line: tuple[ast.ClassDef, ...]) -> Iterator[Finding]:
    """One finding for each name, at its first use; none where names may come from elsewhere."""
    if _is_open(anatomy) or _sets_at_will(line):
        return
    inputs = {entry.name for entry in anatomy.inputs.entries}
    own = inputs | anatomy.methods.keys() | anatomy.attributes | {entry.name for entry in anatomy.outputs.entries}
    known = own | METHODS | ATTRIBUTES | set(_stored(line))
    for name, number in _reads(line).items():
        if name not in known and not name.startswith("_"):
            message = f"AttributeError: Attribute {name} not found in {anatomy.name}"
            yield Finding("unknown-attribute", message, _remedy(name, own), number)


def _is_open(anatomy: Anatomy) -> bool:
    inputs = anatomy.inputs
    read_whole = inputs.whole and not inputs.nameless and inputs.no_list is None
    return anatomy.foreign or not read_whole or bool(_AT_WILL & anatomy.methods.keys())


def _remedy(name: str, own: set[str]) -> str:
    near = difflib.get_close_matches(name, own, n=1)
    return f"Did you mean 'self.{near[0]}'?" if near else f"Declare an input '{name}', or set self.{name} before."


def _sets_at_will(line: tuple[ast.ClassDef, ...]) -> bool:
    return any(_is_at_will(node) for cls in line for node in ast.walk(cls))


def _is_at_will(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"setattr", "vars"}


def _stored(line: tuple[ast.ClassDef, ...]) -> Iterator[str]:
    for cls in line:
        yield from (node.name for node in cls.body if isinstance(node, ast.ClassDef))
        yield from (node.attr for node in _of_self(cls) if not isinstance(node.ctx, ast.Load))


def _reads(line: tuple[ast.ClassDef, ...]) -> dict[str, int]:
    lines: dict[str, int] = {}
    for cls in line:
        excused = {id(node) for guarded in _guarded(cls) for node in ast.walk(guarded)}
        for node in _of_self(cls):
            if isinstance(node.ctx, ast.Load) and id(node) not in excused:
                lines[node.attr] = min(node.lineno, lines.get(node.attr, node.lineno))
    return lines


def _of_self(cls: ast.ClassDef) -> Iterator[ast.Attribute]:
    """Attributes of `self` in the class's own methods; a class inside has a self of its own."""
    waiting: list[ast.AST] = list(cls.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node
        if not isinstance(node, ast.ClassDef):
            waiting += ast.iter_child_nodes(node)


def _guarded(cls: ast.ClassDef) -> Iterator[ast.stmt]:
    """Statements whose missing attributes are expected: a handler names AttributeError, or hasattr asks before."""
    for node in ast.walk(cls):
        if isinstance(node, ast.Try) and any(_handles(handler) for handler in node.handlers):
            yield from node.body
        if isinstance(node, ast.If) and "hasattr(" in ast.unparse(node.test):
            yield node


def _handles(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and "AttributeError" in ast.unparse(handler.type)
