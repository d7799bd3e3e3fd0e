"""A provider that sends a request elsewhere: neither the request nor the key goes there."""

import pytest

from flowassist.models.model import ModelError, Trouble
from tests.models.conftest import CALL
from tests.models.providers.conftest import SERVERS, Stage
from tests.vendors.script import Fail, Script
from tests.vendors.server import Vendor


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_a_wrong_address(stage: Stage, wire: str, status: int) -> None:
    async with Vendor(SERVERS[wire](), Script()) as other:
        fault = Fail(status, headers={"location": f"{other.url}/elsewhere"})
        async with stage(fault) as (ask, vendor):
            with pytest.raises(ModelError) as caught:
                await ask(CALL)
            assert (caught.value.trouble, len(vendor.requests)) == (Trouble.UNREACHABLE, 1)
        assert (other.requests, other.asides, other.connected) == ([], [], 0)
