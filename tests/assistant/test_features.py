import json

import pytest

from flowassist.assistant.features import MAX_ENGLISH, features_intent
from flowassist.assistant.intended import Intended, Kind
from tests.assistant.scripted import Script, cut


def said(english: str, topic: str = "ai building") -> str:
    return json.dumps({"english": english, "topic": topic})


async def test_the_translation_is_the_request() -> None:
    ask = Script(said("Create a component that adds two numbers"))
    intended = await features_intent(ask, "Crie um componente que soma dois números")
    assert intended == Intended(Kind.GENERATE_COMPONENT, "Create a component that adds two numbers")
    ((phase, call),) = ask.calls
    assert (phase, call.slot, call.temperature) == ("intent", "intent", 0.0)
    assert call.schema is not None
    assert len(call.system) + len(json.dumps(call.schema.shape)) < 4000


async def test_an_english_message_stays_as_it_was_written() -> None:
    ask = Script(said("Please execute your current flow and show me the result", "langflow"))
    text = "Please execute my current flow and show me the result"
    assert await features_intent(ask, text) == Intended(Kind.RUN_FLOW, text)


async def test_a_long_message_is_read_by_its_ends_and_kept_whole() -> None:
    text = "Create a component that " + "does this and that " * 80 + "in the end"
    ask = Script(said(text[:MAX_ENGLISH]))
    intended = await features_intent(ask, text)
    assert intended.request == text
    assert intended.kind is Kind.GENERATE_COMPONENT
    assert len(ask.asked(0)) < MAX_ENGLISH + 10
    assert ask.asked(0).endswith("in the end")


@pytest.mark.parametrize("answer", ["", "{", "[]", '{"english": "x"}', said("x", "sports"), cut('{"english": "Cre')])
async def test_what_cannot_be_read_is_a_question_and_says_so(answer: str) -> None:
    assert await features_intent(Script(answer), "hi") == Intended(Kind.QUESTION, "hi", degraded=True)


async def test_the_context_is_for_the_rules_and_never_reaches_the_model() -> None:
    ask = Script(said("use a table instead"))
    intended = await features_intent(ask, "use a table instead", "User: Create a component that splits\nAssistant: ok")
    assert intended.kind is Kind.GENERATE_COMPONENT
    assert "splits" not in ask.asked(0)


async def test_a_model_that_is_named_is_picked_out() -> None:
    intended = await features_intent(Script(said("Build an agent with gpt-4o")), "Build an agent with gpt-4o")
    assert intended == Intended(Kind.BUILD_FLOW, "Build an agent with gpt-4o", requested_model="gpt-4o")
