"""The JSON of a node, as an untrusted child tells it."""

import json

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct
from hypothesis import given
from hypothesis import strategies as some

from flowassist.sandbox.nodes import NodeError, names, read, with_code
from flowassist.v1.components_pb2 import ValidateComponentResponse
from flowassist.zygote.frames import MAX_NODE


def node(**template: object) -> dict[str, object]:
    return {"template": {"code": {"type": "code", "value": "forged"}, **template}, "outputs": []}


def nested(levels: int) -> object:
    value: object = 1
    for number in range(levels):
        value = [value] if number % 2 else {"a": value}
    return value


@pytest.mark.parametrize(
    "text",
    [
        None, 7, {}, "", "[]", "{", "null", "[" * 100_000, "9" * 9000, "{}",
        json.dumps({"template": {}, "outputs": []}),
        json.dumps({"template": {"code": "x"}, "outputs": []}),
        json.dumps({"template": {"code": {}}}),
        json.dumps({"template": {"code": {}}, "outputs": {}}),
        json.dumps({"template": {"code": {}}, "outputs": ["a"]}),
        json.dumps({"template": {"code": {}}, "outputs": [{"method": "m"}]}),
        json.dumps({"template": {"code": {}}, "outputs": [{"name": "a", "method": 1}]}),
        json.dumps(node(deep=nested(40))),
        json.dumps(node(large="x" * MAX_NODE)),
        json.dumps(node(large="ä" * (MAX_NODE // 3)), ensure_ascii=False),
    ],
    ids=lambda text: str(text)[:40],
)  # fmt: skip
def test_what_is_no_node_is_refused(text: object) -> None:
    with pytest.raises(NodeError):
        read(text)


def test_texts_are_clean_and_numbers_are_those_of_json() -> None:
    odd = (
        '{"a\\u0000\\ud800b": "\\ud83d\\ude00\\udfff\\u0000x", "n": [NaN, -Infinity, 1e999, 12, 1.5, true, null, 1%s]}'
    )
    told = read(json.dumps(node()).replace('"forged"', odd % ("0" * 400)))
    assert told.isascii()
    entry = json.loads(told)["template"]["code"]["value"]
    assert entry == {"ab": "😀x", "n": [None, None, None, 12, 1.5, True, None, None]}


def test_the_code_is_what_was_checked_and_not_what_was_told() -> None:
    told = json.loads(with_code(read(json.dumps(node())), "x = 'ä'\n"))
    assert told["template"]["code"] == {"type": "code", "value": "x = 'ä'\n"}


def test_its_names() -> None:
    outputs = [{"name": "a", "method": "make"}, {"name": "b", "method": None}, {"name": "c"}]
    text = read(json.dumps(node(text={}, _type="Component", count={}) | {"outputs": outputs}))
    assert names(text) == ({"text", "count"}, [("a", "make"), ("b", ""), ("c", "")])


def test_the_deepest_that_is_read_travels() -> None:
    deepest = read(json.dumps(node(deep=nested(26))))
    with pytest.raises(NodeError):
        read(json.dumps(node(deep=nested(27))))
    told = ValidateComponentResponse()
    told.description.node.CopyFrom(ParseDict(json.loads(deepest), Struct()))
    again = ValidateComponentResponse.FromString(told.SerializeToString())
    assert MessageToDict(again.description.node) == json.loads(deepest)


VALUES = some.recursive(
    some.none() | some.booleans() | some.floats() | some.integers() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(some.dictionaries(some.text(max_size=5), VALUES, max_size=4))
def test_whatever_is_read_is_read_again_as_itself_and_travels(template: dict[str, object]) -> None:
    template.pop("code", None)
    told = read(json.dumps(node(**template)))
    assert read(told) == told
    assert ParseDict(json.loads(told), Struct()).SerializeToString()
