"""Running one output: on the plain sample, on other kinds of text if it does not take that one, and on nothing."""

import asyncio
import time
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from flowassist.zygote import blame, samples, values
from flowassist.zygote.blame import BOUNDARY, CODE, Fault, Source
from flowassist.zygote.outside import Outside, watched
from flowassist.zygote.samples import Sample

Run = dict[str, Any]  # shaped as flowassist.sandbox.claims.Run

_UNAWAITED = "The text of the Message is a coroutine: what makes it must be awaited."
_SHARE_FOR_SAMPLES = 0.3  # of the wall time: a slow method must not die of our curiosity


class _Asked(dict[str, object]):
    """A component's input values; knows which of the absent ones its code asked for."""

    def __init__(self, held: Mapping[str, object], absent: Mapping[str, str]) -> None:
        super().__init__(held)
        self._absent = absent
        self.missed: dict[str, str] = {}

    def __getitem__(self, name: str) -> object:
        if name in self._absent:
            self.missed[name] = self._absent[name]
        return super().__getitem__(name)


@dataclass(slots=True)
class Outcome:
    """`error` is None where `value` is what the output gave; `missed` is what it asked for in vain.

    `unfit`: the inputs did not take the sample, so nothing ran. `offline`: it tried the network.
    """

    value: object = None
    error: BaseException | None = None
    missed: Mapping[str, str] | None = None
    unfit: bool = False
    offline: bool = False


@dataclass(slots=True)
class Runner:
    """Runs the outputs of one class, each on a fresh instance."""

    kind: Any
    component: Any
    source: Source
    wall_seconds: float
    loop: asyncio.AbstractEventLoop
    outside: Outside = field(default_factory=watched)

    def given(self, output: Any, given: Mapping[str, object]) -> list[Run]:
        """Exactly one run."""
        try:
            sample = samples.given(self.component.inputs, given)
        except (TypeError, ValueError) as error:
            return [_run(output, "the given values", fault=_unfit(error))]
        return [self._judged(output, sample, self._once(output, sample))]

    def sampled(self, output: Any) -> list[Run]:
        """The plain run first; a fault in it is the component's, one on the empty sample is only told."""
        began = time.monotonic()
        plain = samples.plain(self.component.inputs)
        first = self._judged(output, plain, outcome := self._once(output, plain))
        if not first["fault"]:
            return [first, self._told(output, samples.empty(self.component.inputs))]
        if not isinstance(outcome.error, Exception) or not self._may_be_the_sample(first, outcome.error):
            return [first]
        better = next(self._better(output, began), None)
        return [first] if better is None else [better, _run(output, plain.title, preview=first["fault"]["message"])]

    def _may_be_the_sample(self, first: Run, error: Exception) -> bool:
        return first["fault"]["blame"] == CODE and blame.about_the_sample(error)

    def _better(self, output: Any, began: float) -> Iterator[Run]:
        """Runs without fault on other kinds of text, while there is time."""
        for sample in samples.others(self.component.inputs):
            if time.monotonic() - began > self.wall_seconds * _SHARE_FOR_SAMPLES:
                return
            run = self._judged(output, sample, self._once(output, sample))
            if not run["fault"]:
                yield run

    def _told(self, output: Any, sample: Sample) -> Run:
        run = self._judged(output, sample, self._once(output, sample))
        fault = run["fault"]
        return _run(output, sample.title, preview=f"raises {fault['message']}") if fault else run

    def _once(self, output: Any, sample: Sample) -> Outcome:
        self.outside.was_tried()
        outcome = self.loop.run_until_complete(self._resolved(output, sample))
        return replace(outcome, offline=self.outside.was_tried())

    async def _resolved(self, output: Any, sample: Sample) -> Outcome:
        asked = None
        try:
            instance = self.kind(_code=self.source.code, _id="sample")
            try:
                instance.set_attributes(dict(sample.values))
            except ValidationError as error:
                return Outcome(error=error, unfit=True)
            asked = _Asked(instance.__dict__["_attributes"], samples.absent(instance.inputs))
            instance.__dict__["_attributes"] = asked
            instance._pre_run_setup()  # noqa: SLF001 - lfx calls it before outputs, and it is there to be overridden
            return Outcome(await instance.resolve_output(output.name), None, asked.missed)
        except BaseException as error:  # noqa: BLE001 - generated code raises what it likes
            return Outcome(None, error, asked.missed if asked else None)

    def _judged(self, output: Any, sample: Sample, outcome: Outcome) -> Run:
        missed = outcome.missed or {}
        if outcome.unfit and outcome.error:
            return _run(output, sample.title, fault=_unfit(outcome.error))
        if outcome.error is not None:
            return _run(output, sample.title, fault=blame.fault(outcome.error, self.source, missed))
        if missed:
            fault = blame.made("Needs", blame.missing(missed), BOUNDARY)
            return _run(output, sample.title, observed=values.type_name(outcome.value), fault=fault)
        return self._shown(output, sample, outcome)

    def _shown(self, output: Any, sample: Sample, outcome: Outcome) -> Run:
        value = outcome.value
        try:
            fault = self._mismatch(output, value) or (blame.offline() if outcome.offline else None)
            shown = {"preview": values.preview(value), "result": values.as_json(value)}
        except BaseException as error:  # noqa: BLE001 - the value's own methods are generated code too
            return _run(output, sample.title, fault=blame.fault(error, self.source))
        return _run(output, sample.title, observed=values.type_name(value), fault=fault, **shown)

    def _mismatch(self, output: Any, value: object) -> Fault | None:
        """lfx does not compare what came with what was declared."""
        method = getattr(self.kind, output.method)
        try:
            hint = typing.get_type_hints(method).get("return", Any)
        except NameError as error:
            text = f"NameError: the return annotation of {output.method} is unknown: {error}"
            return blame.made("NameError", text, CODE, self._line(method))
        if values.is_unawaited(value):
            return blame.made("TypeError", _UNAWAITED, CODE, self._line(method))
        if values.conforms(value, hint):
            return None
        text = f"{output.method} declares {values.hint_name(hint)} but returned {values.type_name(value)}."
        return blame.made("TypeError", text, CODE, self._line(method))

    def _line(self, method: Any) -> int | None:
        code = getattr(method, "__code__", None)
        return self.source.line(code.co_firstlineno) if code else None


def _unfit(error: BaseException) -> Fault:
    return blame.made(type(error).__name__, f"The inputs do not take the values: {blame.sentence(error)}", BOUNDARY)


def _run(
    output: Any, sample: str, *, observed: str = "", preview: str = "", result: str = "", fault: Fault | None = None
) -> Run:
    return {
        "output": output.name,
        "sample": sample,
        "observed": observed,
        "preview": preview,
        "result": result,
        "fault": fault,
    }
