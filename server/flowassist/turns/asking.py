"""How a turn asks its models, and what it tells of that."""

from collections.abc import Callable, Mapping

from flowassist.models.calls import BackOff, Caller
from flowassist.models.lineup import Lineup, Lineups
from flowassist.models.meter import Meter
from flowassist.models.model import Call, Hear, Model, ModelError, Remedy, Reply, Usage, nobody
from flowassist.telemetry.observer import Observer
from flowassist.v1 import events_pb2 as pb

INTENT = "intent"
Note = Callable[[pb.NoticeKind, str], None]


class Asking:
    """One turn's calls: `tried` are the models that were asked, `answered` is the last one that did."""

    def __init__(
        self, lineups: Lineups, back_off: BackOff, note: Note, observer: Observer, who: Mapping[str, str]
    ) -> None:
        """`who`: turn_id, user_id and session_id, for the log."""
        self._note, self._observer, self._who = note, observer, who
        self.meter = Meter(self._metered)
        self._main = Caller(lineups.main, self.meter, self, back_off)
        is_same = lineups.intent is lineups.main
        self._intent = self._main if is_same else Caller(lineups.intent, self.meter, self, back_off)
        self._repair = Caller(lineups.repair, self.meter, self, back_off) if lineups.repair else None
        self.tried: list[str] = []
        self.answered: Model | None = None

    @property
    def model(self) -> Model:
        """That writes what the turn is for; another one after a fallback, or after it was handed over."""
        return self._main.lineup.model

    async def ready(self) -> None:
        """Have the model loaded. Raises ModelError, or Stop."""
        await self._main.ready()

    def hand_over(self) -> bool:
        """Let the model for repairs write from now on; False if there is none, or it does already."""
        if self._repair is None:
            return False
        self._main, self._repair = self._repair, None
        self._note(pb.NOTICE_KIND_MODEL_CHANGED, "The same fault came twice, so another model of the provider wrote.")
        return True

    async def ask(self, phase: str, call: Call, hear: Hear = nobody) -> Reply:
        """Ask; metered under `phase`. Raises ModelError, or Stop."""
        caller = self._intent if phase == INTENT else self._main
        reply = await caller(phase, call, hear)
        self.answered = caller.lineup.model
        return reply

    # for the callers

    def asked(self, model: Model) -> None:
        if model.name not in self.tried:
            self.tried.append(model.name)

    def repeated(self, model: Model, error: ModelError) -> None:
        self._note(pb.NOTICE_KIND_CALL_REPEATED, "The provider failed for a moment, so a call was repeated.")
        self._observer.model_repeated(model.provider, model.name, error, **self._who)

    def adapted(self, model: Model, remedy: Remedy) -> None:
        self._note(
            pb.NOTICE_KIND_CALL_ADAPTED, "The model does not take every parameter, so it was asked in another way."
        )
        self._observer.model_remediation(remedy.value, model.provider, model.name, **self._who)

    def moved_on(self, left: Model, to: Model, lineup: Lineup) -> None:
        self._note(pb.NOTICE_KIND_MODEL_CHANGED, "A model was not available, so another one of the provider was asked.")
        self._observer.model_fallback(left.name, to.name, to.provider, lineup.tried[:-1], **self._who)

    def _metered(self, phase: str, spent: Usage) -> None:
        counts = {"input": spent.input, "output": spent.output, "total": spent.total}
        self._observer.call(phase, counts, **self._who)
