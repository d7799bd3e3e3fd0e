"""Clients: one for each access, closed when nobody needs them, and never under a call."""

import asyncio
import gc
from collections.abc import AsyncIterator

import pytest

from flowassist.models.access import Access
from flowassist.models.pool import IDLE_SECONDS, Pool
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.registry import WIRES, Providers
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.models.test_live import Clock
from tests.vendors import compatible
from tests.vendors.script import Say
from tests.vendors.server import KEY, Vendor

NAME = "openai_compatible"


@pytest.fixture
async def clock() -> Clock:
    return Clock()


@pytest.fixture
async def pool(clock: Clock) -> AsyncIterator[Pool]:
    opened = Pool(WIRES, Patience(), size=2, clock=clock)
    yield opened
    await opened.aclose()


def access(url: str = "http://127.0.0.1:9", key: str = KEY, owner: str = "ann", **more: str) -> Access:
    return Access(owner, url, Secret(key), more)


def test_equal_accesses_share_an_endpoint(pool: Pool) -> None:
    one, two = pool.lease(NAME, access()), pool.lease(NAME, access())
    assert one.endpoint is two.endpoint
    assert len(pool) == 1


@pytest.mark.parametrize(
    "other", [access("http://127.0.0.1:10"), access(key="sk-2"), access(owner="bob"), access(OPENAI_ORG_ID="o")]
)
def test_others_do_not(pool: Pool, other: Access) -> None:
    assert pool.lease(NAME, access()).endpoint is not pool.lease(NAME, other).endpoint


def test_providers_do_not(pool: Pool) -> None:
    assert pool.lease(NAME, access()).endpoint is not pool.lease("openai", access()).endpoint


def test_without_an_address_it_is_the_vendors_own(pool: Pool) -> None:
    assert pool.lease("groq", access("")).endpoint.base_url == WIRES["groq"].base_url != ""


async def test_the_least_recently_used_is_closed(pool: Pool) -> None:
    async with compatible.scripted(Say("one"), Say("two")) as vendor:
        await pool.lease(NAME, access(vendor.url)).model("m").reply(CALL)
        await pool.lease(NAME, access(key="2")).endpoint.client()
        await pool.lease(NAME, access(vendor.url, key="3")).model("m").reply(CALL)
        gc.collect()
        assert vendor.open_connections == 2
        await pool.sweep()
        await asyncio.wait_for(vendor.left_with(1), 2)
        assert len(pool) == 2


async def test_what_is_in_use_is_closed_only_afterwards(pool: Pool) -> None:
    going_on = asyncio.Event()
    async with compatible.scripted(Say("one two three", hold=going_on)) as vendor:
        lease = pool.lease(NAME, access(vendor.url))
        calling = asyncio.ensure_future(lease.model("m").reply(CALL))
        await vendor.arrivals.get()
        for number in range(4):
            pool.lease(NAME, access(key=str(number)))
        pool.forget("ann", ())
        await pool.sweep()
        going_on.set()
        assert (await calling).text == "one two three"
        assert vendor.open_connections == 1
        del lease, calling
        gc.collect()
        await pool.sweep()
        await asyncio.wait_for(vendor.left_with(0), 2)


async def test_what_nobody_used_for_long_is_closed(pool: Pool, clock: Clock) -> None:
    pool.lease(NAME, access())
    gc.collect()
    clock.now += IDLE_SECONDS - 1
    await pool.sweep()
    assert len(pool) == 1
    clock.now += 2
    await pool.sweep()
    assert len(pool) == 0


async def test_what_is_used_for_long_is_kept(pool: Pool, clock: Clock) -> None:
    lease = pool.lease(NAME, access())
    clock.now += IDLE_SECONDS + 1
    await pool.sweep()
    assert pool.lease(NAME, access()).endpoint is lease.endpoint


async def test_a_key_that_is_gone_leaves_no_client(pool: Pool) -> None:
    for owner in ("ann", "bob"):
        pool.lease(NAME, access(owner=owner))
    pool.lease(NAME, access(key=""))
    gc.collect()
    pool.forget("ann", {Secret("another")})
    await pool.sweep()
    assert len(pool) == 2


async def test_a_changed_key_closes_its_connections_with_the_owners_next_request() -> None:
    own = {"OPENAI_COMPATIBLE_API_KEY": Secret("sk-old")}

    async def stored(_owner: str) -> dict[str, Secret]:
        return own

    async with compatible.scripted(Say("one"), Say("two")) as vendor:
        providers = Providers({"OPENAI_COMPATIBLE_BASE_URL": vendor.url}, stored=stored)
        await asked(providers)
        own["OPENAI_COMPATIBLE_API_KEY"] = Secret("sk-new")
        gc.collect()
        await asked(providers)
        await asyncio.wait_for(vendor.left_with(1), 2)
        assert [request.headers["authorization"] for request in vendor.requests] == ["Bearer sk-old", "Bearer sk-new"]
        await providers.aclose()


async def asked(providers: Providers) -> None:
    lineups = await (await providers.of("ann")).lineups(NAME)
    await lineups.main.model.reply(CALL)


async def test_keys_do_not_show(pool: Pool) -> None:
    assert KEY not in repr(pool.lease(NAME, access()))


async def test_nothing_is_left_open() -> None:
    async with compatible.scripted(Say("one")) as vendor:
        await _used(vendor)
        await asyncio.wait_for(vendor.left_with(0), 2)


async def _used(vendor: Vendor) -> None:
    providers = Providers(vendor.environment)
    await asked(providers)
    await providers.aclose()
