"""One turn: what it knows, what it may say, and the one function that ends it."""

import asyncio
import time
import uuid
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flowassist import events
from flowassist.errors import Reason, Stop
from flowassist.models.calls import BackOff
from flowassist.models.lineup import Lineups
from flowassist.models.model import Call, Hear, Model, ModelError, Reply, nobody
from flowassist.models.told import stop_of
from flowassist.store.components import Component
from flowassist.store.store import Exchange, Store
from flowassist.telemetry.observer import Observer
from flowassist.turns.asked import Asked
from flowassist.turns.asking import Asking
from flowassist.turns.log import EventLog
from flowassist.turns.sessions import Sessions
from flowassist.v1 import events_pb2 as pb

_KEEP_SECONDS = 3.0
_BEFORE_DEADLINE = 0.05


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all turns of a server share."""

    store: Store
    sessions: Sessions
    observer: Observer
    max_turn_bytes: int
    back_off: BackOff = BackOff()  # noqa: RUF009 - frozen


class Turn:
    """`say`, `hear`, `ask` and the notes are for the story; `cancel` is for whoever runs it."""

    def __init__(self, asked: Asked, owner: str, lineups: Lineups, around: Surroundings) -> None:
        self.id = str(uuid.uuid4())
        self.asked, self.owner = asked, owner
        self.log = EventLog(self.id, around.max_turn_bytes)
        self.notices: list[pb.Notice] = []
        self.step: pb.Step = pb.STEP_UNSPECIFIED
        self.exchange: Exchange | None = None
        self.made: Component | None = None
        who = {"turn_id": self.id, "user_id": owner, "session_id": asked.session_id}
        self._asking = Asking(lineups, around.back_off, self.note, around.observer, who)
        self._around = around
        self._began = time.monotonic()
        self._task: asyncio.Task[None] | None = None
        self._why: pb.CancelReason | None = None
        self._wall = asyncio.timeout(None)
        self._may_be_cancelled = False

    # for the story

    @property
    def model(self) -> Model:
        """That writes what the turn is for."""
        return self._asking.model

    def say(self, event: pb.Progress) -> None:
        """Say a stage. Raises Stop when the turn has said too much."""
        event.usage.CopyFrom(events.usage(self._asking.meter.total))
        self.step = event.step
        self.log.say(event)
        self._around.observer.said(self.id, event)

    def hear(self, chunk: str) -> None:
        """Pass on a piece of the answer."""
        self.log.hear(chunk)

    def note(self, kind: pb.NoticeKind, message: str) -> None:
        """Add a notice, once of each kind."""
        if all(notice.kind != kind for notice in self.notices):
            self.notices.append(events.notice(kind, message))

    def understood(self, intent: pb.Intent, rule: str = "") -> None:
        """What the turn is about; `rule` decided it without a model."""
        self._around.observer.understood(
            intent,
            rule,
            turn_id=self.id,
            user_id=self.owner,
            flow_id="",
            provider=self.model.provider,
            model_name=self.model.name,
        )

    async def ready(self) -> None:
        """Have the turn's model loaded. Raises ModelError, or Stop."""
        await self._asking.ready()

    def hand_over(self) -> bool:
        """Let the operator's model for repairs write from now on; False if there is none, or it does already."""
        return self._asking.hand_over()

    async def ask(self, phase: str, call: Call, hear: Hear = nobody) -> Reply:
        """Ask the turn's model; metered under `phase`. Raises ModelError, or Stop."""
        return await self._asking.ask(phase, call, hear)

    async def history(self) -> tuple[Exchange, ...]:
        """The session's past turns, oldest first, as many as were asked for."""
        if self.asked.new_session:
            return ()
        mine = self._around.store.of(self.owner)
        return await mine.history(self.asked.session_id, self.asked.history_turns)

    def remember(self, exchange: Exchange) -> None:
        """What the session keeps of this turn if it completes."""
        self.exchange = exchange

    def register(self, component: Component) -> None:
        """What its owner has from now on if the turn completes."""
        self.made = component

    # for whoever runs it

    def start(self, tell: "Tell") -> asyncio.Task[None]:
        self._task = asyncio.create_task(live(self, tell), name=f"turn {self.id}")
        return self._task

    def cancel(self, why: pb.CancelReason) -> None:
        """End the turn; the first reason wins, and a turn whose end is known keeps it."""
        if self._why is None:
            self._why = why
            if self._task and self._may_be_cancelled:
                self._task.cancel()

    # for `live`

    @contextmanager
    def cancellable(self) -> Iterator[None]:
        """Inside, `cancel` interrupts; what was cancelled before does not begin."""
        if self._why is not None:
            raise CancelledError
        self._may_be_cancelled = True
        try:
            yield
        finally:
            self._may_be_cancelled = False

    def wall_time(self) -> asyncio.Timeout:
        """Ends the turn shortly before its caller's deadline."""
        seconds = self.asked.deadline
        self._wall = asyncio.timeout(None if seconds is None else max(0.0, seconds - _BEFORE_DEADLINE))
        return self._wall

    async def take_place(self, place: "asyncio.Future[None]") -> None:
        await self._around.sessions.reach_head(
            self._key, place, lambda position: self.say(events.queued(position, self.asked.attempts))
        )

    def join(self) -> "asyncio.Future[None]":
        return self._around.sessions.join(self._key)

    def leave(self, place: "asyncio.Future[None]") -> None:
        self._around.sessions.leave(self._key, place)

    def cancelled(self, why: pb.CancelReason) -> pb.Cancelled:
        """The first reason wins."""
        return events.cancelled(why if self._why is None else self._why, self.step)

    def late(self, error: TimeoutError) -> events.End:
        """The caller's deadline came, unless it was another clock that ran out."""
        if self._wall.expired():
            return self.cancelled(pb.CANCEL_REASON_DEADLINE)
        return self.failed(Stop(Reason.INTERNAL), error)

    def failed(self, stop: Stop, cause: BaseException) -> pb.Error:
        self._around.observer.failed(self.id, stop.reason, cause)
        return events.error(stop.reason, str(stop), self._asking.tried, self.step)

    async def keep(self, end: events.End) -> None:
        """Write what the session remembers and what the turn made; a store that fails or hangs does not fail it."""
        if not isinstance(end, pb.Complete) or self.exchange is None:
            return
        mine = self._around.store.of(self.owner)
        try:
            async with asyncio.timeout(_KEEP_SECONDS):
                kept = await mine.remember(self.asked.session_id, self.id, self.exchange, self.made)
        except Exception as cause:  # noqa: BLE001 - whatever the database does, the answer is there
            self._around.observer.unkept(self.id, cause)
            self.note(pb.NOTICE_KIND_NOT_REMEMBERED, "This turn could not be kept in the session's memory.")
            kept = self.made is None
        if not kept:
            self.note(pb.NOTICE_KIND_NOT_REGISTERED, "The component could not be kept among your component types.")

    def seal(self, end: events.End) -> None:
        """Stamp what every end carries, and close the log."""
        seconds = time.monotonic() - self._began
        end.usage.CopyFrom(events.spent(self._asking.meter))
        end.duration_seconds = seconds
        if isinstance(end, pb.Complete):
            end.notices.extend(self.notices)
            end.session_id = self.asked.session_id
            if answered := self._asking.answered:
                end.provider, end.model_name = answered.provider, answered.name
        self._around.observer.ended(self.log.seal(end), seconds)

    @property
    def _key(self) -> tuple[str, str]:
        return self.owner, self.asked.session_id


Tell = Callable[[Turn], Awaitable[pb.Complete]]


async def live(turn: Turn, tell: Tell) -> None:
    """The turn's only task and its only end."""
    place = turn.join()
    try:
        with turn.cancellable():
            async with turn.wall_time():
                await turn.take_place(place)
                end: events.End = await tell(turn)
    except CancelledError:
        end = turn.cancelled(pb.CANCEL_REASON_SHUTDOWN)
    except TimeoutError as error:
        end = turn.late(error)
    except ModelError as error:
        end = turn.failed(stop_of(error), error)
    except Stop as stop:
        end = turn.failed(stop, stop.__cause__ or stop)
    except Exception as bug:  # noqa: BLE001 - the turn's one exit: every bug becomes its typed end
        end = turn.failed(Stop(Reason.INTERNAL), bug)
    try:
        await turn.keep(end)
    finally:
        try:
            turn.seal(end)
        finally:
            turn.leave(place)
