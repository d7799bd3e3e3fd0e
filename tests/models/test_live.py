"""The lists that providers tell: shared, waited for briefly, remembered, and never in the way."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.live import (
    FRESH_FAILURE_SECONDS,
    FRESH_SECONDS,
    LAST_GOOD_SECONDS,
    NOT_HAD,
    NOT_YET,
    REQUEST_SECONDS,
    Lists,
    Told,
)
from flowassist.models.pool import Lease, Pool
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.registry import WIRES
from flowassist.secret import Secret
from tests.vendors import openai
from tests.vendors.script import Answer, Fail, Hang, Raw
from tests.vendors.server import KEY, Vendor

A = Raw((b'{"data": [{"id": "a"}]}',), content_type="application/json")
B = Raw((b'{"data": [{"id": "b"}]}',), content_type="application/json")
TOLD_A, TOLD_B = Told((Listing("a", "a"),)), Told((Listing("b", "b"),))
REFUSED = f"{NOT_HAD}: the key was refused"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Desk:
    """Lists in front of one scripted endpoint, under a clock that only the test moves."""

    def __init__(self, vendor: Vendor) -> None:
        self.clock = Clock()
        self.lists, self.pool = Lists(self.clock), Pool(WIRES, Patience(), clock=self.clock)
        self.lease = self.leased("ann", vendor)

    def leased(self, owner: str, vendor: Vendor) -> Lease:
        return self.pool.lease("openai_compatible", Access(owner, vendor.url, Secret(KEY)))

    async def told(self, seconds: float = 5.0, *, old_will_do: bool = False) -> Told:
        return await self.lists.told(self.lease, seconds, old_will_do=old_will_do)

    async def aclose(self) -> None:
        await self.lists.aclose()
        await self.pool.aclose()


@pytest.fixture
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Desk, Vendor]]:
    """Its answers are the test's parameter."""
    answers: tuple[Answer, ...] = request.param
    async with openai.scripted_lists(*answers) as vendor:
        opened = Desk(vendor)
        yield opened, vendor
        await opened.aclose()


def answering(*answers: Answer) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("desk", [answers], indirect=True, ids=[""])


@answering(A, B)
async def test_a_list_is_fresh_for_a_while(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    assert await at.told() == TOLD_A
    at.clock.now += FRESH_SECONDS - 1
    assert await at.told() == TOLD_A
    assert len(vendor.requests) == 1
    at.clock.now += 2
    assert await at.told() == TOLD_B


@answering(A)
async def test_one_request_for_all_who_wait(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    assert await asyncio.gather(*(at.told() for _ in range(20))) == [TOLD_A] * 20
    assert len(vendor.requests) == 1


@answering(A, B)
async def test_owners_do_not_share_a_list(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    assert await at.told() == TOLD_A
    assert await at.lists.told(at.leased("bob", vendor), 5.0) == TOLD_B


@answering(Fail(401), A)
async def test_a_failure_is_remembered_for_a_shorter_while(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    with capture_logs() as logged:
        assert await at.told() == Told(None, REFUSED)
    told = {"provider": "openai_compatible", "trouble": "authentication", "status": 401}
    assert logged == [{"event": "models.no_list", "log_level": "warning", **told}]
    at.clock.now += FRESH_FAILURE_SECONDS - 1
    assert await at.told() == Told(None, REFUSED)
    assert len(vendor.requests) == 1
    at.clock.now += 2
    assert await at.told() == TOLD_A


@answering(A, Fail(401), Fail(401))
async def test_the_last_good_list_stays_for_a_while(desk: tuple[Desk, Vendor]) -> None:
    at, _ = desk
    assert await at.told() == TOLD_A
    at.clock.now += FRESH_SECONDS + 1
    assert await at.told() == Told(TOLD_A.models, REFUSED)
    at.clock.now += LAST_GOOD_SECONDS
    assert await at.told() == Told(None, REFUSED)


@answering(Hang())
async def test_a_silent_endpoint_is_waited_for_briefly(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    waiting = asyncio.ensure_future(at.told(0.05))
    await vendor.arrivals.get()
    assert await waiting == Told(None, NOT_YET)
    assert await at.told(0.01) == Told(None, NOT_YET)
    assert len(vendor.requests) == 1


@answering(A)
async def test_its_seconds_do_not_run_while_its_client_is_built(desk: tuple[Desk, Vendor]) -> None:
    at, _ = desk
    endpoint, begun, may_end = at.lease.endpoint, asyncio.Event(), threading.Event()
    loop, build = asyncio.get_running_loop(), endpoint._build

    def slowly(place: Endpoint[Any]) -> Any:
        loop.call_soon_threadsafe(begun.set)
        may_end.wait()
        return build(place)

    endpoint._build = slowly
    waiting = asyncio.ensure_future(at.told(0.0))
    await begun.wait()
    assert not (await asyncio.wait({waiting}, timeout=0.05))[0]
    may_end.set()
    await waiting
    assert await at.told() == TOLD_A


async def test_a_client_that_cannot_be_built_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")
    lists, pool = Lists(), Pool(WIRES, Patience())
    lease = pool.lease("openai_compatible", Access("ann", "https://somewhere.invalid/v1", Secret(KEY)))
    assert await lists.told(lease, 60.0) == Told(None, f"{NOT_HAD}: the address cannot be reached")
    await lists.aclose()
    await pool.aclose()


@answering(Hang())
async def test_who_leaves_takes_nothing_from_the_others(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    leaving, staying = asyncio.ensure_future(at.told()), asyncio.ensure_future(at.told(0.2))
    await vendor.arrivals.get()
    leaving.cancel()
    assert await staying == Told(None, NOT_YET)
    assert not vendor.requests[0].closed.is_set()


@answering(A, Hang())
async def test_who_can_do_with_an_old_list_does_not_wait(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    assert await at.told() == TOLD_A
    at.clock.now += FRESH_SECONDS + 1
    assert await at.told(60.0, old_will_do=True) == TOLD_A
    assert [await vendor.arrivals.get() for _ in range(2)] == vendor.requests
    assert await at.told(0.01) == Told(TOLD_A.models, NOT_YET)


@answering(Hang())
async def test_closing_ends_what_is_asked(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    assert await at.told(0.01) == Told(None, NOT_YET)
    request = await vendor.arrivals.get()
    await at.lists.aclose()
    await asyncio.wait_for(request.closed.wait(), 2)
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("list of")]


async def test_a_request_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowassist.models.live.REQUEST_SECONDS", 0.05)
    assert REQUEST_SECONDS == 10.0
    async with openai.scripted_lists(Hang()) as vendor:
        at = Desk(vendor)
        assert await at.told() == Told(None, f"{NOT_HAD}: there was no answer in time")
        await asyncio.wait_for(vendor.requests[0].closed.wait(), 2)
        await at.aclose()


@answering(Raw((f"{{your key is {KEY}".encode(),), content_type="application/json"))
async def test_what_an_endpoint_writes_is_not_logged(desk: tuple[Desk, Vendor]) -> None:
    with capture_logs() as logged:
        assert (await desk[0].told()).problem.startswith(NOT_HAD)
    assert [entry["event"] for entry in logged] == ["models.no_list"]
    assert KEY not in str(logged)


@answering(A, B)
async def test_what_tells_nothing_any_more_is_forgotten(desk: tuple[Desk, Vendor]) -> None:
    at, vendor = desk
    await at.told()
    at.clock.now += LAST_GOOD_SECONDS + 1
    await at.lists.told(at.leased("bob", vendor), 5.0)
    assert [key[1] for key in at.lists._entries] == ["bob"]
