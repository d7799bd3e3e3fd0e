from dataclasses import replace

import pytest

from flowassist.assistant.repair import NO_CODE, Failed, Manner, Plan, is_stuck, plan, taken_over
from flowassist.components.report import Finding, Report, Verdict
from flowassist.models.model import Strength
from tests.conversation.code import GOOD


def failed(
    message: str = "NameError: name 'a' is not defined",
    code: str = GOOD,
    *,
    rule: str = "run-failed",
    manner: Manner = Manner.CODE,
    model: str = "large",
) -> Failed:
    """`code` gets a comment with the message, so that only equal messages have equal code."""
    report = Report(findings=(Finding("dropped", "a warning", "", warning=True), Finding(rule, message, "Mend it.", 3)))
    return Failed(
        "an answer", Verdict(False, f"{code}# {message}\n", "A", f"{message} (line 3)", report), manner, model
    )


OTHER = failed("TypeError: no")


def test_a_model_begins_in_its_own_way() -> None:
    assert plan((), Strength.STRONG) == Plan(Manner.CODE)
    assert plan((), Strength.WEAK) == Plan(Manner.SPEC)


@pytest.mark.parametrize(
    ("before", "last", "stuck"),
    [
        (failed("IndexError in line 12"), failed("IndexError in line 7"), True),
        (failed("name 'a'"), failed("name 'b'"), False),
        (failed(rule="create-failed"), failed(code=f"{GOOD}\n# another"), False),
        (failed(), failed(manner=Manner.SPEC), False),
        (failed(), failed(model="larger"), False),
        (OTHER, replace(failed(), verdict=replace(failed().verdict, code=OTHER.verdict.code)), True),
    ],
    ids=["another place", "another name", "another rule", "another manner", "another model", "the same code"],
)
def test_the_same_fault_is_known_again(before: Failed, last: Failed, *, stuck: bool) -> None:
    assert is_stuck((before, last)) is stuck


def test_an_answer_without_code_is_another_fault() -> None:
    """Its verdict is that of the code before it."""
    empty = replace(failed(), verdict=replace(failed().verdict, error=NO_CODE))
    assert not is_stuck((failed(), empty))
    assert is_stuck((empty, empty))


def test_one_failure_is_none_too_many() -> None:
    assert not is_stuck(())
    assert not is_stuck((failed(),))


def test_only_the_last_two_count() -> None:
    assert not is_stuck((failed(), failed(), OTHER))
    assert is_stuck((OTHER, failed(), failed()))


def test_a_repair_shows_the_last_failure_and_names_the_others() -> None:
    assert plan((OTHER, failed()), Strength.STRONG) == Plan(Manner.CODE, failed(), (OTHER.verdict.error,))
    assert plan((failed(), OTHER, replace(failed(), text="again")), Strength.STRONG).lessons == (OTHER.verdict.error,)


def test_a_strong_model_that_is_stuck_fills_a_spec() -> None:
    assert plan((failed(), failed()), Strength.STRONG) == Plan(Manner.SPEC, None, (failed().verdict.error,))


@pytest.mark.parametrize(
    "code",
    [
        GOOD.replace("MessageTextInput", "DropdownInput"),
        GOOD.replace("outputs = [", 'outputs = [Output(name="b", display_name="B", method="convert"), '),
        GOOD.replace("inputs = [", "inputs = [] and ["),
    ],
    ids=["inputs", "outputs", "none to read"],
)
def test_what_a_spec_cannot_say_is_written_as_code(code: str) -> None:
    assert plan((failed(code=code),) * 2, Strength.STRONG) == Plan(Manner.CODE, None, (failed().verdict.error,))


def test_stuck_with_a_spec_is_written_as_code() -> None:
    assert plan((failed(manner=Manner.SPEC),) * 2, Strength.STRONG).manner is Manner.CODE
    empty = failed(manner=Manner.SPEC)
    empty = replace(empty, verdict=replace(empty.verdict, error=NO_CODE))
    assert plan((failed(), empty), Strength.STRONG) == Plan(Manner.CODE, None, (failed().verdict.error,))


def test_a_weak_model_makes_a_new_spec() -> None:
    assert plan((failed(manner=Manner.SPEC),) * 2, Strength.WEAK) == Plan(Manner.SPEC, None, (failed().verdict.error,))


def test_who_takes_over_sees_the_last_failure() -> None:
    assert taken_over((OTHER, failed()), Strength.STRONG) == Plan(Manner.CODE, failed(), (OTHER.verdict.error,))
    assert taken_over((failed(), failed()), Strength.STRONG) == Plan(Manner.CODE, failed())


def test_lessons_are_few_and_short() -> None:
    many = tuple(failed(f"Error number {'x' * number}: {'long ' * 100}") for number in range(9))
    lessons = plan(many, Strength.STRONG).lessons
    assert [len(lesson) for lesson in lessons] == [300] * 5
    assert lessons[-1].startswith("Error number xxxxxxx:")
