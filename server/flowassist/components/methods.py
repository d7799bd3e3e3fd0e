"""Read what the methods of a class hand back."""

import ast
from collections.abc import Iterator

from flowassist.components.anatomy import Gives, Method
from flowassist.components.names import assigned

_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def methods_of(line: tuple[ast.ClassDef, ...]) -> dict[str, Method]:
    """Methods by name; those of the nearest class win."""
    return {method.name: method for cls in reversed(line) for node in within(cls) for method in _methods(node)}


def within(owner: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """Every node of the body that belongs to the owner's own scope; nested definitions come without their insides."""
    waiting: list[ast.AST] = list(reversed(owner.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _OWN_SCOPE):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def _methods(node: ast.AST) -> Iterator[Method]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield Method(node.name, node.lineno, _gives(node), ast.unparse(node.returns) if node.returns else "")
    for name, value in assigned(node):
        if isinstance(value, ast.Lambda):
            yield Method(name, value.lineno, Gives.VALUE)


def _gives(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Gives:
    nodes = list(within(function))
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
        return Gives.GENERATOR
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
    return Gives.VALUE if any(not _is_none(value) for value in returned) else Gives.NOTHING


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
