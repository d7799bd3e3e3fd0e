"""What an output gave: its type against the declared one, a short preview, and its whole content as JSON."""

import inspect
import json
import types
import typing
from collections.abc import Mapping
from typing import Any

from flowassist.zygote.library import BaseTool, Data, DataFrame, Message, Tool

RESULT_BYTES = 64 << 10
_PREVIEW_CHARACTERS = 200
_ELEMENTS_LOOKED_AT = 20
_OUR_NAMES = ((Message, "Message"), (Data, "Data"), (DataFrame, "DataFrame"))


def conforms(value: object, hint: Any) -> bool:
    """Whether `value` is of the annotated type; hints that we do not understand hold for everything."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (typing.Union, types.UnionType):
        return any(conforms(value, one) for one in arguments)
    if origin is typing.Annotated:
        return conforms(value, arguments[0])
    if origin is typing.Literal:
        return value in arguments
    return _is_instance(value, origin or hint) and _elements_conform(value, arguments)


def _is_instance(value: object, kind: Any) -> bool:
    if kind is float and type(value) is int:
        return True
    if kind is Tool:  # lfx's own components say Tool and give other kinds of tools
        return isinstance(value, BaseTool)
    return isinstance(value, kind) if isinstance(kind, type) else True


def _elements_conform(value: object, arguments: tuple[Any, ...]) -> bool:
    if not isinstance(value, list) or len(arguments) != 1:
        return True
    return all(conforms(one, arguments[0]) for one in value[:_ELEMENTS_LOOKED_AT])


def hint_name(hint: Any) -> str:
    """As a component's author would write it."""
    if hint is None or hint is type(None):
        return "None"
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return " | ".join(hint_name(one) for one in typing.get_args(hint))
    if arguments := typing.get_args(hint):
        return f"{hint_name(typing.get_origin(hint))}[{', '.join(hint_name(one) for one in arguments)}]"
    return _class_name(hint) if isinstance(hint, type) else str(hint).removeprefix("typing.")


def type_name(value: object) -> str:
    """As a component's author would write it; a list names its elements."""
    if value is None:
        return "None"
    if isinstance(value, list) and value:
        inside = dict.fromkeys(type_name(one) for one in value[:_ELEMENTS_LOOKED_AT])
        return f"list[{' | '.join(inside)}]"
    return _class_name(type(value))


def _class_name(kind: type) -> str:
    ours = next((name for known, name in _OUR_NAMES if kind is known), "")
    if ours or kind.__module__ == "builtins":
        return ours or kind.__name__
    clashes = kind.__name__ in {name for _, name in _OUR_NAMES}
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}" if clashes else kind.__name__


def is_unawaited(value: object) -> bool:
    """Whether the text of a Message is a coroutine, or what lfx made of one."""
    text = value.text if isinstance(value, Message) else None
    return inspect.iscoroutine(text) or (isinstance(text, str) and text.startswith("<coroutine object "))


def content(value: object) -> object:
    """Plain data: the text of a Message, the data of Data, the rows of a DataFrame."""
    if isinstance(value, Message):
        return value.text if isinstance(value.text, str) else str(value.text)
    if isinstance(value, DataFrame):
        return [content(row) for row in value.to_dict(orient="records")]
    if isinstance(value, Data):
        return content(value.data)
    if isinstance(value, Mapping):
        return {str(key): content(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [content(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def as_json(value: object) -> str:
    """The whole content, cut at RESULT_BYTES."""
    text = json.dumps(content(value), ensure_ascii=False, default=str)
    raw = text.encode(errors="replace")
    return text if len(raw) <= RESULT_BYTES else raw[:RESULT_BYTES].decode(errors="ignore")


def preview(value: object) -> str:
    inside = content(value)
    text = inside if isinstance(inside, str) else json.dumps(inside, ensure_ascii=False, default=str)
    return text if len(text) <= _PREVIEW_CHARACTERS else text[: _PREVIEW_CHARACTERS - 1] + "…"
