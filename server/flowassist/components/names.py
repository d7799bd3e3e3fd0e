"""What names in a module stand for: imports, simple assignments, classes. Nothing is evaluated."""

import ast
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_MAX_HOPS = 8
_LFX_BASES = {"Component", "CustomComponent"}
_EMPTY_BASES = {"object", "ABC", "abc.ABC", "Generic", "typing.Generic"}


@dataclass(frozen=True, slots=True)
class Names:
    """`imports`: name to dotted path; `values`: name to the expression assigned last; `classes` in their order."""

    imports: Mapping[str, str]
    values: Mapping[str, ast.expr]
    classes: Mapping[str, ast.ClassDef]

    def path(self, node: ast.expr) -> str:
        """The dotted path of a name or attribute with its import written out, empty for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self.imports.get(node.id, node.id), *reversed(parts)])

    def value(self, node: ast.expr, inner: Mapping[str, ast.expr]) -> ast.expr:
        """The expression behind a name, looked up in a class body first."""
        for _ in range(_MAX_HOPS):
            if not isinstance(node, ast.Name):
                break
            node = inner.get(node.id) or self.values.get(node.id) or node
        return node

    def is_lfx_component(self, base: ast.expr) -> bool:
        path = self.path(base)
        root, last = path.partition(".")[0], path.rpartition(".")[2]
        return last in _LFX_BASES and root in {"lfx", "langflow", last}

    def is_foreign(self, base: ast.expr) -> bool:
        """Whether a base class comes from outside the code and may pass on more than lfx's Component does."""
        base = base.value if isinstance(base, ast.Subscript) else base
        inside = isinstance(base, ast.Name) and base.id in self.classes
        return not (inside or self.path(base) in _EMPTY_BASES or self.is_lfx_component(base))


def names_of(tree: ast.Module) -> Names:
    imports = dict(pair for node in tree.body for pair in imported(node))
    values = dict(pair for node in tree.body for pair in assigned(node))
    return Names(imports, values, {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)})


def imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Name and dotted path of everything that an import statement binds, `*` left out."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name != "*":
                yield alias.asname or alias.name, f"{module}.{alias.name}"


def assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Name and expression of a plain or annotated assignment to single names."""
    if isinstance(node, ast.Assign):
        yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
        yield node.target.id, node.value


def lineage(cls: ast.ClassDef, names: Names) -> tuple[ast.ClassDef, ...]:
    """The class and those it inherits from in the same code, nearest first."""
    line: dict[ast.ClassDef, None] = {}
    waiting = deque([cls])
    while waiting:
        one = waiting.popleft()
        if one not in line:
            line[one] = None
            bases = [base.id for base in one.bases if isinstance(base, ast.Name)]
            waiting += [names.classes[base] for base in bases if base in names.classes]
    return tuple(line)
