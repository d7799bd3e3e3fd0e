"""From a typed spec and one plain function to a component class, and back again."""

import ast
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowassist.components.spec import Input, InputType, OutputType, Spec, Value, parameter

FUNCTION = "compute"
"""The name that a model is asked to give its function."""

_INPUT_CLASSES = {
    InputType.TEXT: "MessageTextInput",
    InputType.MULTILINE: "MultilineInput",
    InputType.INT: "IntInput",
    InputType.FLOAT: "FloatInput",
    InputType.BOOL: "BoolInput",
    InputType.SECRET: "SecretStrInput",
}
_INPUT_TYPES = {name: kind for kind, name in _INPUT_CLASSES.items()} | {"StrInput": InputType.TEXT}
_ZEROS: dict[InputType, Value] = {InputType.INT: 0, InputType.FLOAT: 0.0, InputType.BOOL: False}
_PYTHON = {InputType.INT: "int", InputType.FLOAT: "float", InputType.BOOL: "bool"}
_RESULTS = {OutputType.MESSAGE: "str", OutputType.DATA: "dict", OutputType.DATAFRAME: "list[dict]"}
_SCHEMAS = {
    OutputType.MESSAGE: ("message", "Message"),
    OutputType.DATA: ("data", "Data"),
    OutputType.DATAFRAME: ("dataframe", "DataFrame"),
}
_BODIES = {
    OutputType.MESSAGE: """\
        result = {call}
        if isinstance(result, list):
            result = "\\n".join(map(str, result))
        return Message(text=str(result))
""",
    OutputType.DATA: """\
        result = {call}
        if not isinstance(result, dict):
            result = {{"result": result}}
        return Data(data=result)
""",
    OutputType.DATAFRAME: """\
        rows = {call}
        if not isinstance(rows, list):
            rows = [rows]
        return DataFrame([row if isinstance(row, dict) else {{"value": row}} for row in rows])
""",
}
_KEPT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


@dataclass(frozen=True, slots=True)
class _Function:
    """A function's module, taken apart: import lines, definitions as written, and the function that is called."""

    imports: tuple[str, ...]
    definitions: tuple[str, ...]
    main: ast.FunctionDef | ast.AsyncFunctionDef | None


def signature(spec: Spec) -> str:
    """The line that the function of a spec begins with."""
    arguments = ", ".join(f"{parameter(entry.name)}: {_PYTHON.get(entry.type, 'str')}" for entry in spec.inputs)
    return f"def {FUNCTION}({arguments}) -> {_RESULTS[spec.output]}:"


def render(spec: Spec, function_source: str) -> str:
    """The module of a component that calls the function in `function_source` with its inputs, in their order.

    Imports that the function forgot are added where they are of the standard library; statements that lfx would drop
    are left out. Source that does not parse is taken as it is, so that the checks can name its line.
    """
    function = _read(function_source)
    main = function.main
    inputs = _with_defaults(spec.inputs, main)
    own = "\n".join([*function.imports, "", *_lfx_imports(spec)]).lstrip("\n")
    blocks = [own, *function.definitions, _class(spec, inputs, main)]
    return "\n\n\n".join(blocks)


