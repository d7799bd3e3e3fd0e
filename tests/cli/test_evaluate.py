"""`flowassist eval` with a scripted model."""

import json
import re
from pathlib import Path

from flowassist.assistant.intended import Kind
from tests.cli.test_ask import asks, flowassist
from tests.conversation.code import BAD, GOOD, answer
from tests.conversation.conftest import intent
from tests.vendors.openai import OpenAIWire
from tests.vendors.script import Say, Script
from tests.vendors.server import Vendor


def sets_in(folder: Path) -> tuple[str, ...]:
    messages = [{"message": "tell me about flows", "intent": kind} for kind in ("question", "off_topic")]
    messages += [{"message": "What is a flow?", "intent": "question"}]
    request = {"message": "Create a component", "text_values": ["ab"], "number_values": []}
    requests = [request | {"result_contains": [text], "result_excludes": ["xy"]} for text in ("AB", "ab")]
    for name, entries in (("intent", messages), ("components", requests)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, entries)))
    return ("--intent", str(folder / "intent.jsonl"), "--components", str(folder / "components.jsonl"))


async def test_scores_and_what_was_wrong_are_printed(tmp_path: Path) -> None:
    component = (intent(Kind.GENERATE_COMPONENT), Say(answer(GOOD)))
    repaired = (component[0], Say(answer(BAD)), component[1])
    script = Script(*[intent(Kind.QUESTION)] * 2, *repaired, *component)
    async with Vendor(OpenAIWire(), script) as vendor:
        code, out, err = await flowassist("eval", *sets_in(tmp_path), "--provider", "openai", **asks(vendor.url))
    assert code == 0, err
    assert "wrong" in out
    assert out.count("2 of 3") == 1
    for score, marks in (
        ("valid at first try", "1 of 2"),
        ("valid after repair", "2 of 2"),
        ("right at first try", "0 of 2"),
        ("right after repair", "1 of 2"),
    ):
        assert re.search(rf"{score} +│ {marks} ", out), score
    assert "3 attempts at 2 components" in out
    assert "1 of 3 messages need no call: 33.3% saved" in out
    assert 'gave "AB"' in out


async def test_the_rules_alone_need_no_model(tmp_path: Path) -> None:
    entries = [("What is a flow?", "question"), ("Run the flow", "question"), ("tell me more", "question")]
    lines = [json.dumps({"message": text, "intent": kind}) for text, kind in entries]
    (tmp_path / "intent.jsonl").write_text("\n".join(lines))
    code, out, err = await flowassist("eval", "--rules-only", "--intent", str(tmp_path / "intent.jsonl"))
    assert code == 0, err
    assert "2 of 3 messages need no call: 66.7% saved" in out
    assert "precision 50.0%" in out
    assert "wrong run_flow, not question (command to run): Run the flow" in out


async def test_a_bad_set_is_said(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}")
    code, out, _ = await flowassist("eval", "--intent", str(tmp_path / "bad.jsonl"))
    assert code == 2
    assert "intent must be one of" in out
