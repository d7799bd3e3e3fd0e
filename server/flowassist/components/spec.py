"""A component as data: what a weak model fills in, and what `render` makes a class of."""

import builtins
import json
import keyword
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from flowassist.components.anatomy import Anatomy
from flowassist.components.reserved import ATTRIBUTES, METHODS

MAX_INPUTS = 8
DEFAULT_OUTPUT = "result"


class InputType(Enum):
    TEXT = "text"
    MULTILINE = "multiline"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    SECRET = "secret"  # noqa: S105

    @property
    def is_text(self) -> bool:
        return self in {InputType.TEXT, InputType.MULTILINE, InputType.SECRET}


class OutputType(Enum):
    """MESSAGE is text, DATA one record (JSON on the canvas), DATAFRAME rows (Table on the canvas)."""

    MESSAGE = "message"
    DATA = "data"
    DATAFRAME = "dataframe"


Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Input:
    name: str
    type: InputType
    display_name: str = ""
    value: Value | None = None
    required: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """One component with one output. Names are Python identifiers that clash with nothing of lfx's Component."""

    class_name: str
    display_name: str
    description: str
    icon: str
    inputs: tuple[Input, ...]
    output: OutputType
    output_name: str = DEFAULT_OUTPUT


_INPUT_KINDS = {
    "MessageTextInput", "StrInput", "MultilineInput", "IntInput", "FloatInput", "BoolInput", "SecretStrInput",
}  # fmt: skip


def can_say(anatomy: Anatomy) -> bool:
    """Whether a spec can say what a component takes and gives."""
    inputs, outputs = anatomy.inputs, anatomy.outputs
    whole = inputs.whole and outputs.whole and len(outputs.entries) <= 1
    return whole and 0 < len(inputs.entries) <= MAX_INPUTS and all(one.kind in _INPUT_KINDS for one in inputs.entries)


class SpecError(ValueError):
    """What a model gave is no spec."""


ICONS = (
    "type", "hash", "calculator", "list", "table", "filter", "search", "replace", "split", "merge", "braces", "link",
    "mail", "calendar", "clock", "lock", "globe", "regex", "repeat", "arrow-up-down", "file-text", "scissors",
    "percent", "wand-sparkles",
)  # fmt: skip
"""Lucide names to choose from: free text gives icons that do not exist."""

SHAPE: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "display_name": {"type": "string", "maxLength": 60},
        "description": {"type": "string", "maxLength": 200},
        "icon": {"type": "string", "enum": list(ICONS)},
        "inputs": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_INPUTS,
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 40},
                    "type": {"type": "string", "enum": [kind.value for kind in InputType]},
                },
                "required": ["name", "type"],
                "additionalProperties": False,
            },
        },
        "output": {"type": "string", "enum": [kind.value for kind in OutputType]},
    },
    "required": ["display_name", "description", "icon", "inputs", "output"],
    "additionalProperties": False,
}
"""JSON schema of what a model fills in; the class name follows from the display name."""


def read_spec(text: str) -> Spec:
    """The spec in a model's JSON, with names put right. Raises SpecError."""
    try:
        said = json.loads(text)
        pairs = [(str(entry["name"]), InputType(entry["type"])) for entry in said["inputs"]]
        display_name, description = _clean(said["display_name"]), _clean(said["description"])
        icon, output = str(said["icon"]), OutputType(said["output"])
    except (ValueError, KeyError, TypeError) as error:
        raise SpecError(f"This is no spec of a component: {error}") from error
    inputs = named(pairs)
    return Spec(
        class_name(display_name),
        display_name or "Custom Component",
        description,
        icon if icon in ICONS else ICONS[-1],
        inputs,
        output,
        output_name(DEFAULT_OUTPUT, [entry.name for entry in inputs]),
    )


def as_json(spec: Spec) -> str:
    """The spec as a model would have to write it."""
    said = {
        "display_name": spec.display_name,
        "description": spec.description,
        "icon": spec.icon,
        "inputs": [{"name": entry.name, "type": entry.type.value} for entry in spec.inputs],
        "output": spec.output.value,
    }
    return json.dumps(said, ensure_ascii=False)


def named(pairs: Collection[tuple[str, InputType]]) -> tuple[Input, ...]:
    """Inputs of these names and types; names that cannot stand are changed, repeated ones numbered."""
    inputs: list[Input] = []
    for name, kind in list(pairs)[:MAX_INPUTS]:
        free = input_name(name, [entry.name for entry in inputs])
        inputs.append(Input(free, kind, title(free)))
    return tuple(inputs)


def input_name(text: str, taken: Collection[str] = ()) -> str:
    """An identifier that an input can bear: snake case, no keyword, no name of Component's own."""
    name = _snake(text) or "value"
    if name in METHODS | ATTRIBUTES or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        name = f"{name}_value"
    return _unlike(name, taken)


def output_name(text: str, taken: Collection[str] = ()) -> str:
    return input_name(text or DEFAULT_OUTPUT, taken)


def parameter(name: str) -> str:
    """The name under which an input reaches the function: it must not hide a module or a builtin."""
    hides = name in sys.stdlib_module_names or hasattr(builtins, name)
    return f"{name}_value" if hides else name


def class_name(text: str) -> str:
    """A class name in Pascal case that hides no import of a rendered component."""
    words = re.findall(r"[A-Za-z0-9]+", text)
    name = "".join(word[0].upper() + word[1:] for word in words).lstrip("0123456789")
    if not name:
        return "GeneratedComponent"
    clashes = name in {"Component", "Message", "Data", "DataFrame", "Output"} or name.endswith("Input")
    return f"{name}Component" if clashes or hasattr(builtins, name) or keyword.iskeyword(name) else name


def title(name: str) -> str:
    """How a name is shown: "max_length" is "Max Length"."""
    return " ".join(word[0].upper() + word[1:] for word in name.split("_") if word)


def _snake(text: str) -> str:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_").lstrip("0123456789_")


def _unlike(name: str, taken: Collection[str]) -> str:
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name}_{number}"
    return free


def _clean(text: object) -> str:
    """One line without control characters and halves of characters."""
    printable = "".join(char if char.isprintable() else " " for char in str(text))
    return " ".join(printable.split())
