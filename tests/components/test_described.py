"""What is told of a node, whatever its fields hold."""

import json

import pytest

from flowassist.components.check import check
from flowassist.components.described import describe, own, summarised, type_of
from flowassist.sandbox.supervisor import Sandbox
from tests.components.samples import UPPERCASE

BARE = {"template": {"code": {"value": "x = 1"}}, "outputs": []}


def described_input(**entry: object) -> object:
    return describe("One", "custom", json.dumps(BARE | {"template": {**BARE["template"], "a": entry}})).inputs[0]


@pytest.mark.parametrize("odd", [None, 7, [], {}, "", True, ["x", 1]])
def test_fields_of_other_types_count_as_not_given(odd: object) -> None:
    fields = ("display_name", "description", "icon", "legacy", "beta", "metadata", "field_order")
    node = BARE | dict.fromkeys(fields, odd) | {"outputs": [dict.fromkeys(("name", "method", "types"), odd)]}
    keys = ("display_name", "info", "_input_type", "type", "list", "options", "input_types", "password", "value")
    node["template"] = {"code": {"value": odd}, "a": dict.fromkeys(keys, odd), "_type": "Component"}
    told = describe("One", "custom", json.dumps(node))
    assert told.type.name == "One"
    assert [one.name for one in told.inputs] == ["a"]


@pytest.mark.parametrize(
    "entry", [{"password": True, "value": "sk-x"}, {"_input_type": "SecretStrInput", "value": "sk-x"}]
)
def test_a_secret_s_default_is_not_told(entry: dict[str, object]) -> None:
    told = described_input(**entry)
    assert "sk-x" not in str(told)


def test_texts_of_a_list_are_bounded() -> None:
    node = {"display_name": "x" * 9999, "description": "y" * 9999, "icon": "z" * 9999}
    node |= {"metadata": {"dependencies": {"dependencies": [{"name": f"p{n}" + "x" * 999} for n in range(99)]}}}
    told = type_of("One", "custom", node)
    assert (len(told.display_name), len(told.description), len(told.icon)) == (100, 500, 100)
    assert (len(told.packages), max(map(len, told.packages))) == (20, 100)


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_kept_of_a_component_that_passed(sandbox: Sandbox) -> None:
    verdict = await check(UPPERCASE, sandbox)
    kept = own(verdict)
    assert (kept.name, kept.code) == ("UppercaseComponent", UPPERCASE)
    told = describe(kept.name, "custom", kept.node)
    assert told.type == summarised(kept.summary)
    assert (told.type.display_name, told.type.description) == ("Uppercase", "Turns text into capitals.")
    assert told.code == UPPERCASE
    assert [one.name for one in told.inputs] == ["text"]
    assert told.outputs[0].types == ("Message",)
