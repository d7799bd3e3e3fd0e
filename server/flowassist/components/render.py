"""From a typed spec and one plain function to a component class."""

import json
from collections.abc import Mapping, Sequence

from flowassist.components.function import NAME, Function, read_function
from flowassist.components.spec import Input, InputType, OutputType, Spec, Value, parameter, title

INPUT_CLASSES: Mapping[InputType, str] = {
    InputType.TEXT: "MessageTextInput",
    InputType.MULTILINE: "MultilineInput",
    InputType.INT: "IntInput",
    InputType.FLOAT: "FloatInput",
    InputType.BOOL: "BoolInput",
    InputType.SECRET: "SecretStrInput",
}
SCHEMAS: Mapping[OutputType, tuple[str, str]] = {
    OutputType.MESSAGE: ("message", "Message"),
    OutputType.DATA: ("data", "Data"),
    OutputType.DATAFRAME: ("dataframe", "DataFrame"),
}
"""Module below lfx.schema and class."""

_ARGUMENTS = {InputType.INT: "int", InputType.FLOAT: "float", InputType.BOOL: "bool"}
_RESULTS = {OutputType.MESSAGE: "str", OutputType.DATA: "dict", OutputType.DATAFRAME: "list[dict]"}
_ZEROS: dict[InputType, Value] = {InputType.INT: 0, InputType.FLOAT: 0.0, InputType.BOOL: False}
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


def signature(spec: Spec) -> str:
    """The line that the function of a spec begins with."""
    arguments = (f"{parameter(entry.name)}: {_ARGUMENTS.get(entry.type, 'str')}" for entry in spec.inputs)
    return f"def {NAME}({', '.join(arguments)}) -> {_RESULTS[spec.output]}:"


def render(spec: Spec, function_source: str) -> str:
    """The module of a component that calls the function in `function_source` with its inputs, in their order.

    What the function returns is brought into the shape of the output: a list as lines or rows, a scalar as a record.
    """
    function = read_function(function_source)
    imports = "\n".join([*function.imports, "", *_lfx_imports(spec)]).lstrip("\n")
    return "\n\n\n".join([imports, *function.definitions, _class(spec, function)])


def _lfx_imports(spec: Spec) -> list[str]:
    classes = sorted({INPUT_CLASSES[entry.type] for entry in spec.inputs} | {"Output"})
    module, name = SCHEMAS[spec.output]
    return [
        "from lfx.custom import Component",
        f"from lfx.io import {', '.join(classes)}",
        f"from lfx.schema.{module} import {name}",
    ]


def _class(spec: Spec, function: Function) -> str:
    method = f"build_{spec.output_name}"
    output = _call("Output", name=spec.output_name, display_name=title(spec.output_name), method=method)
    inputs = "".join(f"        {_input(entry)},\n" for entry in _started(spec.inputs, function))
    return (
        f"class {spec.class_name}(Component):\n"
        f"    display_name = {_literal(spec.display_name)}\n"
        f"    description = {_literal(spec.description)}\n"
        f"    icon = {_literal(spec.icon)}\n"
        f"    name = {_literal(spec.class_name)}\n\n"
        f"    inputs = [\n{inputs}    ]\n"
        f"    outputs = [\n        {output},\n    ]\n\n"
        f"    {'async ' * function.is_async}def {method}(self) -> {SCHEMAS[spec.output][1]}:\n"
        f"{_BODIES[spec.output].format(call=_computed(spec.inputs, function))}"
    )


def _computed(inputs: Sequence[Input], function: Function) -> str:
    """By position, or by name where the function takes fewer arguments than there are inputs."""
    arguments = [f"self.{entry.name}" for entry in inputs]
    if not function.takes_any and len(function.parameters) < len(inputs):
        named = [(parameter(entry.name), entry.name) for entry in inputs]
        arguments = [f"{name}=self.{entry}" for name, entry in named if name in function.parameters]
    return f"{'await ' * function.is_async}{function.name}({', '.join(arguments)})"


def _started(inputs: Sequence[Input], function: Function) -> list[Input]:
    """Inputs with a start value: what the function assumes without a word, or zero, for lfx's own is an empty text."""
    defaults = function.defaults
    return [_with_value(entry, defaults.get(parameter(entry.name))) for entry in inputs]


def _with_value(entry: Input, default: object) -> Input:
    value = entry.value
    if value is None and isinstance(default, str | int | float) and isinstance(default, str) == entry.type.is_text:
        value = default
    if value is None:
        value = _ZEROS.get(entry.type)
    return Input(entry.name, entry.type, entry.display_name, value, entry.required)


def _input(entry: Input) -> str:
    more: dict[str, Value] = {}
    if entry.value is not None:
        more["value"] = entry.value
    if entry.required:
        more["required"] = True
    if entry.type is not InputType.SECRET:
        more["tool_mode"] = True
    shown = entry.display_name or title(entry.name)
    return _call(INPUT_CLASSES[entry.type], name=entry.name, display_name=shown, **more)


def _call(called: str, /, **arguments: Value) -> str:
    return f"{called}({', '.join(f'{key}={_literal(value)}' for key, value in arguments.items())})"


def _literal(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
