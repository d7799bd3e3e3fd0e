import asyncio

from flowassist.turns.sessions import Sessions

KEY = ("ann", "agentic_1")


async def test_turns_of_one_session_follow_each_other() -> None:
    sessions, told = Sessions(), []
    places = [sessions.join(KEY) for _ in range(3)]
    waiting = [asyncio.ensure_future(sessions.reach_head(KEY, place, told.append)) for place in places]
    await asyncio.sleep(0)
    assert told == [1, 2]
    for place, reached in zip(places, waiting, strict=True):
        await reached
        sessions.leave(KEY, place)
    assert not sessions._lines


async def test_who_gives_up_in_the_line_holds_nobody() -> None:
    sessions = Sessions()
    first, second, third = (sessions.join(KEY) for _ in range(3))
    sessions.leave(KEY, second)
    assert not third.done()
    sessions.leave(KEY, first)
    await sessions.reach_head(KEY, third, lambda _: None)
    sessions.leave(KEY, third)


async def test_sessions_and_owners_do_not_wait_for_each_other() -> None:
    sessions = Sessions()
    sessions.join(KEY)
    for other in (("bob", "agentic_1"), ("ann", "agentic_2")):
        assert sessions.join(other).done()
