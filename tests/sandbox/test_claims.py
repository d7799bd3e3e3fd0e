"""Untrusted JSON becomes a Claim, or is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from flowassist.sandbox.claims import Blame, Claim, ClaimError, Fault, Output, Run, Stage, parse

NODE = {
    "template": {"_type": "Component", "code": {"value": ""}, "text": {"type": "str", "value": ""}},
    "outputs": [{"name": "result", "method": "build", "types": ["Message"]}],
}
WHOLE = {
    "stage": "run",
    "class_name": "Upper",
    "display_name": "Upper",
    "description": "Says it loud.",
    "inputs": ["text"],
    "outputs": [{"name": "result", "method": "build", "types": ["Message"]}],
    "runs": [{"output": "result", "sample": "plain", "observed": "", "preview": "", "result": "", "fault": None}],
    "fault": {"type": "NameError", "message": "NameError: name 'x' is not defined", "blame": "code", "line": 12},
    "milliseconds": 31.5,
    "node": json.dumps(NODE),
}


def test_a_whole_claim() -> None:
    assert parse(json.dumps(WHOLE).encode()) == Claim(
        stage=Stage.RUN,
        class_name="Upper",
        display_name="Upper",
        description="Says it loud.",
        inputs=("text",),
        outputs=(Output("result", "build", ("Message",)),),
        runs=(Run("result", "plain"),),
        fault=Fault("NameError", "NameError: name 'x' is not defined", Blame.CODE, 12),
        milliseconds=31.5,
        node=json.dumps(NODE, separators=(",", ":")),
    )


def test_the_least_claim() -> None:
    fault = {"type": "E", "message": "m", "blame": "limits"}
    assert parse({"stage": "create", "fault": fault}) == Claim(Stage.CREATE, fault=Fault("E", "m", Blame.LIMITS))
    empty = '{"template":{"code":{}},"outputs":[]}'
    assert parse({"stage": "done", "node": empty}) == Claim(Stage.DONE, node=empty)


@pytest.mark.parametrize(
    "change",
    [
        {"stage": "won"},
        {"stage": None},
        {"stage": ["run"]},
        {"class_name": 3},
        {"class_name": None},
        {"inputs": "text"},
        {"inputs": [1]},
        {"inputs": ["x"] * 201},
        {"outputs": [{"name": "a", "methods": "b"}]},
        {"outputs": ["a"]},
        {"runs": [{}] * 257},
        {"runs": [{"output": "a", "fault": {"type": "E", "message": "m", "blame": "nobody"}}]},
        {"fault": {"type": "E", "message": "m", "blame": "code", "line": 0}},
        {"fault": {"type": "E", "message": "m", "blame": "code", "line": True}},
        {"fault": {"type": "E", "message": "m", "blame": "code", "line": "3"}},
        {"fault": {"type": "E", "message": "m", "blame": "code", "line": 10**9}},
        {"fault": "E"},
        {"milliseconds": "1"},
        {"milliseconds": True},
        {"milliseconds": -1},
        {"milliseconds": float("nan")},
        {"milliseconds": float("inf")},
        {"trusted": True},
        {"stage": "done", "fault": None, "node": ""},
        {"node": NODE},
        {"node": None, "fault": None},
        {"node": "{"},
        {"node": json.dumps(NODE | {"outputs": []})},
        {"node": json.dumps(NODE | {"outputs": [{"name": "result", "method": "other"}]})},
        {"node": json.dumps(NODE | {"template": {"code": {}, "text": {}, "more": {}}})},
        {"node": json.dumps(NODE | {"template": {"code": {}, "text": "str"}})},
        {"stage": "done"},
        {"fault": None},
    ],
)
def test_a_wrong_shape_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ClaimError):
        parse(WHOLE | change)


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b'{"stage": "done"} x', b"9" * 9000]
)
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(ClaimError):
        parse(raw)


def test_texts_are_cut_and_cleaned() -> None:
    claim = parse(
        json.dumps(
            WHOLE
            | {"display_name": "a\x00b\ud800c\x1b[31md\u0085e\tf\ng", "description": "x" * 9999}
            | {"runs": [{"output": "o", "result": "y" * 100_000, "preview": "z" * 5000}]}
        ).encode()
    )
    assert claim.display_name == "abc[31mde\tf\ng"
    assert len(claim.description) == 4000
    assert len(claim.runs[0].result) == 64 << 10
    assert len(claim.runs[0].preview) == 1000


VALUES = some.recursive(
    some.none() | some.booleans() | some.floats() | some.integers() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from([*WHOLE, "line", "name"]), inner),
    max_leaves=12,
)


@given(some.dictionaries(some.sampled_from(list(WHOLE)), VALUES))
def test_anything_gives_a_claim_or_a_claim_error(change: dict[str, object]) -> None:
    try:
        claim = parse(WHOLE | change)
    except ClaimError:
        return
    claim.description.encode()
    assert len(claim.inputs) <= 200


@given(some.binary(max_size=200))
def test_any_bytes_give_a_claim_or_a_claim_error(raw: bytes) -> None:
    with pytest.raises(ClaimError):
        parse(raw + b"!")
