"""The security scan: which capabilities does the code reach for?

It gives good messages early and judges what a sandbox cannot see from outside; the boundary is the sandbox. What counts
is that a thing is mentioned, not that it is called, so that containers, defaults and lambdas hide nothing.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager

from flowassist.components.capabilities import (
    DESERIALISATION,
    DYNAMIC,
    FILESYSTEM,
    HARMLESS,
    INTERNALS,
    NETWORK,
    READERS,
    WRITERS,
    Capability,
)
from flowassist.components.names import imported
from flowassist.components.paths import ATTRIBUTES, OWNERS, denied
from flowassist.components.reading import Reading
from flowassist.components.report import Finding
from flowassist.components.scopes import Comprehension, Function, Scope, comprehension_scope, function_scope, text
from flowassist.components.source import too_deep

_REPLACEMENT = re.compile(r"\{[^{}]*\}")
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Match)
_SAFE_LOADERS = {"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"}


def scan(reading: Reading) -> tuple[Finding, ...]:
    """One finding for each capability and place, in the order of the lines; empty for code that cannot be parsed."""
    if reading.tree is None:
        return ()
    inputs = reading.anatomy.inputs.entries if reading.anatomy else ()
    scanner = _Scanner(frozenset(f"self.{entry.name}" for entry in inputs if entry.kind == "FileInput"))
    try:
        scanner.run(reading.tree)
    except RecursionError:
        return (too_deep(),)
    return tuple(sorted(scanner.findings.values(), key=lambda finding: finding.line or 0))


class _Scanner(ast.NodeVisitor):
    """Walks the statements in order; function bodies wait until the scope around them is known."""

    def __init__(self, files: frozenset[str]) -> None:
        self.findings: dict[tuple[str, int, str], Finding] = {}
        self._files = files
        self._scope = Scope()
        self._functions_see = self._scope
        self._waiting: list[tuple[Function, Scope]] = []
        self._blocks = 0

    def run(self, tree: ast.Module) -> None:
        self.generic_visit(tree)
        while self._waiting:
            function, outer = self._waiting.pop(0)
            self._functions_see = function_scope(function, outer)
            with self._inside(self._functions_see):
                for part in function.body if isinstance(function.body, list) else [function.body]:
                    self.visit(part)

    @contextmanager
    def _inside(self, scope: Scope) -> Iterator[None]:
        before, self._scope = self._scope, scope
        blocks, self._blocks = self._blocks, 0
        yield
        self._scope, self._blocks = before, blocks

    def _tell(self, capability: Capability, what: str, node: ast.AST, *, key: str = "") -> None:
        line = getattr(node, "lineno", 1)
        message = f"{what} {capability.sentence}, which a component may not do."
        finding = Finding(f"security-{capability.name}", message, capability.remedy, line)
        self.findings.setdefault((capability.name, line, key or what), finding)

    def visit(self, node: ast.AST) -> None:
        block = isinstance(node, _BLOCKS)
        self._blocks += block
        super().visit(node)
        self._blocks -= block

    # what binds names

    def visit_Import(self, node: ast.Import) -> None:
        for alias, (name, path) in zip(node.names, imported(node), strict=True):
            self._imported(name, path, alias.name, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if any(alias.name == "*" for alias in node.names) and (capability := denied(module)):
            self._tell(capability, module, node)
        for name, path in imported(node):
            self._imported(name, path, path, node)

    def _imported(self, name: str, path: str, whole: str, node: ast.stmt) -> None:
        capability = None if whole in HARMLESS else denied(whole)
        if capability:
            self._tell(capability, whole, node)
        self._scope.bind(name, "" if capability else path)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assign(node.targets, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)
        self._assign([node.target], node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assign([node.target], node.value)

    def _assign(self, targets: list[ast.expr], value: ast.expr | None) -> None:
        path = self._scope.resolve(value) if value else ""
        single = all(isinstance(target, ast.Name) for target in targets)
        if value and not (single and path in HARMLESS):
            self.visit(value)
        for target in targets:
            self._bind(target, path)

    def _bind(self, target: ast.expr, path: str) -> None:
        if isinstance(target, ast.Name):
            is_told = bool(path) and path not in HARMLESS and denied(path) is not None
            self._scope.bind(target.id, "" if is_told else path, surely=not self._blocks)
        else:
            self.visit(target)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._scope.bind(node.id, "", surely=not self._blocks)
        elif isinstance(node.ctx, ast.Load):
            self._mention(self._scope.path(node.id), node)

    # what opens scopes

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]:
            self.visit(part)
        self._scope.bind(node.name, "", surely=not self._blocks)
        self._waiting.append((node, self._functions_see))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        with self._inside(function_scope(node, self._scope)):
            self.visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(part)
        with self._inside(Scope(self._scope)):
            for statement in node.body:
                self.visit(statement)
        self._scope.bind(node.name, "", surely=not self._blocks)

    def _comprehension(self, node: Comprehension) -> None:
        with self._inside(comprehension_scope(node, self._scope)):
            self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    # what is judged

    def _mention(self, path: str, node: ast.expr) -> None:
        if not path:
            return
        if path in HARMLESS:
            self._tell(OWNERS[path], f"{path} handed on as a value", node)
        elif capability := denied(path):
            self._tell(capability, path, node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self._scope.resolve(node)
        if path and (denied(path) or path in HARMLESS):
            self._mention(path, node)
            return
        part: ast.expr = node
        while isinstance(part, ast.Attribute):
            self._member(part)
            part = part.value
        if not (isinstance(part, ast.Name) and path):
            self.visit(part)

    def _member(self, node: ast.Attribute) -> None:
        """An attribute that tells by its name alone; the component's own are its own business."""
        is_self = isinstance(node.value, ast.Name) and self._scope.path(node.value.id) == "self"
        own = is_self and not node.attr.startswith("__")
        if not own and (capability := ATTRIBUTES.get(node.attr)):
            self._tell(capability, f".{node.attr}", node, key="attribute")

    def visit_Call(self, node: ast.Call) -> None:
        called = self._scope.resolve(node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if called == "getattr" and (member := self._scope.resolve(node)):
            self._mention(member, node)
            arguments = arguments[1:]
        elif not self._excused(called, node):
            self.visit(node.func)
        self._judge(called, node)
        for argument in arguments:
            self.visit(argument)

    def _excused(self, called: str, node: ast.Call) -> bool:
        """Whether a call is fine although its function is not."""
        if called == "open":
            modes = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode")]
            reading = all((text(mode) or "w").startswith("r") and "+" not in (text(mode) or "") for mode in modes)
            return reading and bool(node.args) and self._scope.resolve(node.args[0]) in self._files
        if called in {"yaml.load", "yaml.load_all"}:
            loaders = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "Loader")]
            return any(self._scope.resolve(one).rpartition(".")[2] in _SAFE_LOADERS for one in loaders)
        return False

    def _judge(self, called: str, node: ast.Call) -> None:
        literals = [found for argument in node.args if (found := self._scope.literal(argument)) is not None]
        if called in {"getattr", "operator.attrgetter", "operator.methodcaller"}:
            self._attributes([part for literal in literals for part in literal.split(".")], node)
        if called in READERS and literals and _names_a_file(literals[0]):
            self._tell(FILESYSTEM, called, node)
        if called.startswith("numpy.") and any(_allows_pickle(keyword) for keyword in node.keywords):
            self._tell(DESERIALISATION, f"{called} with allow_pickle", node)
        if called == "logging.basicConfig" and any(one.arg == "filename" for one in node.keywords):
            self._tell(FILESYSTEM, "logging.basicConfig with filename", node)
        if any(one.arg == "uds" for one in node.keywords):
            self._tell(NETWORK, "A Unix socket", node)
        if isinstance(node.func, ast.Attribute):
            self._method(node.func, node, literals)

    def _method(self, method: ast.Attribute, node: ast.Call, literals: list[str]) -> None:
        own = self._scope.resolve(method.value) == "self"
        if method.attr in {"format", "format_map"}:
            self._template(method.value, node)
        elif method.attr in WRITERS and literals and not own and _names_a_file(literals[0]):
            self._tell(FILESYSTEM, f".{method.attr} with a path", node)
        elif method.attr in {"eval", "query"} and any("__" in literal for literal in literals):
            self._tell(DYNAMIC, f".{method.attr} with an underscored name", node)

    def _attributes(self, names: list[str], node: ast.expr) -> None:
        for name in names:
            if capability := ATTRIBUTES.get(name):
                self._tell(capability, f"'{name}'", node, key="attribute")

    def _template(self, template: ast.expr, node: ast.Call) -> None:
        fields = "".join(_REPLACEMENT.findall(self._scope.literal(template) or ""))
        if re.search(r"[.\[]_", fields):
            self._tell(INTERNALS, "A format template with an underscored attribute", node)
        elif self._scope.resolve(template).startswith("self."):
            message = "The template of .format comes from outside: its text can read attributes of the values."
            finding = Finding(
                "format-template", message, "Use str.replace or string.Template.", node.lineno, warning=True
            )
            self.findings.setdefault(("format", node.lineno, ""), finding)


def _names_a_file(literal: str) -> bool:
    return "\n" not in literal and not literal.startswith(("http://", "https://"))


def _allows_pickle(keyword: ast.keyword) -> bool:
    return keyword.arg == "allow_pickle" and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
