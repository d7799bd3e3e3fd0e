"""Statements at module level that lfx leaves out without a word.

lfx 1.13 runs only imports, definitions and assignments (custom/validate.py, prepare_global_scope): a component whose
imports stand inside `try` fails with a NameError when its method runs.
"""

import ast
from collections.abc import Iterator

from flowassist.components.names import imported
from flowassist.components.report import Finding

_RUN = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign, ast.AnnAssign)
_KIND = {
    ast.Try: "try",
    ast.If: "if",
    ast.While: "while",
    ast.For: "for",
    ast.With: "with",
    ast.AugAssign: "augmented assignment",
    ast.Expr: "expression",
    ast.Delete: "del",
    ast.Assert: "assert",
    ast.Raise: "raise",
    ast.Match: "match",
}
_PLAINLY = "Write imports and assignments at the top level as plain statements, everything else into a method."


def dropped_findings(tree: ast.Module) -> Iterator[Finding]:
    """One finding for each statement that would be missing; a warning where nothing else needs it."""
    kept = [node for node in tree.body if _runs(node)]
    used = {name for node in kept for name in _loaded(node)}
    bound = {name for node in kept for name in _bound(node)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not _runs(node):
            yield _relative(node)
        elif isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield _star(node)
        elif not _runs(node) and not _harmless(node):
            yield _dropped(node, sorted(_missing(node, bound) & used))


def _runs(node: ast.stmt) -> bool:
    return isinstance(node, _RUN) and not (isinstance(node, ast.ImportFrom) and node.level)


def _harmless(node: ast.stmt) -> bool:
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or isinstance(node, ast.Pass)


def _loaded(node: ast.AST) -> set[str]:
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return {one.id for one in names if isinstance(one.ctx, ast.Load)}


def _bound(node: ast.AST) -> set[str]:
    """Names that a statement gives a meaning to, nested ones included."""
    bound = {name for one in ast.walk(node) for name, _ in imported(one)}
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            bound.add(one.id)
        elif isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            bound.add(one.name)
    return bound


def _missing(node: ast.stmt, bound: set[str]) -> set[str]:
    """The names that lack a meaning, or have a wrong one, when the statement is left out."""
    if isinstance(node, ast.AugAssign):
        return _bound(node.target)
    if isinstance(node, ast.If) and _for_type_checkers(node):
        return set()
    return _bound(node) - bound


def _for_type_checkers(node: ast.If) -> bool:
    return ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def _dropped(node: ast.stmt, needed: list[str]) -> Finding:
    kind = _KIND.get(type(node), "statement")
    message = f"Langflow leaves out this {kind} at module level"
    if not needed:
        return Finding("dropped-statement", f"{message}.", _PLAINLY, node.lineno, warning=True)
    names = ", ".join(f"'{name}'" for name in needed)
    return Finding("dropped-statement", f"{message}, so {names} would not be set.", _PLAINLY, node.lineno)


def _relative(node: ast.ImportFrom) -> Finding:
    message = "A component is one file: there is nothing to import relatively from."
    return Finding("relative-import", message, "Import from an installed package by its full name.", node.lineno)


def _star(node: ast.ImportFrom) -> Finding:
    message = f"Langflow cannot do `from {node.module} import *`."
    return Finding("star-import", message, "Import each name that is used.", node.lineno)
