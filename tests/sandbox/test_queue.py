"""Places and turns, without any process: who comes in, who waits, who is refused."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from flowassist.sandbox.boundary import SandboxBusy
from flowassist.sandbox.queue import Queue, Room


class Visit:
    """Somebody who wants a place, and holds it until told to leave."""

    def __init__(self, queue: Queue, owner: str, came: list["Visit"]) -> None:
        self.owner, self._leave = owner, asyncio.Event()
        self.inside = False
        self.task = asyncio.ensure_future(self._stay(queue, came))

    async def _stay(self, queue: Queue, came: list["Visit"]) -> None:
        async with queue.place(self.owner):
            came.append(self)
            self.inside = True
            try:
                await self._leave.wait()
            finally:
                self.inside = False

    @property
    def waits(self) -> bool:
        return not self.inside and not self.task.done()

    @property
    def refused(self) -> bool:
        return self.task.done() and not self.task.cancelled() and isinstance(self.task.exception(), SandboxBusy)

    def leave(self) -> None:
        self._leave.set()


async def settle() -> None:
    """Until nobody has anything left to do."""
    for _ in range(10):
        await asyncio.sleep(0)


class Door:
    """A queue and all who ever came to it."""

    def __init__(self, places: int, waiting: int) -> None:
        self.queue = Queue(places, waiting)
        self.came: list[Visit] = []
        self.visits: list[Visit] = []

    async def visit(self, *owners: str) -> list[Visit]:
        new = []
        for owner in owners:
            new.append(Visit(self.queue, owner, self.came))
            await settle()
        self.visits += new
        return new

    async def drained(self) -> str:
        """The owners in the order in which they came in, once everybody has left."""
        while left := [visit for visit in self.visits if visit.inside]:
            left[0].leave()
            await settle()
        return "".join(visit.owner for visit in self.came)


async def test_owners_are_served_in_turn_and_each_in_its_order() -> None:
    door = Door(1, 100)
    visits = await door.visit(*"aaaabcb")
    assert await door.drained() == "aabcaba"
    assert [visits.index(visit) for visit in door.came if visit.owner == "a"] == [0, 1, 2, 3]


async def test_no_place_is_given_twice_and_none_stays_empty() -> None:
    door = Door(3, 100)
    await door.visit(*"abcab")
    assert [visit.inside for visit in door.visits] == [True, True, True, False, False]
    door.visits[1].leave()
    await settle()
    assert [visit.inside for visit in door.visits] == [True, False, True, True, False]
    assert door.queue.waiting == 1


async def test_who_finds_the_queue_full_is_refused() -> None:
    door = Door(1, 2)
    visits = await door.visit(*"aaaa")
    assert [visit.refused for visit in visits] == [False, False, False, True]
    with pytest.raises(SandboxBusy, match="2 jobs wait for the sandbox") as caught:
        await visits[3].task
    assert caught.value.limit == 2
    assert await door.drained() == "aaa"


async def test_without_a_queue_nobody_waits() -> None:
    door = Door(1, 0)
    visits = await door.visit("a", "b")
    assert [visit.refused for visit in visits] == [False, True]


async def test_one_owner_cannot_keep_the_others_out_of_the_queue() -> None:
    door = Door(1, 4)
    visits = await door.visit(*"aaaaa", "b", "b", "b", "c")
    refused = [index for index, visit in enumerate(visits) if visit.refused]
    assert refused == [2, 3, 4, 7]  # the last of a's for b, b itself once it has as many, another of a's for c
    assert await door.drained() == "aabcb"


async def test_nobody_is_sent_away_for_an_owner_who_would_then_have_more() -> None:
    visits = await Door(1, 3).visit(*"aaabb")
    assert [visit.refused for visit in visits] == [False, False, False, False, True]
    for visit in visits[:4]:
        visit.task.cancel()


async def test_a_place_that_comes_with_the_cancel_goes_to_the_next() -> None:
    door = Door(1, 10)
    holder, unlucky, next_one = await door.visit("a", "b", "c")
    holder.leave()
    await asyncio.sleep(0)
    unlucky.task.cancel()
    await settle()
    assert unlucky.task.cancelled()
    assert next_one.inside
    assert await door.drained() == "ac"
    assert (await door.visit("d"))[0].inside


async def test_a_refusal_that_comes_with_the_cancel_gives_no_place() -> None:
    door = Door(1, 2)
    _, _, last = await door.visit("a", "a", "a")
    newcomer = Visit(door.queue, "b", door.came)
    await asyncio.sleep(0)
    last.task.cancel()
    await settle()
    assert last.task.done()
    door.visits.append(newcomer)
    assert door.queue.waiting == 2
    assert await door.drained() == "aab"
    assert (await door.visit("d", "e"))[1].waits


class AnyOrder(RuleBasedStateMachine):
    """Whatever comes, leaves or is cancelled, and however far the loop has come in between."""

    PLACES, WAITING = 2, 5

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.door = Door(self.PLACES, self.WAITING)
        self.settled = True

    def _run(self, what: Callable[[], object]) -> None:
        async def now() -> None:
            what()

        self.loop.run_until_complete(now())
        self.settled = False

    @rule(owner=st.sampled_from("abc"))
    def comes(self, owner: str) -> None:
        self._run(lambda: self.door.visits.append(Visit(self.door.queue, owner, self.door.came)))

    @precondition(lambda self: self.door.visits)
    @rule(data=st.data())
    def leaves(self, data: st.DataObject) -> None:
        self._run(data.draw(st.sampled_from(self.door.visits)).leave)

    @precondition(lambda self: self.door.visits)
    @rule(data=st.data())
    def is_cancelled(self, data: st.DataObject) -> None:
        self._run(data.draw(st.sampled_from(self.door.visits)).task.cancel)

    @rule()
    def all_settle(self) -> None:
        self.loop.run_until_complete(settle())
        self.settled = True

    @invariant()
    def never_more_inside_than_places(self) -> None:
        assert sum(visit.inside for visit in self.door.visits) <= self.PLACES
        assert self.door.queue.waiting <= self.WAITING

    @invariant()
    def nobody_waits_beside_a_free_place(self) -> None:
        waiting = sum(visit.waits for visit in self.door.visits)
        if self.settled:
            assert waiting == self.door.queue.waiting
            assert not waiting or sum(visit.inside for visit in self.door.visits) == self.PLACES

    def teardown(self) -> None:
        """Everybody is served in the end, and the places are there again."""
        try:
            self.loop.run_until_complete(self._end())
        finally:
            self.loop.close()

    async def _end(self) -> None:
        await settle()
        await self.door.drained()
        assert all(visit.task.done() for visit in self.door.visits)
        assert self.door.queue.waiting == 0
        assert all(visit.inside for visit in await self.door.visit(*"x" * self.PLACES))
        await self.door.drained()
        for visit in self.door.visits:
            with suppress(SandboxBusy, asyncio.CancelledError):
                await visit.task


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=40), st.integers(1, 3))
def test_no_owner_waits_for_more_than_one_of_each_other_owner(owners: list[str], places: int) -> None:
    came = asyncio.run(_served(owners, places))
    assert Counter(came) == Counter(owners)
    for index, owner in enumerate(came[places:], places):
        waited = Counter(came[places:index])
        assert all(waited[owner] + 1 >= waited[other] for other in waited)


async def _served(owners: list[str], places: int) -> str:
    door = Door(places, len(owners))
    await door.visit(*owners)
    return await door.drained()


async def test_a_room_is_shared_or_had_alone() -> None:
    room, log = Room(), list[str]()
    leave = asyncio.Event()

    async def stay(name: str, way: Callable[[], object]) -> None:
        async with way():  # type: ignore[attr-defined]
            log.append(f"{name} in")
            await leave.wait()
            log.append(f"{name} out")

    tasks: list[Awaitable[None]] = []
    for name, way in (("1", room.shared), ("2", room.shared), ("3", room.alone), ("4", room.shared)):
        tasks.append(asyncio.ensure_future(stay(name, way)))
        await settle()
    assert log == ["1 in", "2 in"]
    leave.set()
    await asyncio.gather(*tasks)
    assert log == ["1 in", "2 in", "1 out", "2 out", "3 in", "3 out", "4 in", "4 out"]


async def test_a_cancel_before_the_room_is_empty_lets_the_next_in() -> None:
    room, leave = Room(), asyncio.Event()

    async def stay() -> None:
        async with room.shared():
            await leave.wait()

    async def alone() -> None:
        async with room.alone():
            raise AssertionError("somebody is inside")

    first, waiting = asyncio.ensure_future(stay()), asyncio.ensure_future(alone())
    await settle()
    waiting.cancel()
    await settle()
    second = asyncio.ensure_future(stay())
    leave.set()
    await asyncio.gather(first, second)
    assert waiting.cancelled()
