import ssl
from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.model import ModelError, Trouble, Usage
from flowassist.models.providers import anthropic, openai
from flowassist.models.providers.connections import trust
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.wire import Wire
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors import certificate
from tests.vendors.anthropic import AnthropicWire
from tests.vendors.openai import OpenAIWire
from tests.vendors.script import Answer, Say, Script
from tests.vendors.server import KEY, Vendor

WIRES = [(anthropic.WIRE, AnthropicWire), (openai.WIRE, OpenAIWire)]


@pytest.fixture(autouse=True)
def fresh() -> Any:
    trust.authorities.cache_clear()
    yield
    trust.authorities.cache_clear()


async def text_over_tls(wire: Wire, server: Any, *answers: Answer) -> str:
    made = server()
    made.tls = certificate.shown()
    async with Vendor(made, Script(*answers)) as vendor:
        assert vendor.url.startswith("https://")
        place = wire.endpoint(Access("", vendor.url, Secret(KEY)), Patience())
        try:
            return (await wire.model(place, "a-model").reply(CALL)).text
        finally:
            await place.aclose()


@pytest.mark.parametrize(("wire", "server"), WIRES)
async def test_a_private_authority_is_trusted_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, wire: Wire, server: Any
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.pem()))
    assert await text_over_tls(wire, server, Say("safe")) == "safe"


@pytest.mark.parametrize(("wire", "server"), WIRES)
async def test_a_server_that_nobody_vouches_for_gets_no_request(wire: Wire, server: Any) -> None:
    with pytest.raises(ModelError, match="CERTIFICATE_VERIFY_FAILED") as caught:
        await text_over_tls(wire, server)
    assert (caught.value.trouble, caught.value.usage) == (Trouble.UNREACHABLE, Usage())


def test_it_is_read_once() -> None:
    assert trust.authorities() is trust.authorities()
    assert trust.authorities().verify_mode is ssl.CERT_REQUIRED
