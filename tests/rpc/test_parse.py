import uuid

import pytest
from google.protobuf.duration_pb2 import Duration

from flowassist.errors import Reason, Refused
from flowassist.rpc.parse import asked_of
from flowassist.settings import Settings
from flowassist.turns.asked import Asked, Sentence
from flowassist.v1.assistant_pb2 import Action, AssistRequest, Budget, PlanApproved


def asked(**fields: object) -> Asked:
    return asked_of(AssistRequest(**{"input_value": "hi", **fields}), Settings(), None)  # type: ignore[arg-type]


def refusal(**fields: object) -> Refused:
    with pytest.raises(Refused) as refused:
        asked(**fields)
    return refused.value


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_empty_text(text: str) -> None:
    assert refusal(input_value=text).reason is Reason.INPUT_EMPTY


def test_over_long_text_is_refused_and_never_cut() -> None:
    assert asked(input_value="é" * 2000).text == "é" * 2000
    refused = refusal(input_value="é" * 2001)
    assert refused.reason is Reason.INPUT_TOO_LONG
    assert refused.metadata == {"field": "input_value", "limit": "2000", "length": "2001"}


def test_nul() -> None:
    refused = refusal(input_value="ab\0c")
    assert (refused.reason, refused.metadata["position"]) == (Reason.INPUT_HAS_NUL, "3")


def test_newlines_and_code_stay_as_they_are() -> None:
    text = "fix this:\n\n```python\nif x:\n\treturn  1\n```\n"
    assert asked(input_value=text).text == text


@pytest.mark.parametrize("value", [0, 6, -1, 2**31 - 1])
def test_max_retries_outside(value: int) -> None:
    refused = refusal(max_retries=value)
    assert refused.reason is Reason.LIMIT_OUT_OF_RANGE
    assert refused.metadata == {"field": "max_retries", "min": "1", "max": "5"}


@pytest.mark.parametrize("value", [-1, 101])
def test_history_limit_outside(value: int) -> None:
    assert refusal(history_limit=value).metadata["field"] == "history_limit"


def test_limits_inside_and_unset() -> None:
    assert (asked().attempts, asked().history_turns) == (3, 6)
    assert (asked(max_retries=1).attempts, asked(max_retries=5).attempts) == (1, 5)
    assert (asked(history_limit=0).history_turns, asked(history_limit=100).history_turns) == (0, 100)


@pytest.mark.parametrize("value", [-5, 0, 1, 200, 100000])
def test_iterations_are_moved_into_their_range(value: int) -> None:
    asked(iterations_limit=value)


@pytest.mark.parametrize("session", ["", "a b", "x" * 129, "ä", "a/b", "a\n"])
def test_bad_session_ids(session: str) -> None:
    assert refusal(session_id=session).reason is Reason.SESSION_ID_INVALID


def test_session_ids_get_their_prefix_once() -> None:
    assert asked(session_id="abc").session_id == "agentic_abc"
    assert asked(session_id="agentic_abc").session_id == "agentic_abc"
    made = asked()
    assert made.new_session
    assert asked(session_id=made.session_id).session_id == made.session_id
    longest = asked(session_id="x" * 128).session_id
    assert asked(session_id=longest).session_id == longest
    assert uuid.UUID(made.session_id.removeprefix("agentic_"))


def test_flow_ids() -> None:
    assert refusal(flow_id="nonsense").reason is Reason.FLOW_ID_INVALID
    assert refusal(flow_id="").reason is Reason.FLOW_ID_INVALID
    assert refusal(flow_id=str(uuid.uuid4())).reason is Reason.FLOW_NOT_FOUND


@pytest.mark.parametrize("name", ["1KEY", "MY-KEY", "a b", "K" * 101, "KEY\n", "ключ"])
def test_a_key_variable_must_be_a_variable(name: str) -> None:
    refused = refusal(key_variable=name)
    assert (refused.reason, refused.metadata) == (Reason.VARIABLE_NAME_INVALID, {"field": "key_variable"})


@pytest.mark.parametrize("name", ["", "MY_OPENAI_KEY", "_k1", "K" * 100])
def test_key_variables(name: str) -> None:
    asked(key_variable=name)


@pytest.mark.parametrize(
    "field",
    [
        {"request_id": "r"},
        {"budget": Budget(max_tokens=5)},
        {"linger": Duration(seconds=5)},
        {"component_id": "c"},
        {"field_name": "f"},
        {"action": Action(plan_approved=PlanApproved())},
    ],
    ids=lambda field: next(iter(field)),
)
def test_what_is_not_served_is_refused_by_name(field: dict[str, object]) -> None:
    refused = refusal(**field)
    assert refused.reason is Reason.FIELD_NOT_SERVED
    assert refused.metadata == {"field": next(iter(field))}


def test_the_protocol_sentences_are_known_byte_for_byte() -> None:
    approved = "User approved the plan. Proceed with the build."
    assert asked(input_value=approved).sentence is Sentence.PLAN_APPROVED
    assert asked(input_value=Sentence.EDITS_APPLIED.value).sentence is Sentence.EDITS_APPLIED
    assert asked(input_value=approved + " ").sentence is None
