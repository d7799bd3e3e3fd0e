"""What a provider, or who stands in for it, can make this process take in."""

import gzip

import pytest

from flowassist.models.model import ModelError
from flowassist.models.providers.connections import bounds
from tests.models.conftest import CALL
from tests.models.providers.conftest import Stage
from tests.vendors.script import Fail, Raw, Say

PACKED = gzip.compress(gzip.compress(b"0" * 50_000_000))


async def test_answers_are_asked_for_as_they_are(stage: Stage) -> None:
    async with stage(Say("a")) as (ask, vendor):
        assert (await ask(CALL)).text == "a"
    assert vendor.requests[0].headers["accept-encoding"] == "identity"


async def test_an_error_is_read_up_to_a_limit(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_ERROR_BYTES", 200)
    async with stage(Fail(400, message="x" * 400), Say("a")) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
        assert caught.value.status == 400
        assert "x" * 200 not in str(caught.value)
        assert (await ask(CALL)).text == "a"


@pytest.mark.parametrize("status", [200, 400])
async def test_nothing_is_unpacked(stage: Stage, status: int) -> None:
    bomb = Raw((PACKED,), status=status, content_type="application/json", headers={"content-encoding": "gzip, gzip"})
    async with stage(bomb, Say("a")) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
        assert caught.value.status in {status, None}
        assert "0000" not in str(caught.value)
        assert (await ask(CALL)).text == "a"


async def test_headers_of_the_environment_go_nowhere(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "X-Secret: of the operator")
    async with stage(Say("a")) as (ask, vendor):
        await ask(CALL)
    assert "x-secret" not in vendor.requests[0].headers
