"""Names that nothing defines. A run finds only those that it comes by; these are found in every branch.

Annotations are left out: lfx 1.13 leaves them as texts, by a `from __future__ import annotations` of its own.
"""

import ast
import builtins
import difflib
import symtable
import warnings
from collections.abc import Iterator
from symtable import Symbol, SymbolTable

from flowassist.components.report import Finding
from flowassist.components.reserved import PREPENDED

_GIVEN = {*dir(builtins), *PREPENDED, "__file__", "__builtins__", "__annotations__", "__path__"}
_PUT_BEFORE = "from __future__ import annotations\n"


def undefined_findings(code: str, tree: ast.Module) -> Iterator[Finding]:
    """One finding for each name, at its first use. None where Python refuses the code as a whole, or all may be
    defined by a star import."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body):
        return
    before = "" if _leaves_annotations(tree) else _PUT_BEFORE
    try:
        with warnings.catch_warnings(action="ignore"):
            module = symtable.symtable(before + code, "component", "exec")
    except SyntaxError:
        return
    tables = list(_tables(module))
    known = _GIVEN | _defined(module, tables)
    for name, found in _used(tables).items():
        line = found - before.count("\n")
        if name not in known:
            message = f"NameError: name '{name}' is not defined"
            yield Finding("undefined-name", message, _remedy(name, known), _first_use(tree, name, line))


def _leaves_annotations(tree: ast.Module) -> bool:
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__")
    return any(alias.name == "annotations" for node in imports for alias in node.names)


def _remedy(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean '{near[0]}'?" if near else f"Import or define '{name}' before it is used."


def _tables(module: SymbolTable) -> Iterator[SymbolTable]:
    waiting = [module]
    while waiting:
        table = waiting.pop()
        yield table
        waiting += table.get_children()


def _defined(module: SymbolTable, tables: list[SymbolTable]) -> set[str]:
    at_top = (symbol for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported())
    declared = (symbol for table in tables for symbol in table.get_symbols() if symbol.is_declared_global())
    return {symbol.get_name() for symbols in (at_top, declared) for symbol in symbols}


def _used(tables: list[SymbolTable]) -> dict[str, int]:
    """Names that are looked for at the top level, with the line where the first scope that does so begins."""
    lines: dict[str, int] = {}
    for table in tables:
        for symbol in table.get_symbols():
            if _looks_outside(symbol):
                name, line = symbol.get_name(), table.get_lineno()
                lines[name] = min(line, lines.get(name, line))
    return lines


def _looks_outside(symbol: Symbol) -> bool:
    return symbol.is_referenced() and symbol.is_global() and not symbol.is_assigned()


def _first_use(tree: ast.Module, name: str, after: int) -> int | None:
    uses = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name)
    return min((node.lineno for node in uses if node.lineno >= after and isinstance(node.ctx, ast.Load)), default=None)
