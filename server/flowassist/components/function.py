"""A function that a model wrote, taken apart so that a component's module can be put together from it."""

import ast
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

NAME = "compute"
"""What a model is asked to call its function."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef

KEPT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
"""Statements at the top level that lfx executes, apart from imports."""


_WORK = (
    *(ast.Call, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.comprehension),
    *(ast.JoinedStr, ast.Subscript, ast.IfExp, ast.If, ast.For, ast.While),
)
"""Nodes of a function that works on something."""


@dataclass(frozen=True, slots=True)
class Function:
    """Import lines, definitions as they were written, and the one that is to be called, if the source parses."""

    imports: tuple[str, ...]
    definitions: tuple[str, ...]
    main: Definition | None

    @property
    def name(self) -> str:
        return self.main.name if self.main else NAME

    @property
    def is_async(self) -> bool:
        return isinstance(self.main, ast.AsyncFunctionDef)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Those that can be given by position."""
        return tuple(argument.arg for argument in _positional(self.main)) if self.main else ()

    @property
    def takes_any(self) -> bool:
        return self.main is None or self.main.args.vararg is not None

    @property
    def is_idle(self) -> bool:
        """Whether it only gives back what it was given: nothing in it works on anything."""
        body = self.main.body if self.main else []
        nodes = [node for statement in body for node in ast.walk(statement)]
        return bool(nodes) and not any(isinstance(node, _WORK) for node in nodes)

    @property
    def defaults(self) -> dict[str, object]:
        """The values that parameters have without a word; only plain constants."""
        if not self.main or not self.main.args.defaults:
            return {}
        last = _positional(self.main)[-len(self.main.args.defaults) :]
        pairs = zip(last, self.main.args.defaults, strict=True)
        return {argument.arg: value.value for argument, value in pairs if isinstance(value, ast.Constant)}


def read_function(source: str) -> Function:
    """Imports that were forgotten are added where they are of the standard library; what lfx would drop is left out.

    Source that does not parse is one definition, as it is, so that the checks can name its line.
    """
    source = textwrap.dedent(source).strip("\n")
    tree = parsed(source)
    if tree is None:
        return Function((), (source,), None)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) and not _is_future(node)]
    lines = {*(f"import {name}" for name in _forgotten(tree)), *(written(source, node) for node in imports)}
    kept = [node for node in tree.body if isinstance(node, KEPT)]
    definitions = tuple(written(source, node) for node in kept)
    return Function(tuple(sorted(lines, key=_import_order)), definitions, _main(kept))


def parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def written(source: str, node: ast.stmt) -> str:
    """A statement as it stands in the source, its decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])


def _main(kept: Sequence[ast.stmt]) -> Definition | None:
    """The function of the agreed name, or the last one."""
    functions = [node for node in kept if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [node for node in functions if node.name == NAME]
    return next(reversed(named or functions), None)


def _positional(main: Definition) -> list[ast.arg]:
    return [*main.args.posonlyargs, *main.args.args]


def _forgotten(tree: ast.Module) -> list[str]:
    """Modules of the standard library that are used by name and bound nowhere."""
    owners = (node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    used = {owner.id for owner in owners if isinstance(owner, ast.Name)}
    return sorted(name for name in used - set(_bound(tree)) if name in sys.stdlib_module_names)


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _import_order(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line