def spec_of(code: str) -> Spec | None:
    """The spec of a component that has the shape `render` gives: known inputs and one output. None for any other."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = next((node for node in reversed(tree.body) if _is_component(node)), None)
    try:
        return _spec(found) if isinstance(found, ast.ClassDef) else None
    except (KeyError, TypeError, ValueError):
        return None


def function_of(code: str) -> str:
    """What stands before the class of a rendered component, without the imports from lfx; empty if nothing does."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    kept = [node for node in tree.body if not _is_component(node) and not _is_lfx_import(node)]
    imports = [_lines(code, node) for node in kept if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [_lines(code, node) for node in kept if isinstance(node, _KEPT)]
    return "\n\n\n".join(["\n".join(imports), *others]).strip("\n") if others else ""


def _read(source: str) -> _Function:
    source = textwrap.dedent(source).strip("\n")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _Function((), (source,), None)
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) and not _is_future(node)]
    kept = [node for node in tree.body if isinstance(node, _KEPT)]
    functions = [node for node in kept if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    named = [node for node in functions if node.name == FUNCTION]
    missing = [f"import {name}" for name in _forgotten(tree)]
    return _Function(
        tuple(sorted({*missing, *(_lines(source, node) for node in imports)}, key=_import_order)),
        tuple(_lines(source, node) for node in kept),
        (named or functions or [None])[-1],
    )


def _forgotten(tree: ast.Module) -> list[str]:
    """Modules of the standard library that are used by name and bound nowhere."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    used = {node.value.id for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_name(node.value)}
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | set(_bound(tree))
    return sorted(name for name in used - bound if name in sys.stdlib_module_names)


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def _with_defaults(inputs: Sequence[Input], main: ast.FunctionDef | ast.AsyncFunctionDef | None) -> list[Input]:
    """Inputs start with what the function says its arguments are without a word, numbers at least with zero."""
    defaults = _defaults(main) if main else {}
    return [_started(entry, defaults.get(parameter(entry.name))) for entry in inputs]


def _started(entry: Input, default: object) -> Input:
    if entry.value is not None:
        return entry
    fits = isinstance(default, str) == entry.type.is_text and isinstance(default, str | int | float)
    value = default if fits and isinstance(default, str | int | float) else _ZEROS.get(entry.type)
    return Input(entry.name, entry.type, entry.display_name, value, entry.required)


def _defaults(main: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, object]:
    arguments = [*main.args.posonlyargs, *main.args.args]
    last = arguments[len(arguments) - len(main.args.defaults) :]
    pairs = zip(last, main.args.defaults, strict=True)
    return {argument.arg: value.value for argument, value in pairs if isinstance(value, ast.Constant)}


def _lfx_imports(spec: Spec) -> list[str]:
    classes = sorted({_INPUT_CLASSES[entry.type] for entry in spec.inputs} | {"Output"})
    module, name = _SCHEMAS[spec.output]
    return [
        "from lfx.custom import Component",
        f"from lfx.io import {', '.join(classes)}",
        f"from lfx.schema.{module} import {name}",
    ]


def _class(spec: Spec, inputs: Sequence[Input], main: ast.FunctionDef | ast.AsyncFunctionDef | None) -> str:
    listed = "".join(f"        {_input(entry)},\n" for entry in inputs)
    method = f"build_{spec.output_name}"
    output = _call("Output", display_name=_shown(spec.output_name), name=spec.output_name, method=method)
    awaits = isinstance(main, ast.AsyncFunctionDef)
    call = f"{'await ' * awaits}{main.name if main else FUNCTION}({', '.join(_arguments(inputs, main))})"
    return (
        f"class {spec.class_name}(Component):\n"
        f"    display_name = {_quoted(spec.display_name)}\n"
        f"    description = {_quoted(spec.description)}\n"
        f"    icon = {_quoted(spec.icon)}\n"
        f"    name = {_quoted(spec.class_name)}\n\n"
        f"    inputs = [\n{listed}    ]\n"
        f"    outputs = [\n        {output},\n    ]\n\n"
        f"    {'async ' * awaits}def {method}(self) -> {_SCHEMAS[spec.output][1]}:\n"
        f"{_BODIES[spec.output].format(call=call)}"
    )


def _arguments(inputs: Sequence[Input], main: ast.FunctionDef | ast.AsyncFunctionDef | None) -> list[str]:
    """By position, or by name where the function takes fewer arguments than there are inputs."""
    taken = [argument.arg for argument in [*main.args.posonlyargs, *main.args.args]] if main else []
    if not main or len(taken) >= len(inputs) or main.args.vararg:
        return [f"self.{entry.name}" for entry in inputs]
    return [f"{parameter(entry.name)}=self.{entry.name}" for entry in inputs if parameter(entry.name) in taken]


def _input(entry: Input) -> str:
    more: dict[str, Value] = {}
    if entry.value is not None:
        more["value"] = entry.value
    if entry.required:
        more["required"] = True
    if entry.type is not InputType.SECRET:
        more["tool_mode"] = True
    shown = entry.display_name or _shown(entry.name)
    return _call(_INPUT_CLASSES[entry.type], name=entry.name, display_name=shown, **more)


def _shown(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split("_"))


def _call(called: str, /, **arguments: Value) -> str:
    return f"{called}({', '.join(f'{key}={_quoted(value)}' for key, value in arguments.items())})"


def _quoted(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _spec(node: ast.ClassDef) -> Spec:
    fields = {_target(entry): entry.value for entry in node.body if isinstance(entry, ast.Assign)}
    inputs = tuple(_read_input(call) for call in _calls(fields["inputs"]))
    (output,) = _calls(fields["outputs"])
    about = _keywords(output)
    methods = {entry.name: entry for entry in node.body if isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef)}
    returns = methods[str(about["method"])].returns
    types = {name: kind for kind, (_, name) in _SCHEMAS.items()}
    return Spec(
        node.name,
        _text(fields["display_name"]),
        _text(fields["description"]),
        _text(fields["icon"]),
        inputs,
        types[ast.unparse(returns) if returns else ""],
        str(about["name"]),
    )


def _read_input(call: ast.Call) -> Input:
    said = _keywords(call)
    value = said.get("value")
    return Input(
        str(said["name"]),
        _INPUT_TYPES[ast.unparse(call.func)],
        str(said.get("display_name", "")),
        value if isinstance(value, str | int | float) else None,
        bool(said.get("required", False)),
    )


def _calls(node: ast.expr) -> list[ast.Call]:
    entries = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return [entry for entry in entries if isinstance(entry, ast.Call)]


def _keywords(call: ast.Call) -> dict[str, object]:
    return {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}


def _text(node: ast.expr) -> str:
    return str(ast.literal_eval(node))


def _target(node: ast.Assign) -> str:
    return node.targets[0].id if _is_name(node.targets[0]) else ""  # type: ignore[attr-defined]


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


def _is_component(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Component" for base in node.bases)


def _is_lfx_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in {"lfx", "langflow"}


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _import_order(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line


def _lines(source: str, node: ast.stmt) -> str:
    """A statement as it was written, its decorators included."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])
