import json

import pytest

from flowassist.models.access import Access
from flowassist.models.model import ModelError, Trouble
from flowassist.models.providers import listed, openai
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.secret import Secret
from tests.vendors.openai import scripted_lists
from tests.vendors.script import Answer, Fail, Hang, Raw
from tests.vendors.server import KEY


async def told(answer: Answer) -> list[str]:
    async with scripted_lists(answer) as vendor:
        place = openai.endpoint(Access("", vendor.url, Secret(KEY)), Patience())
        try:
            return [listing.name for listing in await listed.chat_models(place)]
        finally:
            await place.aclose()


def body(*names: object) -> Raw:
    whole = {"object": "list", "data": [{"id": name} for name in names]}
    return Raw((json.dumps(whole).encode(),), content_type="application/json")


async def test_what_cannot_chat_is_left_out() -> None:
    others = [
        "text-embedding-3-large",
        "nomic-embed-text",
        "whisper-large-v3",
        "gpt-4o-transcribe",
        "tts-1-hd",
        "gpt-4o-mini-tts",
        "dall-e-3",
        "gpt-image-1",
        "omni-moderation-latest",
        "bge-reranker-v2",
        "sora-2",
    ]
    assert await told(body("gpt-5.4", *others, "mattso-7b", "gpt-5.4")) == ["gpt-5.4", "mattso-7b"]


async def test_entries_that_are_none_are_left_out() -> None:
    assert await told(body(None, 3, "", "qwen")) == ["qwen"]


async def test_the_list_may_stand_alone() -> None:
    assert await told(Raw((b'[{"id": "qwen"}, 7]',), content_type="application/json")) == ["qwen"]


@pytest.mark.parametrize("raw", [b"<html>Welcome</html>", b'{"data": null}', b'"text"', b"", b'{"models": []}'])
async def test_what_is_no_list_is_a_wrong_address(raw: bytes) -> None:
    with pytest.raises(ModelError, match="no list of models") as caught:
        await told(Raw((raw,), content_type="text/html"))
    assert caught.value.trouble is Trouble.UNREACHABLE


@pytest.mark.parametrize(("answer", "trouble"), [(Fail(401), Trouble.AUTHENTICATION), (Fail(404), Trouble.UNREACHABLE)])
async def test_a_refusal_is_told(answer: Fail, trouble: Trouble) -> None:
    with pytest.raises(ModelError) as caught:
        await told(answer)
    assert caught.value.trouble is trouble


@pytest.mark.parametrize("answer", [Hang(), Hang("headers")])
async def test_a_dead_endpoint_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, answer: Hang) -> None:
    monkeypatch.setattr(listed, "SECONDS", 0.1)
    with pytest.raises(ModelError) as caught:
        await told(answer)
    assert caught.value.trouble is Trouble.TIMEOUT
