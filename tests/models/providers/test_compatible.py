import pytest

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.providers import compatible, openai
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.models.providers.conftest import staged
from tests.vendors.compatible import CompatibleWire, scripted
from tests.vendors.script import Say, Script
from tests.vendors.server import Vendor


async def test_a_plain_request() -> None:
    async with staged("openai_compatible", Say("yes"), model="qwen3-32b") as (ask, vendor):
        assert (ask.model.provider, ask.model.name) == ("openai_compatible", "qwen3-32b")
        assert ask.model.lessons.possible == openai.CHAT
        await ask(CALL)
    assert vendor.requests[0].path == "/v1/chat/completions"
    assert vendor.requests[0].body["max_tokens"] == 100


async def test_without_a_key_that_of_the_servers_environment_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-server")
    async with scripted(Say("yes")) as vendor:
        place = compatible.WIRE.endpoint(Access("", vendor.url, Secret("")), Patience())
        assert (await compatible.WIRE.model(place, "qwen3-32b").reply(CALL)).text == "yes"
        assert len(await compatible.WIRE.listed(place)) == 2
        await place.aclose()
    sent = {request.headers["authorization"] for request in (*vendor.requests, *vendor.asides)}
    assert sent == {f"Bearer {openai.NO_KEY}"}


async def test_it_tells_the_models_that_can_chat() -> None:
    async with Vendor(CompatibleWire(), Script()) as vendor:
        place = compatible.WIRE.endpoint(Access("", vendor.url, Secret("sk-1")), Patience())
        assert await compatible.WIRE.listed(place) == (
            Listing("qwen3-32b", "qwen3-32b"),
            Listing("llama-3.3-70b", "llama-3.3-70b"),
        )
        await place.aclose()
