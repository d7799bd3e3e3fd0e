from pathlib import Path

import pytest

from flowassist.assistant.intended import Kind
from flowassist.evaluation import sets
from flowassist.evaluation.savings import Marks, savings
from flowassist.evaluation.sets import Message

SETS = Path("benchmarks/sets")


def test_what_is_decided_and_how_well() -> None:
    saved = savings(
        (
            Message("Run the flow", Kind.RUN_FLOW),
            Message("run my flow", Kind.QUESTION),
            Message("What is a flow?", Kind.QUESTION),
            Message("how odd", Kind.OFF_TOPIC),
        )
    )
    assert saved.by_rule == {"command to run": Marks(1, 2), "question what": Marks(1, 1)}
    assert (saved.share, saved.marks) == (0.75, Marks(2, 3))
    assert saved.precision == pytest.approx(2 / 3)


def test_nothing_decided_is_nothing_wrong() -> None:
    assert (savings(()).share, savings(()).precision) == (0, 1)


@pytest.mark.parametrize(
    ("name", "share"),
    [("intent", 0.12), ("intent_sure", 0.36), ("intent_held_out", 0.34)],
)
def test_what_is_decided_without_a_model_is_right(name: str, share: float) -> None:
    """`intent_sure` was written together with the rules, `intent_held_out` after them."""
    saved = savings(sets.messages(SETS / f"{name}.jsonl"))
    assert saved.precision == 1, [one.message.text for one in saved.decided if not one.right]
    assert saved.share >= share


def test_of_plain_english_requests_two_in_five_need_no_call() -> None:
    """In the set that was written after the rules: wishes and questions in English, traps and all."""
    messages = sets.messages(SETS / "intent_held_out.jsonl")
    ours = tuple(message for message in messages if message.expected is not Kind.OFF_TOPIC and message.text.isascii())
    assert len(ours) >= 200
    assert savings(ours).share >= 0.4
