"""What a component is run on: values made from its inputs' kinds, names and defaults."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowassist.zygote.library import Data, DataFrame, Message, kinds

Input = Any  # lfx's inputs have no common typed base that we could name


@dataclass(frozen=True, slots=True)
class Sample:
    """`title` is for people; `values` are by input name, inputs that are left alone are not in it."""

    title: str
    values: Mapping[str, object]


_ROW = {"name": "Ada", "text": "Hello world", "value": 3}
_OTHER_ROW = {"name": "Alan", "text": "Good morning", "value": 5}

# texts of a kind that the input's name asks for
_NAMED_TEXTS = (
    (r"json", '{"name": "Ada", "text": "Hello world", "value": 3}'),
    (r"csv", "name,text,value\nAda,Hello world,3\nAlan,Good morning,5"),
    (r"html", "<html><body><h1>Hello</h1><p>world</p></body></html>"),
    (r"xml", "<root><name>Ada</name></root>"),
    (r"yaml|yml", "name: Ada\nvalue: 3"),
    (r"markdown", "# Hello\n\nSome **bold** words."),
    (r"e_?mail", "ada@example.com"),
    (r"url|uri|link|endpoint|website", "https://example.com/page?q=1"),
    (r"time_?zone|tz", "UTC"),
    (r"(date_?)?format", "%Y-%m-%d"),
    (r"date|day|deadline", "2024-05-17"),
    (r"time", "12:30:00"),
    (r"reg_?ex|pattern", r"\w+"),
    (r"delim\w*|separator|sep", ","),
    (r"template", "Hello {name}"),
    (r"base_?64", "SGVsbG8="),
    (r"hex", "48656c6c6f"),
    (r"ip(_address)?|host", "127.0.0.1"),
    (r"phone", "+44 20 7946 0000"),
    (r"colou?r", "#ff8800"),
    (r"expression|formula|equation", "2 + 3"),
    (r"numbers|values|scores|list", "3, 1, 2"),
    (r"number|amount|price|age|count|percent\w*|celsius|fahrenheit|temperature|quantity", "42"),
    (r"key|column|field|attribute", "name"),
    (r"lang(uage)?", "en"),
    (r"mode|case|operation", "upper"),
)

_PLAIN = "Hello world, this is Ada."
_OTHER_TEXTS = (
    ("JSON text", '{"name": "Ada", "text": "Hello world", "value": 3}'),
    ("a number as text", "42"),
    ("lines of CSV", "name,text,value\nAda,Hello world,3"),
    ("a date as text", "2024-05-17"),
    ("a URL as text", "https://example.com/page?q=1"),
    ("a JSON list as text", '[{"name": "Ada", "value": 3}, {"name": "Alan", "value": 5}]'),
    ("numbers as text", "3, 1, 2"),
)

_TEXT_TYPES, _DATA_TYPES, _TABLE_TYPES = {"Message", "Text", "str"}, {"Data", "JSON"}, {"DataFrame", "Table"}
_NEEDS = (
    (r"LanguageModel|BaseChatModel|LLM", "a language model"),
    (r"Embeddings", "an embedding model"),
    (r"Tool", "a tool"),
    (r"VectorStore", "a vector store"),
    (r"Retriever", "a retriever"),
    (r"Memory|ChatHistory", "a memory"),
)


def plain(inputs: Sequence[Input]) -> Sample:
    return Sample("plain", _each(inputs, _friendly))


def others(inputs: Sequence[Input]) -> Iterator[Sample]:
    """The plain sample with its free texts replaced, one kind after the other; none where there is no free text."""
    base = plain(inputs).values
    free = [name for name, value in base.items() if value == _PLAIN]
    if free:
        for title, text in _OTHER_TEXTS:
            yield Sample(title, {**base, **dict.fromkeys(free, text)})


def empty(inputs: Sequence[Input]) -> Sample:
    return Sample("empty", _each(inputs, _nothing))


def given(inputs: Sequence[Input], values: Mapping[str, object]) -> Sample:
    """`values` by input name; other inputs keep their defaults, or get the plain sample where they must have one."""
    own = {i.name: _left_alone(i) for i in inputs if i.name not in values}
    mine = {i.name: _shaped(i, values[i.name]) for i in inputs if i.name in values}
    return Sample("the given values", {n: v for n, v in {**own, **mine}.items() if v is not None})


def absent(inputs: Sequence[Input]) -> dict[str, str]:
    """What the sandbox cannot give, by input name: "a language model", "a file", ..."""
    return {i.name: need for i in inputs if (need := _need(i))}


def _each(inputs: Sequence[Input], make: Callable[[Input], object]) -> dict[str, object]:
    return {i.name: value for i in inputs if not _need(i) and (value := make(i)) is not None}


def _left_alone(given_input: Input) -> object:
    """What a field holds that the user did not touch: on a canvas, an empty text field holds an empty text."""
    if _must_be_filled(given_input):
        return _friendly(given_input)
    empty_text = (
        isinstance(given_input, _TEXTS) and given_input.value == "" and not getattr(given_input, "is_list", False)
    )
    return "" if empty_text else None


def _must_be_filled(given_input: Input) -> bool:
    if _need(given_input):
        return False
    is_handle = isinstance(given_input, kinds.HandleInput)
    return given_input.value in (None, "", [], {}) and (is_handle or bool(given_input.required))


def _need(given_input: Input) -> str:
    """Empty where a sample can be made."""
    if isinstance(given_input, kinds.FileInput):
        return "a file"
    if isinstance(given_input, kinds.ModelInput):
        return "a language model"
    if isinstance(given_input, kinds.McpInput | kinds.ToolsInput):
        return "a tool"
    if isinstance(given_input, kinds.ConnectionInput | kinds.ConnectionRefInput | kinds.AuthInput):
        return "a connection"
    if isinstance(given_input, kinds.HandleInput) and _handle_sample(given_input) is None:
        return _need_of_types(given_input.input_types or [])
    return ""


def _need_of_types(types: Sequence[str]) -> str:
    joined = ", ".join(types)
    known = (need for pattern, need in _NEEDS if re.search(pattern, joined))
    return next(known, f"a connected {joined}" if joined else "a connected component")


def _handle_sample(given_input: Input) -> object:
    """For the first of the handle's types that we can make."""
    for name in given_input.input_types or []:
        if name in _DATA_TYPES:
            return Data(data=dict(_ROW))
        if name in _TABLE_TYPES:
            return DataFrame([dict(_ROW), dict(_OTHER_ROW)])
        if name in _TEXT_TYPES:
            return Message(text=_PLAIN)
    return None


