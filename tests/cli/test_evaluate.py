"""`flowassist eval` with a scripted model."""

import json
from pathlib import Path

from flowassist.assistant.intended import Kind
from tests.cli.test_ask import asks, flowassist
from tests.conversation.code import GOOD, answer
from tests.conversation.conftest import intent
from tests.vendors import openai
from tests.vendors.script import Say


def sets_in(folder: Path) -> tuple[str, ...]:
    messages = [{"message": "what is a flow?", "intent": kind} for kind in ("question", "off_topic")]
    request = {"message": "Create a component", "text_values": ["ab"], "number_values": []}
    requests = [request | {"result_contains": [text], "result_excludes": ["xy"]} for text in ("AB", "ab")]
    for name, entries in (("intent", messages), ("components", requests)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, entries)))
    return ("--intent", str(folder / "intent.jsonl"), "--components", str(folder / "components.jsonl"))


async def test_scores_and_what_was_wrong_are_printed(tmp_path: Path) -> None:
    component = (intent(Kind.GENERATE_COMPONENT), Say(answer(GOOD)))
    async with openai.scripted(*[intent(Kind.QUESTION)] * 2, *component, *component) as vendor:
        code, out, err = await flowassist("eval", *sets_in(tmp_path), "--provider", "openai", **asks(vendor.url))
    assert code == 0, err
    assert "wrong" in out
    assert out.count("1 of 2") == 2
    assert out.count("2 of 2") == 2
    assert 'gave "AB"' in out


async def test_a_bad_set_is_said(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}")
    code, out, _ = await flowassist("eval", "--intent", str(tmp_path / "bad.jsonl"))
    assert code == 2
    assert "intent must be one of" in out
