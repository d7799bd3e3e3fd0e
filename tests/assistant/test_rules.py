"""Sentences in English, as a small model translates them, with the topic that it would name."""

import pytest

from flowassist.assistant.intended import Kind
from flowassist.assistant.rules import Topic, kind_of, makes_anew, named_model

OURS, LANGFLOW, WORLD = Topic.AI_BUILDING, Topic.LANGFLOW, Topic.GENERAL_KNOWLEDGE
COMPONENT, FLOW, BOTH = Kind.GENERATE_COMPONENT, Kind.BUILD_FLOW, Kind.COMPONENT_THEN_FLOW
MADE = "User: Create a component that splits text\nAssistant: (wrote a component) I wrote the component Split."


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Please write me a component which sorts names.", COMPONENT),
        ("Could you create a component for parsing dates?", COMPONENT),
        ("I would like you to build a node to compute the BMI", COMPONENT),
        ("we need a custom component with two outputs", COMPONENT),
        ("new component: takes a URL, returns its domain", COMPONENT),
        ("Create a chatbot component that answers politely", COMPONENT),
        ("Create a component that calls an agent", COMPONENT),
        ("I'm looking for a component to clean text from a flow", COMPONENT),
        ("I need a CSV parser", COMPONENT),
        ("Help me build a chatbot with memory", FLOW),
        ("create a flow that uses the CSV component", FLOW),
        ("Build me a RAG pipeline over my documents", FLOW),
        ("set up an agent with tools", FLOW),
        ("Make a document question robot", FLOW),
        ("Connect the prompt to the language model", FLOW),
        ("Create a flow with a chat input and run it", FLOW),
        ("Create a component that trims text and then build a flow with it", BOTH),
        ("make a sentiment component and wire it into a new flow", BOTH),
        ("Create a component and a flow that uses it", BOTH),
        ("Build a flow with a custom component that reverses text", BOTH),
        ("Write a component that masks cards, then add it to a flow and run it", BOTH),
        ("Create a component that counts words and then uses it in a flow", BOTH),
        ("run the flow", Kind.RUN_FLOW),
        ("Please execute my current workflow with 'hello'", Kind.RUN_FLOW),
        ("can you run it again?", Kind.RUN_FLOW),
    ],
)
def test_wishes(said: str, kind: Kind) -> None:
    assert kind_of(said, said, OURS) is kind


@pytest.mark.parametrize(
    ("said", "topic", "kind"),
    [
        ("How do I create a component?", OURS, Kind.QUESTION),
        ("how can I run a flow through the API?", LANGFLOW, Kind.QUESTION),
        ("Can Langflow build flows by itself?", OURS, Kind.QUESTION),
        ("Explain what embeddings are", OURS, Kind.QUESTION),
        ("Show me how to build a flow", OURS, Kind.QUESTION),
        ("I would like to know how memory works in agents", OURS, Kind.QUESTION),
        ("I need help with Langflow", OURS, Kind.QUESTION),
        ("My flow fails with 'No model selected'", LANGFLOW, Kind.QUESTION),
        ("Which vector stores are there?", WORLD, Kind.QUESTION),
        ("how does n8n work?", OURS, Kind.OFF_TOPIC),
        ("how does n8n compare to Langflow?", Topic.OTHER_PRODUCT, Kind.QUESTION),
        ("What is the best laptop for gaming?", OURS, Kind.OFF_TOPIC),
        ("Who wrote Don Quixote?", WORLD, Kind.OFF_TOPIC),
        ("Write an email to my boss", OURS, Kind.OFF_TOPIC),
        ("Write an email parser", OURS, COMPONENT),
        ("Write a poem about the sea", Topic.CREATIVE_WRITING, Kind.OFF_TOPIC),
        ("Hello there, how are you?", Topic.SMALL_TALK, Kind.OFF_TOPIC),
        ("", OURS, Kind.OFF_TOPIC),
    ],
)
def test_questions_and_what_is_not_ours(said: str, topic: Topic, kind: Kind) -> None:
    assert kind_of(said, said, topic) is kind


@pytest.mark.parametrize(
    ("said", "topic", "kind"),
    [
        ("use dataframe output instead", OURS, COMPONENT),
        ("Can you rename the input to 'query' and make it required?", OURS, COMPONENT),
        ("it should also accept negative numbers", WORLD, COMPONENT),
        ("why did you use a regex?", OURS, Kind.QUESTION),
        ("now build a flow with it", OURS, FLOW),
        ("who won the world cup?", WORLD, Kind.OFF_TOPIC),
        ("thank you!", Topic.SMALL_TALK, Kind.OFF_TOPIC),
    ],
)
def test_after_a_component(said: str, topic: Topic, kind: Kind) -> None:
    assert kind_of(said, said, topic, MADE) is kind


@pytest.mark.parametrize(
    ("context", "kind"),
    [
        ("", Kind.QUESTION),
        ("User: Crie um componente que divide um texto\nAssistant: Done.", COMPONENT),
        ("User: 创建一个统计字符数的组件", COMPONENT),
        ("User: build a flow that summarizes\nAssistant: Later.", FLOW),
        ("User: Create a component\nAssistant: Done.\nUser: build a flow with two components\nAssistant: Later.", FLOW),
        ("User: how do I create a component?\nAssistant: Open the menu.", Kind.QUESTION),
        ("User: hi\nAssistant: Ask me, for example, to create a component.\nMore on components.", Kind.QUESTION),
    ],
)
def test_what_was_made_before_is_changed(context: str, kind: Kind) -> None:
    said = "change the text to lower case"
    assert kind_of(said, said, OURS, context) is kind


def test_commands_to_run_that_are_easily_mistranslated() -> None:
    for text in ("rode o fluxo", "Ejecuta el flujo con 'hola'", "运行这个流程"):
        assert kind_of(text, "I rode the river", WORLD) is Kind.RUN_FLOW
    assert kind_of("如何运行这个流程?", "How do I run this flow?", LANGFLOW) is Kind.QUESTION


def test_a_chinese_wish_that_came_out_as_a_question_is_a_wish() -> None:
    english = "How do I build a flow that reads a page?"
    assert kind_of("搭建一个读取网页的流程", english, OURS) is FLOW
    assert kind_of("如何搭建一个读取网页的流程", english, OURS) is Kind.QUESTION


@pytest.mark.parametrize(
    ("said", "model"),
    [
        ("build an agent and use gpt-4o-mini.", "gpt-4o-mini"),
        ("with Claude-3.5-sonnet please", "Claude-3.5-sonnet"),
        ("use o3-mini", "o3-mini"),
        ("llama3.3 would do", "llama3.3"),
        ("use a model of OpenAI", ""),
    ],
)
def test_models_by_name(said: str, model: str) -> None:
    assert named_model(said) == model


def test_a_component_of_its_own_or_a_change() -> None:
    assert makes_anew("Create a component that doubles a number")
    assert not makes_anew("make the component return a table")
    assert not makes_anew("add a third number")
