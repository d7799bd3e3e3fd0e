import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowassist.assistant.intended import Intended, Kind
from flowassist.assistant.reading import read_intent

TEXT = "the user's own words"


@pytest.mark.parametrize(
    ("answer", "kind", "request_"),
    [
        (
            '{"translation": "create a component", "intent": "generate_component"}',
            Kind.GENERATE_COMPONENT,
            "create a component",
        ),
        ('{"intent": "question"}', Kind.QUESTION, TEXT),
        ('{"intent": "off_topic", "translation": "  "}', Kind.OFF_TOPIC, TEXT),
        ('```json\n{"translation": "run it", "intent": "run_flow"}\n```', Kind.RUN_FLOW, "run it"),
        ('```\n{"translation": "run it", "intent": "run_flow"}\n```', Kind.RUN_FLOW, "run it"),
        ('Sure! {"translation": "x {y}", "intent": "build_flow"} Hope it helps.', Kind.BUILD_FLOW, "x {y}"),
        ('{not json} {"intent": "build_flow", "translation": "t"}', Kind.BUILD_FLOW, "t"),
        ('{"translation": "broken, "intent": "component_then_flow"', Kind.COMPONENT_THEN_FLOW, TEXT),
        ("generate_component", Kind.GENERATE_COMPONENT, TEXT),
        ("The intent is off_topic.", Kind.OFF_TOPIC, TEXT),
    ],
)
def test_what_can_be_read(answer: str, kind: Kind, request_: str) -> None:
    assert read_intent(answer, TEXT) == Intended(kind, request_)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "This is not valid JSON response",
        "[]",
        '"generate_component or question"',
        '{"intent": "manage_files", "translation": "t"}',
        '{"intent": ["question"]}',
        "generate_component, build_flow or off_topic?",
        "my_question_mark",
        '{"translation": "t"}',
    ],
)
def test_what_cannot_is_a_degraded_question(answer: str) -> None:
    intended = read_intent(answer, TEXT)
    assert (intended.kind, intended.degraded) == (Kind.QUESTION, True)


def test_a_named_model_is_picked_out() -> None:
    answer = '{"intent": "build_flow", "translation": "t", "requested_model": " gpt-4o "}'
    assert read_intent(answer, TEXT).requested_model == "gpt-4o"


@given(st.text(alphabet='{}[]"\\:,`\n intentquestion', max_size=200))
def test_nothing_a_model_writes_breaks_it(answer: str) -> None:
    assert read_intent(answer, TEXT).kind in Kind
