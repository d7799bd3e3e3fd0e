"""Read what the methods of a class hand back."""

import ast
from collections.abc import Iterator, Set

from flowassist.components.anatomy import Gives, Method
from flowassist.components.names import assigned

Function = ast.FunctionDef | ast.AsyncFunctionDef

_PROPERTIES = {"property", "cached_property"}
_BINDERS = {"staticmethod", "classmethod"}
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
        annotation = ast.unparse(node.returns) if node.returns else ""
        yield Method(node.name, node.lineno, _gives(node), annotation, _unfit(node), _extends(node))
    for name, value in assigned(node):
        if isinstance(value, ast.Lambda):
            yield Method(name, value.lineno, Gives.VALUE)


def _gives(function: Function) -> Gives:
    nodes = list(within(function))
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
        return Gives.GENERATOR
    returned = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
    return Gives.VALUE if any(not _is_none(value) for value in returned) else Gives.NOTHING


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _unfit(function: Function) -> str:
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in function.decorator_list}
    if decorators & _PROPERTIES:
        return "is a property"
    return "" if decorators - _BINDERS else _unfit_parameters(function.args, decorators)


def _unfit_parameters(parameters: ast.arguments, decorators: Set[str]) -> str:
    own = 0 if "staticmethod" in decorators else 1
    positional = [*parameters.posonlyargs, *parameters.args]
    if len(positional) < own and not parameters.vararg:
        return "does not take self"
    asked = positional[own : len(positional) - len(parameters.defaults)]
    named = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    asked += [parameter for parameter, default in named if default is None]
    return f"asks for '{asked[0].arg}'" if asked else ""


def _extends(function: Function) -> bool:
    calls = (node.func for node in within(function) if isinstance(node, ast.Call))
    above = (called.value for called in calls if isinstance(called, ast.Attribute) and called.attr == function.name)
    return any(isinstance(owner, ast.Call) and ast.unparse(owner.func) == "super" for owner in above)
