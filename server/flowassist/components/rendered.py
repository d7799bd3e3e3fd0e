"""From a component class back to the spec and the function that it was rendered from, as far as it has that shape."""

import ast

from flowassist.components.function import KEPT, parsed, written
from flowassist.components.render import INPUT_CLASSES, SCHEMAS
from flowassist.components.spec import Input, InputType, Spec

_INPUT_TYPES = {name: kind for kind, name in INPUT_CLASSES.items()} | {"StrInput": InputType.TEXT}
_OUTPUT_TYPES = {name: kind for kind, (_, name) in SCHEMAS.items()}


def spec_of(code: str) -> Spec | None:
    """The spec of a component with inputs of the known kinds and one output. None for any other."""
    tree = parsed(code)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and _is_component(node)] if tree else []
    try:
        return _spec(classes[-1]) if classes else None
    except (KeyError, TypeError, ValueError):
        return None


def function_of(code: str) -> str:
    """What stands before the class, without the imports from lfx. Empty if that defines nothing."""
    tree = parsed(code)
    kept = [node for node in tree.body if not _is_lfx(node)] if tree else []
    imports = [written(code, node) for node in kept if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [written(code, node) for node in kept if isinstance(node, KEPT)]
    return "\n\n\n".join(["\n".join(imports), *others]).strip("\n") if others else ""


def _spec(node: ast.ClassDef) -> Spec:
    fields = {ast.unparse(entry.targets[0]): entry.value for entry in node.body if isinstance(entry, ast.Assign)}
    (output,) = _calls(fields["outputs"])
    about = _keywords(output)
    display_name, description, icon = (
        str(ast.literal_eval(fields[name])) for name in ("display_name", "description", "icon")
    )
    return Spec(
        node.name,
        display_name,
        description,
        icon,
        tuple(_read_input(call) for call in _calls(fields["inputs"])),
        _OUTPUT_TYPES[_returned(node, str(about["method"]))],
        str(about["name"]),
    )


def _returned(node: ast.ClassDef, method: str) -> str:
    methods = {entry.name: entry for entry in node.body if isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef)}
    returns = methods[method].returns
    return ast.unparse(returns) if returns else ""


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


def _is_component(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Component" for base in node.bases)


def _is_lfx(node: ast.stmt) -> bool:
    """The component itself, or an import that it needs."""
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in {"lfx", "langflow"}
    return _is_component(node)
