"""Score a model: its intents, and its components on real values."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from flowassist.app import App
from flowassist.assistant.intended import Intended
from flowassist.assistant.intent import certain, classify
from flowassist.assistant.prompts import recent
from flowassist.components.check import run_with
from flowassist.evaluation import sets
from flowassist.evaluation.savings import Savings, savings
from flowassist.evaluation.scores import Built, Classified, Written, built, classified
from flowassist.models.calls import Caller
from flowassist.models.lineup import Lineups
from flowassist.models.meter import Meter
from flowassist.sandbox.claims import Claim
from flowassist.settings import Settings
from flowassist.store.store import Exchange
from flowassist.turns.asked import Asked
from flowassist.v1.events_pb2 import AssistEvent

_OWNER = "evaluation"
_MARKS = {True: "[green]right[/]", False: "[red]wrong[/]"}
_LONGEST = 160
Open = Callable[[], Awaitable[Lineups]]
"""Models for one message: a lineup moves on, and never back."""

console = Console(highlight=False)


def run(parsed: argparse.Namespace, settings: Settings, environment: Mapping[str, str]) -> int:
    """0: the sets were run. 2: one cannot be read."""
    try:
        messages = sets.messages(Path(parsed.intent)) if parsed.intent else ()
        requests = sets.requests(Path(parsed.components)) if parsed.components else ()
    except sets.SetError as error:
        console.print(f"[red]{escape(str(error))}[/]")
        return 2
    if parsed.rules_only:
        _show_savings(savings(messages))
    else:
        asyncio.run(_run(parsed, settings, environment, messages, requests))
    return 0


async def _run(
    parsed: argparse.Namespace,
    settings: Settings,
    environment: Mapping[str, str],
    messages: tuple[sets.Message, ...],
    requests: tuple[sets.Request, ...],
) -> None:
    async with _parts(settings, environment) as app:
        offer = await app.providers.of(_OWNER)

        async def lineups() -> Lineups:
            return await offer.lineups(parsed.provider, parsed.model)

        _say_models(await lineups())
        if messages:
            await _intents(app, lineups, messages)
        if requests:
            await _components(app, lineups, requests)


def _say_models(lineups: Lineups) -> None:
    console.print(f"{lineups.main.provider}, {lineups.main.model.name}")
    if lineups.intent is not lineups.main:
        console.print(f"{lineups.intent.model.name} classifies")


@asynccontextmanager
async def _parts(settings: Settings, environment: Mapping[str, str]) -> AsyncIterator[App]:
    """The parts of a server, its own store, and no port that anybody could call."""
    with TemporaryDirectory(prefix="flowassist-eval-") as folder:
        store = f"sqlite+aiosqlite:///{folder}/eval.db"
        app = App(replace(settings, host=f"unix:{folder}/socket", database_url=store), environment)
        await app.start()
        try:
            yield app
        finally:
            await app.stop()


async def _intents(app: App, lineups: Open, messages: tuple[sets.Message, ...]) -> None:
    async def ask(text: str, before: str) -> Intended:
        context = recent([Exchange(before, "Done.")]) if before else ""
        lineup, seconds = (await lineups()).intent, app.settings.intent_seconds
        decided = certain(Asked(text, "agentic_eval", new_session=True))
        return decided or await classify(text, Caller(lineup, Meter()), lineup.model.strength, context, seconds)

    results: list[Classified] = []
    async for result in classified(messages, ask):
        results.append(result)
        wrong = "" if result.right else f", not {result.message.expected.value}"
        text = f"{_MARKS[result.right]} {result.seconds:5.1f} s {result.intended.kind.value}{wrong}"
        console.print(f"{text}: {escape(result.message.text)}")
    _score("intent", {"right": [result.right for result in results]}, [result.seconds for result in results])
    _show_savings(savings(messages))


async def _components(app: App, lineups: Open, requests: tuple[sets.Request, ...]) -> None:
    async def write(text: str) -> Written:
        asked = Asked(text, "agentic_eval", new_session=True)
        turn = app.turns.begin(asked, _OWNER, await lineups(), app.server.service.storyteller.tell)
        *_, last = [AssistEvent.FromString(raw) async for raw in turn.log.read()]
        app.turns.left(turn)
        return _written(last)

    async def execute(code: str, texts: tuple[str, ...], numbers: tuple[float, ...]) -> Claim:
        return await run_with(code, texts, numbers, app.sandbox)

    results: list[Built] = []
    async for result in built(requests, write, execute):
        results.append(result)
        _show(result)
    scores = {
        "valid at first try": [result.written.valid and result.at_first_try for result in results],
        "valid after repair": [result.written.valid for result in results],
        "right at first try": [result.right and result.at_first_try for result in results],
        "right after repair": [result.right for result in results],
    }
    _score("components", scores, [result.seconds for result in results])
    attempts = [result.written.attempts for result in results if result.written.attempts]
    console.print(f"{sum(attempts)} attempts at {len(attempts)} components")


def _written(last: AssistEvent) -> Written:
    end = last.complete
    if last.WhichOneof("event") == "complete":
        return Written(
            end.component_code, end.validated, end.validation_error or "no component", end.validation_attempts
        )
    return Written("", valid=False, error=last.error.message or last.cancelled.message, attempts=0)


def _show(result: Built) -> None:
    state = "valid" if result.written.valid else f"not valid ({escape(result.written.error)})"
    console.print(f"{_MARKS[result.right]} {result.seconds:5.1f} s {state}: {escape(result.request.text)}")
    if not result.right:
        console.print(f"      gave {escape(result.result[:_LONGEST])}")
        console.print(escape(result.written.code), style="dim")


def _show_savings(saved: Savings) -> None:
    """What was decided without a call, by which rule, and what of it is wrong."""
    table = Table("rule", "right", title="decided without a model")
    for rule, marks in saved.by_rule.items():
        table.add_row(rule, f"{marks.right} of {marks.of}")
    console.print(table)
    console.print(f"{len(saved.decided)} of {saved.of} messages need no call: {saved.share:.1%} saved")
    console.print(f"precision {saved.precision:.1%}")
    for one in saved.decided:
        if not one.right:
            said = f"{one.intended.kind.value}, not {one.message.expected.value}"
            console.print(f"{_MARKS[False]} {said} ({one.intended.rule}): {escape(one.message.text)}")


def _score(name: str, scores: Mapping[str, list[bool]], seconds: list[float]) -> None:
    table = Table("score", "of all", title=name)
    for score, marks in scores.items():
        table.add_row(score, f"{sum(marks)} of {len(marks)}")
    table.add_row("seconds, median", f"{median(seconds):.1f}")
    console.print(table)
