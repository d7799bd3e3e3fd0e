"""What is told of a component type, read from Langflow's JSON of its node.

The JSON is lfx's own, or what a sandboxed child made of it: a field of another type than lfx's counts as not given.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from flowassist.components.report import Verdict
from flowassist.sandbox import nodes
from flowassist.store.components import Component

OWN_CATEGORY = "custom"
_NAME, _SENTENCE, _MOST_PACKAGES = 100, 500, 20
_SECRET = "SecretStrInput"  # noqa: S105 - the class of an input
_COMES_ALONG = {"lfx", "langflow"}

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ComponentType:
    """What a list tells of one, every text cut to a bound; `packages` are those that it imports beside lfx."""

    name: str
    display_name: str
    description: str
    category: str
    icon: str
    legacy: bool
    beta: bool
    packages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """`kind` is lfx's class; `default` is None where there is none, and for a secret."""

    name: str
    display_name: str
    info: str
    kind: str
    value_type: str
    required: bool
    advanced: bool
    hidden: bool
    is_list: bool
    tool_mode: bool
    secret: bool
    default: Any
    options: tuple[str, ...]
    accepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    display_name: str
    method: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Description:
    type: ComponentType
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    code: str
    node: Node


def own(verdict: Verdict) -> Component:
    """A component that passed, as its owner's store keeps it."""
    summary = asdict(type_of(verdict.class_name, OWN_CATEGORY, json.loads(verdict.node)))
    return Component(verdict.class_name, json.dumps(summary), verdict.code, verdict.node)


def summarised(summary: str) -> ComponentType:
    """From what `own` wrote."""
    fields = json.loads(summary)
    return ComponentType(**fields | {"packages": tuple(fields["packages"])})


def describe(name: str, category: str, node: str) -> Description:
    """From the JSON of a node."""
    entry = json.loads(node)
    return Description(
        type=type_of(name, category, entry),
        inputs=tuple(_input(*one) for one in _in_order(entry)),
        outputs=tuple(_output(output) for output in entry["outputs"]),
        code=_text(entry["template"][nodes.CODE], "value"),
        node=entry,
    )


def type_of(name: str, category: str, node: Node) -> ComponentType:
    return ComponentType(
        name=name,
        display_name=_text(node, "display_name")[:_NAME],
        description=_text(node, "description")[:_SENTENCE],
        category=category,
        icon=_text(node, "icon")[:_NAME],
        legacy=node.get("legacy") is True,
        beta=node.get("beta") is True,
        packages=tuple(_packages(node))[:_MOST_PACKAGES],
    )


def _packages(node: Node) -> Iterator[str]:
    for entry in _list(_object(_object(node, "metadata"), "dependencies"), "dependencies"):
        if isinstance(entry, dict) and (name := _text(entry, "name")) and name not in _COMES_ALONG:
            yield name[:_NAME]


def _in_order(node: Node) -> Iterator[tuple[str, Node]]:
    """The inputs as the component declares them."""
    inputs = {name: entry for name, entry in node["template"].items() if isinstance(entry, dict)}
    inputs.pop(nodes.CODE, None)
    for name in dict.fromkeys([*_texts(node, "field_order"), *inputs]):
        if name in inputs:
            yield name, inputs[name]


def _input(name: str, entry: Node) -> Input:
    secret = entry.get("password") is True or entry.get("_input_type") == _SECRET
    return Input(
        name=name,
        display_name=_text(entry, "display_name"),
        info=_text(entry, "info"),
        kind=_text(entry, "_input_type"),
        value_type=_text(entry, "type"),
        required=entry.get("required") is True,
        advanced=entry.get("advanced") is True,
        hidden=entry.get("show") is False,
        is_list=entry.get("list") is True or entry.get("is_list") is True,
        tool_mode=entry.get("tool_mode") is True,
        secret=secret,
        default=None if secret or entry.get("value") == "" else entry.get("value"),
        options=tuple(_options(entry)),
        accepts=_texts(entry, "input_types"),
    )


def _options(entry: Node) -> Iterator[str]:
    """Some are objects with a name and an icon."""
    for option in _list(entry, "options"):
        yield _text(option, "name") if isinstance(option, dict) else str(option)


def _output(entry: Node) -> Output:
    name, display_name, method = (_text(entry, key) for key in ("name", "display_name", "method"))
    return Output(name, display_name, method, _texts(entry, "types"))


def _text(entry: Node, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _texts(entry: Node, key: str) -> tuple[str, ...]:
    return tuple(value for value in _list(entry, key) if isinstance(value, str))


def _list(entry: Node, key: str) -> list[Any]:
    value = entry.get(key)
    return value if isinstance(value, list) else []


def _object(entry: Node, key: str) -> Node:
    value = entry.get(key)
    return value if isinstance(value, dict) else {}
