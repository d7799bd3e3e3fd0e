"""What lfx makes of annotations: it refuses those that would run, and leaves all of them as texts.

lfx 1.13 puts `from __future__ import annotations` before a component's code (custom/validate.py, create_class), and
Pydantic has no module in which to look the names up: a model whose fields name more than built-in types fails when it
is used, unless it is rebuilt where the names are known.
"""

import ast
import builtins
from collections.abc import Iterator

from flowassist.components.names import Names
from flowassist.components.report import Finding

_ACTIVE = (ast.Call, ast.Lambda, ast.IfExp, ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNREAD = {"Literal", "Annotated"}
_MODELS = {"pydantic.BaseModel", "pydantic.main.BaseModel"}
_KNOWN = frozenset(dir(builtins))


def annotation_findings(tree: ast.Module, names: Names) -> Iterator[Finding]:
    yield from _active_findings(tree)
    rebuilt = {name for node in tree.body if not isinstance(node, ast.Expr) for name in _rebuilt(node)}
    for cls in _models(names):
        if cls.name not in rebuilt:
            yield from _unknown_fields(cls)


def _active_findings(tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        annotation = _annotation(node)
        if annotation and any(isinstance(part, _ACTIVE) for part in _read_parts(annotation)):
            message = f"The annotation `{ast.unparse(annotation)}` would run code, which Langflow refuses."
            yield Finding("annotation-active", message, "Annotate with the name of a type.", annotation.lineno)


def _annotation(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.returns
    return node.annotation if isinstance(node, ast.arg | ast.AnnAssign) else None


def _read_parts(annotation: ast.expr) -> Iterator[ast.AST]:
    """Every part but what stands in Literal[...] and Annotated[...]."""
    waiting: list[ast.AST] = [annotation]
    while waiting:
        node = waiting.pop()
        yield node
        if not (isinstance(node, ast.Subscript) and _last(node.value) in _UNREAD):
            waiting += ast.iter_child_nodes(node)


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _models(names: Names) -> Iterator[ast.ClassDef]:
    found: set[str] = set()
    for cls in names.classes.values():
        bases = {names.path(base) for base in cls.bases}
        if bases & (_MODELS | found):
            found.add(cls.name)
            yield cls


def _rebuilt(node: ast.stmt) -> Iterator[str]:
    """Names of the classes that a statement rebuilds."""
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and one.attr == "model_rebuild" and isinstance(one.value, ast.Name):
            yield one.value.id


def _unknown_fields(cls: ast.ClassDef) -> Iterator[Finding]:
    fields = [node for node in cls.body if isinstance(node, ast.AnnAssign) and _is_field(node)]
    unknown = {name: field for field in reversed(fields) for name in _names(field.annotation) - _KNOWN - {cls.name}}
    if unknown:
        listed = ", ".join(f"'{name}'" for name in sorted(unknown))
        message = f"In Langflow the Pydantic model {cls.name} does not find {listed}, and fails when it is used."
        remedy = f"Add `_{cls.name.lower()} = {cls.name}.model_rebuild()` below the class: an assignment is kept."
        yield Finding("pydantic-not-rebuilt", message, remedy, min(field.lineno for field in unknown.values()))


def _is_field(node: ast.AnnAssign) -> bool:
    private = isinstance(node.target, ast.Name) and node.target.id.startswith("_")
    return not private and not ast.unparse(node.annotation).startswith(("ClassVar", "typing.ClassVar"))


def _names(annotation: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}
