"""What works on this machine, and what is missing; no key is shown."""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from flowassist.app import SHARE_KEYS, embedded_model, providers_of, sandbox_of
from flowassist.components.library import Library
from flowassist.errors import Refused
from flowassist.models.catalogue import Need
from flowassist.models.embedded import weights
from flowassist.models.model import ModelError
from flowassist.models.offer import Offer, ProviderState
from flowassist.models.registry import Providers
from flowassist.models.resolve import Found, Source
from flowassist.rpc.owner import LOCAL
from flowassist.sandbox.supervisor import SandboxUnavailable
from flowassist.settings import Settings
from flowassist.store.store import Store
from flowassist.store.vault import vault_of

ORDER = (
    "A variable is looked for among the caller's own (`flowassist variables`), then in the server's environment: by "
    "its name, by LANGFLOW_ and its name, then likewise by its other names. Blank is unset. A key of the environment "
    "is never used with an address or account that a caller set; a caller's key may be used with the server's address."
)
_GOOD, _BAD = "[green]yes[/]", "[red]no[/]"


def run(settings: Settings, environment: Mapping[str, str]) -> int:
    """0: a component could be written and proven here."""
    report = Report()
    works = asyncio.run(_examine(report, settings, environment))
    console = Console(highlight=False)
    for part in (report.parts, report.variables, ORDER):
        console.print(part)
    return 0 if works else 1


@dataclass(frozen=True, slots=True)
class Report:
    parts: Table = field(default_factory=lambda: Table("part", "works", "what was found", title="flowassist doctor"))
    variables: Table = field(default_factory=lambda: Table("provider", "variable", "where it was found"))


async def _examine(report: Report, settings: Settings, environment: Mapping[str, str]) -> bool:
    store = await _store(report.parts, settings)
    models = await _models(report, settings, environment, store)
    sandbox = await _sandbox(report.parts, settings)
    await _library(report.parts)
    if store:
        await store.close()
    return models and sandbox and store is not None


def _row(table: Table, part: str, works: bool, found: str) -> bool:
    table.add_row(part, _GOOD if works else _BAD, escape(found))
    return works


async def _models(report: Report, settings: Settings, environment: Mapping[str, str], store: Store | None) -> bool:
    async with aclosing(providers_of(settings, environment, embedded_model(settings), store)) as providers:
        offer = await _offer(providers, settings)
        broken = await _broken(offer)
        for state in await offer.states():
            works, found = state.configured and state.id not in broken, broken.get(state.id, "") or _found(state)
            _row(report.parts, f"provider {state.id}", works, found)
            for variable in state.variables:
                report.variables.add_row(state.id, variable.variable.name, _where(variable))
        default = await offer.default()
    _row(report.parts, "embedded weights", weights.present(), str(weights.path()))
    found = " ".join(default) if default else "no provider is configured, or none of them has a model"
    return _row(report.parts, "a model", default is not None and default[0] not in broken, found)


async def _broken(offer: Offer) -> dict[str, str]:
    """Providers whose clients cannot be built, and why."""
    found: dict[str, str] = {}
    for way in offer.ways:
        if way.access:
            try:
                await offer.lease(way).endpoint.client()
            except ModelError as error:
                found[way.provider.id] = str(error)
    return found


async def _offer(providers: Providers, settings: Settings) -> Offer:
    """Of the only owner where there are no tokens; where there are, what every owner has."""
    if settings.owners:
        return await providers.without_own(LOCAL)
    try:
        return await providers.of(LOCAL)
    except Refused as refused:
        return await providers.without_own(LOCAL, f"owners' variables were not read: {refused}")


def _found(state: ProviderState) -> str:
    default = f"default {state.default_model}" if state.default_model else "no default model"
    own_list = f"its own list tells {len(state.models)} models" if state.live else ""
    return "; ".join(filter(None, (state.missing or default, own_list, state.problem)))


def _where(found: Found) -> str:
    match found.source:
        case Source.OWNER:
            return f"own {found.name}"
        case Source.UNREADABLE:
            return f"own {found.name}, which cannot be read"
        case Source.ENVIRONMENT:
            return f"environment {found.name}"
    return "unset, and needed" if found.variable.need is Need.ALWAYS else "unset"


async def _sandbox(table: Table, settings: Settings) -> bool:
    sandbox = sandbox_of(settings)
    try:
        await sandbox.start()
        found = f"{(await sandbox.ready()).describe()}; {_places(settings)}"
        return _row(table, "sandbox", works=True, found=found)
    except SandboxUnavailable as reason:
        return _row(table, "sandbox", works=False, found=str(reason))
    finally:
        await sandbox.close()


async def _library(table: Table) -> None:
    index = await Library().index()
    found = index.problem or f"{len(index.types)} of lfx {index.version}"
    _row(table, "component types", works=not index.problem, found=found)


def _places(settings: Settings) -> str:
    """How many components are run at once, and how many may wait."""
    return f"{settings.sandbox_children} at once, {settings.sandbox_queue} may wait"


async def _store(table: Table, settings: Settings) -> Store | None:
    """The store, open; None if it does not work."""
    try:
        store = Store(settings.store_url, vault_of(settings))
        await store.open()
        unreadable = await store.unreadable()
    except Exception as error:  # noqa: BLE001 - the doctor reports whatever is wrong
        _row(table, "store", works=False, found=f"{type(error).__name__}: {error}")
        return None
    _row(table, "store", works=True, found=store.place)
    _row(table, "variables", not unreadable, _keys(store, settings, unreadable))
    return store


def _keys(store: Store, settings: Settings, unreadable: int) -> str:
    lost = f"{unreadable} encrypted with a key that is missing; " if unreadable else ""
    share = f". {SHARE_KEYS}" if settings.replicas_must_share_keys else ""
    return f"{lost}keys in {store.vault.keys.place}{share}"
