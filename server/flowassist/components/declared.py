"""Read the `inputs` and `outputs` lists of a class, however they are put together."""

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from flowassist.components.anatomy import Declared, Input, Output
from flowassist.components.names import Names, assigned

T = TypeVar("T")
_MAX_DEPTH = 16
_NO_LISTS = (ast.Constant, ast.JoinedStr, ast.Dict, ast.Set, ast.DictComp, ast.SetComp, ast.GeneratorExp)
_DEFINITIONS = (ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def inputs_of(line: tuple[ast.ClassDef, ...], names: Names) -> Declared[Input] | None:
    """The inputs that the nearest class of the line declares; None if none of them does."""
    return _declared("inputs", _input, line, names)


def outputs_of(line: tuple[ast.ClassDef, ...], names: Names) -> Declared[Output] | None:
    """The outputs that the nearest class of the line declares; None if none of them does."""
    return _declared("outputs", _output, line, names)


def _declared(
    attribute: str, make: Callable[[ast.Call, "_Entries"], T | None], line: tuple[ast.ClassDef, ...], names: Names
) -> Declared[T] | None:
    for cls in line:
        entries = _Entries(attribute, names)
        if entries.collect(cls):
            made = [make(call, entries) for call in entries.calls]
            known = tuple(one for one in made if one)
            return Declared(known, entries.whole and None not in made, entries.nameless(), entries.no_list)
    return None


class _Entries:
    """The calls that make the entries of one list, in their order."""

    def __init__(self, attribute: str, names: Names) -> None:
        self.attribute, self.names = attribute, names
        self.calls: list[ast.Call] = []
        self.whole = True
        self.no_list: int | None = None
        self._inner: Mapping[str, ast.expr] = {}

    def collect(self, cls: ast.ClassDef) -> bool:
        """Whether the class itself declares the list."""
        self._inner = dict(pair for node in cls.body for pair in assigned(node))
        if self.attribute in self._inner:
            self._add(self._inner[self.attribute], _MAX_DEPTH)
            self._judge(self._inner[self.attribute])
        changes = [node for node in cls.body if self._changes(node)]
        for node in changes:
            self._change(node)
        return self.attribute in self._inner or bool(changes)

    def _judge(self, given: ast.expr) -> None:
        value = self.names.value(given, self._inner)
        if isinstance(value, _NO_LISTS) or (isinstance(value, ast.Call) and self._is_entry(value)):
            self.no_list = given.lineno

    def _is_entry(self, call: ast.Call) -> bool:
        """Whether the call makes one of lfx's own inputs or outputs."""
        path = self.names.path(call.func)
        return path.partition(".")[0] in {"lfx", "langflow"} and path.endswith(("Input", ".Output"))

    def nameless(self) -> tuple[int, ...]:
        """Lines of the entries that lfx refuses for their lack of a name."""
        entries = (call for call in self.calls if self._is_entry(call) and not call.args)
        return tuple(call.lineno for call in entries if self.text(call, "name") == "")

    def _changes(self, node: ast.stmt) -> bool:
        """Whether a statement other than a plain assignment works on the list."""
        if isinstance(node, _DEFINITIONS):
            return False
        parts: list[ast.AST] = [node]
        if isinstance(node, ast.Assign):
            parts = [target for target in node.targets if not isinstance(target, ast.Name)]
        return any(isinstance(one, ast.Name) and one.id == self.attribute for part in parts for one in ast.walk(part))

    def _change(self, node: ast.stmt) -> None:
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            self._add(node.value, _MAX_DEPTH)
        else:
            self.whole = False

    def _add(self, node: ast.expr, depth: int) -> None:
        node = self.names.value(node, self._inner)
        base = self._base_list(node)
        if base is not None and depth:
            self._add(base, depth - 1)
        elif isinstance(node, ast.List | ast.Tuple) and depth:
            self._add_each(node.elts, depth - 1)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and depth:
            self._add(node.left, depth - 1)
            self._add(node.right, depth - 1)
        else:
            self.whole = False

    def _add_each(self, elements: Iterable[ast.expr], depth: int) -> None:
        for element in elements:
            value = self.names.value(element, self._inner)
            if isinstance(value, ast.Starred):
                self._add(value.value, depth)
            elif isinstance(value, ast.Call):
                self.calls.append(value)
            else:
                self.whole = False

    def _base_list(self, node: ast.expr) -> ast.expr | None:
        """The list that `Base.inputs` means, where Base is a class of the same code."""
        if not (isinstance(node, ast.Attribute) and node.attr == self.attribute and isinstance(node.value, ast.Name)):
            return None
        owner = self.names.classes.get(node.value.id)
        return dict(pair for part in owner.body for pair in assigned(part)).get(self.attribute) if owner else None

    def text(self, call: ast.Call, keyword: str) -> str | None:
        """A keyword's text: empty if it is not given, None if it is given in a way that only running tells."""
        if any(one.arg is None for one in call.keywords):
            return None
        given = next((one.value for one in call.keywords if one.arg == keyword), None)
        if given is None:
            return ""
        value = self.names.value(given, self._inner)
        return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None

    def kind(self, call: ast.Call) -> str:
        return self.names.path(call.func).rpartition(".")[2]


def _input(call: ast.Call, entries: _Entries) -> Input | None:
    name = entries.text(call, "name")
    return Input(name, entries.kind(call), call.lineno) if name else None


def _output(call: ast.Call, entries: _Entries) -> Output | None:
    name, method = entries.text(call, "name"), entries.text(call, "method")
    if not name or method is None:
        return None
    return Output(name, method, call.lineno, any(one.arg == "types" for one in call.keywords))
