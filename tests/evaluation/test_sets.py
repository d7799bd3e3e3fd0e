import json
from pathlib import Path

import pytest

from flowassist.assistant.intended import Kind
from flowassist.evaluation import sets


def written(folder: Path, *lines: object) -> Path:
    file = folder / "set.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_messages_with_and_without_a_turn_before(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        {"message": "hi", "intent": "off_topic"},
        "",
        {"message": "use a table", "intent": "generate_component", "previous_user_turn": "make a splitter"},
    )
    assert sets.messages(file) == (
        sets.Message("hi", Kind.OFF_TOPIC),
        sets.Message("use a table", Kind.GENERATE_COMPONENT, "make a splitter"),
    )


def test_requests(tmp_path: Path) -> None:
    entry = {"message": "add", "text_values": ["a"], "number_values": [2, 3.5], "result_contains": ["5"]}
    assert sets.requests(written(tmp_path, entry)) == (sets.Request("add", ("a",), (2, 3.5), ("5",), ()),)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2 is no JSON"),
        ("[]", "line 2 is no JSON object"),
        ({"message": "x", "intent": "manage_files"}, "line 2: intent must be one of"),
        ({"intent": "question"}, "line 2: message must be a text"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, line: object, said: str) -> None:
    with pytest.raises(sets.SetError, match=said):
        sets.messages(written(tmp_path, {"message": "x", "intent": "question"}, line))


@pytest.mark.parametrize("entry", [{"number_values": ["x"]}, {"text_values": "abc"}])
def test_a_bad_request_is_named(tmp_path: Path, entry: dict[str, object]) -> None:
    with pytest.raises(sets.SetError, match=next(iter(entry))):
        sets.requests(written(tmp_path, {"message": "x", **entry}))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(sets.SetError, match="cannot be read"):
        sets.messages(tmp_path / "none.jsonl")


def test_the_sets_of_the_repository_can_be_read() -> None:
    assert len(sets.messages(Path("benchmarks/sets/intent.jsonl"))) >= 40
    assert len(sets.requests(Path("benchmarks/sets/components.jsonl"))) >= 15
