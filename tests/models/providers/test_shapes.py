import json

from flowassist.models.model import Call, Message, Schema
from flowassist.models.providers.shapes import in_words, without

CALL = Call("Be brief.", (Message("user", "?"),), 50)
SHAPE = {"type": "object", "properties": {"a": {"type": "string", "description": "größe"}}}


def test_a_schema_keeps_what_is_not_named() -> None:
    shape = {"$defs": {"default": {"default": 1, "type": "integer"}}, "default": 2, "enum": ["default"]}
    assert without(shape, frozenset({"default"})) == {"$defs": {"default": {"type": "integer"}}, "enum": ["default"]}


def test_a_schema_in_words_stands_in_the_system_prompt() -> None:
    told = in_words(Call("Be brief.", CALL.messages, 50, schema=Schema("spec", SHAPE), temperature=0.1, slot="s"))
    begin, _, shape = told.system.partition("this JSON schema: ")
    assert begin.startswith("Be brief.\n\n")
    assert json.loads(shape) == SHAPE
    assert told == Call(told.system, CALL.messages, 50, temperature=0.1, slot="s")


def test_a_prompt_may_be_the_schema_alone() -> None:
    assert in_words(Call("", CALL.messages, 50, schema=Schema("spec", SHAPE))).system.startswith("Answer with one JSON")


def test_without_a_schema_there_is_nothing_to_tell() -> None:
    assert in_words(CALL) is CALL
