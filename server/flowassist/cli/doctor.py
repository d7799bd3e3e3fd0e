"""What works on this machine, and what is missing; no key is shown."""

import asyncio
from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from flowassist.app import embedded_model, sandbox_of
from flowassist.models.embedded import weights
from flowassist.models.registry import Providers
from flowassist.sandbox.supervisor import SandboxUnavailable
from flowassist.settings import Settings
from flowassist.store.store import Store

_GOOD, _BAD = "[green]yes[/]", "[red]no[/]"


def run(settings: Settings, environment: Mapping[str, str]) -> int:
    """0: a component could be written and proven here."""
    table = Table("part", "works", "what was found", title="flowassist doctor")
    works = asyncio.run(_examine(table, settings, environment))
    Console(highlight=False).print(table)
    return 0 if works else 1


async def _examine(table: Table, settings: Settings, environment: Mapping[str, str]) -> bool:
    models = _models(table, settings, environment)
    sandbox = await _sandbox(table, settings)
    store = await _store(table, settings)
    return models and sandbox and store


def _row(table: Table, part: str, works: bool, found: str) -> bool:
    table.add_row(part, _GOOD if works else _BAD, escape(found))
    return works


def _models(table: Table, settings: Settings, environment: Mapping[str, str]) -> bool:
    providers = Providers(environment, embedded_model(settings))
    for state in providers.states():
        _row(table, f"provider {state.id}", state.configured, state.missing or f"default {state.default_model}")
    _row(table, "embedded weights", weights.present(), str(weights.path()))
    default = providers.default()
    return _row(table, "a model", default is not None, " ".join(default) if default else "no provider is configured")


async def _sandbox(table: Table, settings: Settings) -> bool:
    sandbox = sandbox_of(settings)
    try:
        await sandbox.start()
        return _row(table, "sandbox", works=True, found=(await sandbox.ready()).describe())
    except SandboxUnavailable as reason:
        return _row(table, "sandbox", works=False, found=str(reason))
    finally:
        await sandbox.close()


async def _store(table: Table, settings: Settings) -> bool:
    try:
        store = Store(settings.store_url)
        await store.open()
        await store.close()
    except Exception as error:  # noqa: BLE001 - the doctor reports whatever is wrong
        return _row(table, "store", works=False, found=f"{type(error).__name__}: {error}")
    return _row(table, "store", works=True, found=store.place)