def _friendly(given_input: Input) -> object:
    value = _own_default(given_input)
    if value is None:
        value = _by_kind(given_input)
    return _listed(given_input, value)


def _own_default(given_input: Input) -> object:
    """A default that its author chose; 0 and empty ones say nothing."""
    value = given_input.value
    return None if value in (None, "", 0, [], {}) or isinstance(given_input, kinds.HandleInput) else value


def _by_kind(given_input: Input) -> object:
    for kind, make in _MAKERS:
        if isinstance(given_input, kind):
            return make(given_input)
    return None


def _listed(given_input: Input, value: object) -> object:
    if value is None or isinstance(value, list | dict) or not getattr(given_input, "is_list", False):
        return value
    return [value, value]


def _text(given_input: Input) -> str:
    words = f"{given_input.name} {given_input.display_name or ''}".lower().replace(" ", "_")
    named = (text for pattern, text in _NAMED_TEXTS if re.search(rf"(?:^|_)(?:{pattern})s?(?:_|$)", words))
    return next(named, _PLAIN)


def _option(given_input: Input) -> object:
    return next(iter(given_input.options or []), None)


def _number(given_input: Input, usual: float) -> float:
    spec = getattr(given_input, "range_spec", None)
    if spec is None or spec.min <= usual <= spec.max:
        return usual
    return type(usual)(spec.max if usual > spec.max else spec.min)


def _rows(given_input: Input) -> list[dict[str, object]]:
    columns = getattr(getattr(given_input, "table_schema", None), "columns", None) or []
    return [{c.name: "sample" for c in columns} or dict(_ROW)]


_TEXTS = (kinds.StrInput, kinds.PromptInput, kinds.SecretStrInput)
_CHOICES = (kinds.DropdownInput, kinds.TabInput)

_MAKERS: tuple[tuple[Any, Callable[[Input], object]], ...] = (
    (kinds.SecretStrInput, lambda _: "sample-secret"),
    (_CHOICES, _option),
    (kinds.MultiselectInput, lambda i: [o for o in [_option(i)] if o is not None]),
    (_TEXTS, _text),
    (kinds.BoolInput, lambda _: None),
    (kinds.IntInput, lambda i: _number(i, 3)),
    ((kinds.FloatInput, kinds.SliderInput), lambda i: _number(i, 2.5)),
    (kinds.DictInput, lambda _: dict(_ROW)),
    (kinds.NestedDictInput, lambda _: dict(_ROW)),
    (kinds.TableInput, _rows),
    (kinds.CodeInput, lambda _: "print(1)"),
    (kinds.LinkInput, lambda _: "https://example.com"),
    (kinds.HandleInput, _handle_sample),
)


def _nothing(given_input: Input) -> object:
    """The emptiest value that a user could leave in the field; None leaves it alone."""
    if getattr(given_input, "is_list", False) and isinstance(given_input, (*_TEXTS, kinds.HandleInput)):
        return []
    if isinstance(given_input, _CHOICES):
        return _friendly(given_input)
    if isinstance(given_input, _TEXTS):
        return ""
    if isinstance(given_input, kinds.IntInput | kinds.FloatInput):
        return _number(given_input, 0)
    return _emptied(_handle_sample(given_input)) if isinstance(given_input, kinds.HandleInput) else None


def _emptied(value: object) -> object:
    if isinstance(value, Message):
        return Message(text="")
    return DataFrame([]) if isinstance(value, DataFrame) else Data(data={})


def _shaped(given_input: Input, value: object) -> object:
    """As the canvas would hand it over: rows become a table, an object becomes data, a number becomes text."""
    if isinstance(given_input, kinds.HandleInput):
        return _wrapped(given_input, value)
    if isinstance(given_input, _TEXTS) and isinstance(value, int | float):
        return str(value)
    number = int if isinstance(given_input, kinds.IntInput) else float
    if isinstance(given_input, kinds.IntInput | kinds.FloatInput) and isinstance(value, str):
        return number(value)
    return _listed(given_input, value)


def _wrapped(given_input: Input, value: object) -> object:
    """`value` in the first of the handle's types that can hold it."""
    types = set(given_input.input_types or [])
    if isinstance(value, list) and types & _TABLE_TYPES:
        return DataFrame(value)
    if isinstance(value, list):
        return [_wrapped(given_input, one) for one in value]
    if isinstance(value, dict) and types & _DATA_TYPES:
        return Data(data=value)
    return Message(text=str(value)) if types & _TEXT_TYPES else value
