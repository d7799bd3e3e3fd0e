"""The scripted conversation: what is asked, what the model answers, and the events that must follow."""

from dataclasses import dataclass, field
from typing import Any

from flowassist.assistant.intended import Kind
from tests.conversation.code import BAD, GOOD, answer
from tests.conversation.conftest import intent
from tests.vendors.script import Answer, Say

ATTEMPT = ["generating_component", "generation_complete", "extracting_code", "validating"]


@dataclass(frozen=True)
class Scenario:
    name: str
    text: str
    intents: tuple[Answer, ...]
    answers: tuple[Answer, ...]
    events: list[str]
    fields: dict[str, Any] = field(default_factory=dict)


QUESTION = Scenario(
    "question",
    "Two components will not connect, what do I do?",
    (intent(Kind.QUESTION),),
    (Say("Drag from an output to an input of the same type. 😀"),),
    ["generating", "token", "complete"],
)
FIRST_TRY = Scenario(
    "component at first try",
    "A text comes in, uppercase should come out, as a component",
    (intent(Kind.GENERATE_COMPONENT),),
    (Say(answer(GOOD)),),
    [*ATTEMPT, "validated", "complete"],
)
BAD_THEN_GOOD = Scenario(
    "bad, then good",
    "A text comes in, uppercase should come out, as a component",
    (intent(Kind.GENERATE_COMPONENT),),
    (Say(answer(BAD)), Say(answer(GOOD))),
    [*ATTEMPT, "validation_failed", "retrying", *ATTEMPT, "validated", "complete"],
)
ALWAYS_BAD = Scenario(
    "always bad",
    "A text comes in, uppercase should come out, as a component",
    (intent(Kind.GENERATE_COMPONENT),),
    (Say(answer(BAD)), Say(answer(BAD))),
    [*ATTEMPT, "validation_failed", "retrying", *ATTEMPT, "validation_failed", "complete"],
    {"max_retries": 2},
)
OFF_TOPIC = Scenario("off-topic", "how does n8n work?", (intent(Kind.OFF_TOPIC),), (), ["complete"])
NO_CODE = Scenario(
    "no code",
    "Create a component that reads files",
    (),
    (Say("What exactly should it read?"),),
    ["generating_component", "generation_complete", "extracting_code", "complete"],
)

SURE = Scenario(
    "component, without a doubt",
    "Create a component that converts text to uppercase",
    (),
    (Say(answer(GOOD)),),
    [*ATTEMPT, "validated", "complete"],
)

SCENARIOS = [QUESTION, FIRST_TRY, BAD_THEN_GOOD, ALWAYS_BAD, OFF_TOPIC, NO_CODE, SURE]
