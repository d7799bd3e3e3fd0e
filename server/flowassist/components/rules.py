"""What must hold of a component's class before it is worth running. Each rule is one small function."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from flowassist.components.anatomy import Anatomy, Declared, Input, Output
from flowassist.components.classes import Classes
from flowassist.components.outputs import output_findings, overriding_findings
from flowassist.components.report import Finding
from flowassist.components.reserved import ATTRIBUTES, METHODS

_NO_CLASS = "Could not extract class name from code"
_SHAPE = "Write `class YourName(Component):` at the top level, after `from lfx.custom import Component`."


def class_findings(tree: ast.Module, classes: Classes) -> Iterator[Finding]:
    """Whether there is one component class that lfx finds too."""
    if classes.chosen is None:
        yield Finding("no-component-class", f"{_NO_CLASS}: no class derives from Component.", _hint(tree))
    elif not classes.seen:
        yield from _unseen(classes.chosen)
    elif len(classes.seen) > 1 and not _is_base(classes.seen[0], classes.chosen):
        yield _several(classes.seen[0], classes.chosen)


def _hint(tree: ast.Module) -> str:
    hidden = any(isinstance(node, ast.ClassDef) for top in tree.body for node in ast.walk(top) if node is not top)
    return f"Take the class out of the statement around it. {_SHAPE}" if hidden else _SHAPE


def _unseen(cls: ast.ClassDef) -> Iterator[Finding]:
    base = ast.unparse(cls.bases[0]) if cls.bases else "object"
    message = (
        f"{_NO_CLASS}: lfx finds a component only by a base class written as a plain name that holds 'Component', "
        f"not as '{base}'."
    )
    yield Finding("base-not-by-name", message, _SHAPE, cls.lineno)


def _several(first: ast.ClassDef, chosen: ast.ClassDef) -> Finding:
    message = (
        f"The code has several component classes; '{chosen.name}' is checked, but editors may open '{first.name}'."
    )
    return Finding("several-components", message, "Keep one component class in the code.", first.lineno, warning=True)


def _is_base(one: ast.ClassDef, other: ast.ClassDef) -> bool:
    return any(isinstance(base, ast.Name) and base.id == one.name for base in other.bases)


def anatomy_findings(anatomy: Anatomy, line: tuple[ast.ClassDef, ...]) -> Iterator[Finding]:
    """Every rule on the class itself; `line` is its lineage in the code, nearest first."""
    for rule in _RULES:
        yield from rule(anatomy)
    yield from _constructor(line)


def _something_declared(anatomy: Anatomy) -> Iterator[Finding]:
    known = anatomy.inputs.whole and anatomy.outputs.whole
    if known and not anatomy.inputs.entries and not anatomy.outputs.entries:
        message = f"The class {anatomy.name} defines neither inputs nor outputs."
        remedy = "Give it `inputs = [...]` and `outputs = [Output(name=..., display_name=..., method=...)]`."
        yield Finding("nothing-declared", message, remedy, anatomy.line)


def _repeated(anatomy: Anatomy) -> Iterator[Finding]:
    yield from _twice("input", anatomy.inputs.entries)
    yield from _twice("output", anatomy.outputs.entries)


def _twice(what: str, entries: tuple[Input, ...] | tuple[Output, ...]) -> Iterator[Finding]:
    for name, count in Counter(entry.name for entry in entries).items():
        if count > 1:
            line = [entry.line for entry in entries if entry.name == name][1]
            message = f"The {what} name '{name}' is used {count} times, so that only one of them would exist."
            yield Finding("name-repeated", message, f"Give every {what} a name of its own.", line)


def _overlapping(anatomy: Anatomy) -> Iterator[Finding]:
    inputs = {entry.name for entry in anatomy.inputs.entries}
    for output in anatomy.outputs.entries:
        if output.name in inputs:
            message = f"Inputs and outputs have overlapping names: '{output.name}'."
            remedy = f"Rename the output, for example to '{output.name}_result'."
            yield Finding("name-overlap", message, remedy, output.line)


def _input_names(anatomy: Anatomy) -> Iterator[Finding]:
    own = ATTRIBUTES | anatomy.attributes
    for entry in anatomy.inputs.entries:
        remedy = f"Rename the input, for example to 'input_{entry.name}', and read it under that name."
        if entry.name in anatomy.methods or entry.name in METHODS:
            message = f"The input '{entry.name}' is named after a method of the component."
            yield Finding("input-named-like-method", message, remedy, entry.line)
        elif entry.name in own and entry.name in anatomy.reads:
            message = f"self.{entry.name} is the component's own attribute, not the input '{entry.name}'."
            yield Finding("input-named-like-attribute", message, remedy, entry.line)
        elif not entry.name.isidentifier():
            message = f"The input name '{entry.name}' is no Python name, so the code cannot read it from self."
            yield Finding("input-name-invalid", message, "Use letters, digits and underscores.", entry.line)


def _lists(anatomy: Anatomy) -> Iterator[Finding]:
    yield from _one_list("input", anatomy.inputs)
    yield from _one_list("output", anatomy.outputs)


def _one_list(what: str, declared: Declared[Any]) -> Iterator[Finding]:
    if declared.no_list:
        message = f"`{what}s` is no list, which Langflow cannot read."
        yield Finding("not-a-list", message, f"Write `{what}s = [...]`, with brackets.", declared.no_list)
    for line in declared.nameless:
        message = f"This {what} has no name."
        yield Finding("name-missing", message, f'Add `name="..."`, a name of its own for the {what}.', line)


_RULES: tuple[Callable[[Anatomy], Iterator[Finding]], ...] = (
    _something_declared,
    _repeated,
    _overlapping,
    _lists,
    _input_names,
    output_findings,
    overriding_findings,
)


def _constructor(line: tuple[ast.ClassDef, ...]) -> Iterator[Finding]:
    own = (node for cls in line for node in cls.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    for constructor in own:
        if constructor.args.kwarg is None:
            message = "__init__ does not accept the keyword arguments that lfx passes."
            remedy = "Write `def __init__(self, **kwargs):` and call `super().__init__(**kwargs)`, or leave it out."
            yield Finding("init-without-kwargs", message, remedy, constructor.lineno)
        elif not _calls_super(constructor):
            message = "__init__ does not call super().__init__, so the component has no inputs."
            remedy = "Call `super().__init__(**kwargs)` first."
            yield Finding("init-without-super", message, remedy, constructor.lineno)


def _calls_super(constructor: ast.FunctionDef) -> bool:
    calls = (node.func for node in ast.walk(constructor) if isinstance(node, ast.Call))
    return any(isinstance(called, ast.Attribute) and called.attr == "__init__" for called in calls)
