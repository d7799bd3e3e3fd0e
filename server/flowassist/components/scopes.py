"""Which dotted path a name means at a place in the code. Nothing is evaluated."""

import ast
from collections.abc import Iterable, Iterator

from flowassist.components.capabilities import BUILTINS
from flowassist.components.methods import within
from flowassist.components.names import imported
from flowassist.components.paths import LITERAL

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Scope:
    """Names with their paths; an empty path means something of the code's own, which is harmless."""

    def __init__(self, outer: "Scope | None" = None, own: Iterable[str] = ()) -> None:
        self._outer = outer
        self._now = dict.fromkeys(own, "")
        self._ever: dict[str, str] = {}

    def bind(self, name: str, path: str, *, surely: bool = True) -> None:
        """Give a name its meaning; one that may not happen (`surely` false) never takes a telling path away."""
        if path or surely:
            self._now[name] = path
        if path:
            self._ever[name] = path

    def path(self, name: str) -> str:
        if name in self._now:
            return self._now[name]
        return self._outer.later(name) if self._outer else _builtin(name)

    def later(self, name: str) -> str:
        """What the name may mean when a function that was defined here runs."""
        if name in self._now:
            return self._ever.get(name, "")
        return self._outer.later(name) if self._outer else _builtin(name)

    def resolve(self, node: ast.expr) -> str:
        """The dotted path of an expression, or its text behind `LITERAL`; empty if it has neither."""
        if isinstance(node, ast.Name):
            return self.path(node.id)
        if isinstance(node, ast.NamedExpr):
            return self.resolve(node.value)
        if isinstance(node, ast.Attribute):
            return self._member(node.value, node.attr)
        if isinstance(node, ast.Call) and (path := self._called(node)):
            return path
        written = text(node)
        return "" if written is None else LITERAL + written

    def literal(self, node: ast.expr) -> str | None:
        """The text of an expression: written out, or behind a name."""
        path = self.resolve(node)
        return path.removeprefix(LITERAL) if path.startswith(LITERAL) else None

    def _member(self, owner: ast.expr, name: str | None) -> str:
        path = self.resolve(owner)
        return f"{path}.{name}" if path and name else ""

    def _called(self, call: ast.Call) -> str:
        called = self.resolve(call.func)
        if called == "getattr" and len(call.args) > 1:
            return self._member(call.args[0], self.literal(call.args[1]))
        if called in {"self.resolve_path", "self.get_full_path"} and call.args:
            return self.resolve(call.args[0])
        return ""


def _builtin(name: str) -> str:
    return name if name in BUILTINS else ""


def text(node: ast.expr) -> str | None:
    """The text of a literal, or of literals joined by +, .join or an f-string."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.FormattedValue):
        return text(node.value) if node.format_spec is None else None
    if isinstance(node, ast.JoinedStr):
        return _concatenated("", node.values)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
        between = text(node.func.value)
        parts = node.args[0].elts if node.args and isinstance(node.args[0], ast.List | ast.Tuple) else None
        return None if between is None or parts is None else _concatenated(between, parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = text(node.left), text(node.right)
        return left + right if left is not None and right is not None else None
    return None


def _concatenated(between: str, parts: list[ast.expr]) -> str | None:
    texts = [text(part) for part in parts]
    return None if None in texts else between.join(str(one) for one in texts)


def function_scope(node: Function, outer: Scope) -> Scope:
    """The scope inside a function: everything it binds is its own, `self` keeps its name."""
    scope = Scope(outer, {*_parameters(node.args), *_locals(node)})
    for name in _parameters(node.args):
        scope.bind(name, "self" if name == "self" else "")
    return scope


def comprehension_scope(node: Comprehension, outer: Scope) -> Scope:
    return Scope(outer, {name for part in node.generators for name in _stored(part.target)})


def _parameters(args: ast.arguments) -> list[str]:
    extra = [one for one in (args.vararg, args.kwarg) if one]
    return [one.arg for one in [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]]


def _locals(node: Function) -> set[str]:
    if isinstance(node, ast.Lambda):
        return set()
    bound = {name for part in within(node) for name in _binds(part)}
    return bound - {name for part in within(node) if isinstance(part, ast.Global) for name in part.names}


def _binds(node: ast.AST) -> Iterator[str]:
    yield from (name for name, _ in imported(node))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, _NAMED) and node.name:
        yield node.name


def _stored(node: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
