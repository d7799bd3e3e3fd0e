"""All turns of this server: how many may run, and how they end when it does."""

import asyncio

from flowassist.errors import Reason, Refused
from flowassist.models.lineup import Lineups
from flowassist.turns.asked import Asked
from flowassist.turns.turn import Surroundings, Tell, Turn
from flowassist.v1 import events_pb2 as pb


class Turns:
    """At most `limit` at once."""

    def __init__(self, limit: int, around: Surroundings) -> None:
        self._limit, self._around = limit, around
        self._running: dict[asyncio.Task[None], Turn] = {}
        self._held: set[Turn] = set()
        self._draining = False

    def begin(self, asked: Asked, owner: str, lineups: Lineups, tell: Tell) -> Turn:
        """Start a turn; its reader gives it back with `left`. Raises Refused: TOO_MANY_TURNS, DRAINING.

        A turn counts until it was given back, since its log is kept until then.
        """
        if self._draining:
            raise Refused(Reason.DRAINING)
        if len(self._held) >= self._limit:
            raise Refused(Reason.TOO_MANY_TURNS, limit=str(self._limit))
        turn = Turn(asked, owner, lineups, self._around)
        self._around.observer.begun(lineups.main.provider)
        task = turn.start(tell)
        self._held.add(turn)
        self._running[task] = turn
        task.add_done_callback(self._running.pop)
        return turn

    def left(self, turn: Turn) -> None:
        """The reader is gone: a turn that still runs is cancelled."""
        turn.cancel(pb.CANCEL_REASON_DISCONNECT)
        self._held.discard(turn)

    @property
    def running(self) -> tuple[Turn, ...]:
        return tuple(self._running.values())

    async def drain(self, seconds: float) -> None:
        """Take no new turn; let the open ones end by themselves for `seconds`, then cancel them."""
        self._draining = True
        if self._running:
            await asyncio.wait(list(self._running), timeout=seconds)
        for turn in self.running:
            turn.cancel(pb.CANCEL_REASON_SHUTDOWN)
        if self._running:
            await asyncio.wait(list(self._running))
