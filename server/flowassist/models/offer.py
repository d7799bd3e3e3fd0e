"""What one owner can ask: which providers, with which models, and the models of a turn."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from flowassist.errors import Reason, Refused
from flowassist.models import catalogue, resolve
from flowassist.models.address import Reach
from flowassist.models.catalogue import Listing, Provider
from flowassist.models.lineup import Lineup, Lineups
from flowassist.models.live import Lists, Told
from flowassist.models.model import Model
from flowassist.models.pool import Key, Lease, Pool
from flowassist.models.resolve import Found, Shelf, Way

MAX_ECHO = 100
SHORT_WAIT, LONG_WAIT = 2.0, 10.0
"""Seconds for a provider's own list: where there is a way without it, and where there is none."""


@dataclass(frozen=True, slots=True)
class ProviderState:
    """A provider as CheckConfig tells it. `missing` says in words what keeps it from answering, or is empty.

    `live`: `models` is what the provider told itself. `problem` says why it could not be asked.
    """

    id: str
    display_name: str
    configured: bool
    missing: str
    default_model: str
    models: tuple[Listing, ...]
    variables: tuple[Found, ...] = ()
    live: bool = False
    problem: str = ""


class Opener(Protocol):
    """Opens the models of one provider."""

    def configured(self) -> str:
        """What is missing, in words; empty if it could answer now."""
        ...

    def open(self, model_name: str) -> Model: ...


@dataclass(frozen=True, slots=True)
class Vendors:
    """What offers share. `classifiers` classify messages, `repairers` mend components: models by provider's id."""

    pool: Pool
    lists: Lists
    reach: Reach
    embedded: Opener
    classifiers: Mapping[str, str]
    repairers: Mapping[str, str]


class Offer:
    """One owner's providers, as they are now. For one request: it remembers what it heard."""

    def __init__(self, shelf: Shelf, ways: Sequence[Way], vendors: Vendors, problem: str = "") -> None:
        """`problem` says in words what of the owner's could not be read."""
        self.ways, self._shelf, self._vendors, self._problem = ways, shelf, vendors, problem
        self._told: dict[Key, Told] = {}

    async def states(self) -> tuple[ProviderState, ...]:
        """All providers, the preferred one first. Lists that do not come in time are left out."""
        return tuple(await asyncio.gather(*map(self._state, self.ways)))

    async def default(self) -> tuple[str, str] | None:
        """Id and model of what a request without provider and model gets; None if there is nothing."""
        for way in self._configured():
            if names := await self._names(way, "", SHORT_WAIT):
                return way.provider.id, names[0]
        return None

    async def lineups(
        self, provider: str | None = None, model: str | None = None, key_variable: str | None = None
    ) -> Lineups:
        """The models for a request; what it leaves open, or blank, is chosen by preference.

        Raises Refused: UNKNOWN_PROVIDER, KEY_MISSING, KEY_VARIABLE_UNRESOLVED, PROVIDER_INCOMPLETE,
        PROVIDER_NOT_CONFIGURED, NO_PROVIDER_CONFIGURED, MODEL_PROVIDER_MISSING or MODEL_NAME_MISSING.
        """
        name = (model or "").strip()
        way = self._named((provider or "").strip()) or await self._preferred(name)
        if key_variable and way.provider.variables:
            way = await self._with_key(way.provider, key_variable)
        if way.gaps:
            raise way.refusal(", ".join(other.provider.id for other in self._configured()))
        names = await self._names(way, name, LONG_WAIT)
        if not names:
            raise Refused(Reason.MODEL_NAME_MISSING, provider=way.provider.id)
        return self._lineups(way, names)

    def lease(self, way: Way) -> Lease:
        """The endpoint of a provider that is configured."""
        assert way.access is not None  # noqa: S101
        return self._vendors.pool.lease(way.provider.id, way.access)

    def leases(self) -> tuple[Lease, ...]:
        """The endpoints of all providers that are configured."""
        return tuple(self.lease(way) for way in self.ways if way.access)

    def _lineups(self, way: Way, names: Sequence[str]) -> Lineups:
        opened: Callable[[str], Model] = self.lease(way).model if way.access else self._vendors.embedded.open
        lined_up = partial(Lineup, way.provider.id, open_model=opened)
        main, classifier = lined_up(names), self._vendors.classifiers.get(way.provider.id)
        intent = main if classifier in {None, names[0]} else lined_up([str(classifier), *names])
        repairer = self._vendors.repairers.get(way.provider.id)
        return Lineups(main, intent, None if repairer in {None, names[0]} else lined_up([str(repairer)]))

    def _configured(self) -> tuple[Way, ...]:
        return tuple(way for way in self.ways if not way.gaps)

    def _named(self, name: str) -> Way | None:
        found = catalogue.named(name) if name else None
        if name and found is None:
            raise Refused(Reason.UNKNOWN_PROVIDER, field="provider", provider=name[:MAX_ECHO])
        return next((way for way in self.ways if way.provider is found), None)

    async def _preferred(self, model: str) -> Way:
        """The preferred provider that has a model, or the one that has `model`."""
        configured = self._configured()
        if not configured:
            raise Refused(Reason.NO_PROVIDER_CONFIGURED)
        found = await (self._that_has(configured, model) if model else self._that_has_any(configured))
        if found is None and model:
            raise Refused(Reason.MODEL_PROVIDER_MISSING, model_name=model[:MAX_ECHO])
        return found or configured[0]

    async def _that_has_any(self, ways: Sequence[Way]) -> Way | None:
        for way in ways:
            if await self._names(way, "", SHORT_WAIT):
                return way
        return None

    async def _that_has(self, ways: Sequence[Way], model: str) -> Way | None:
        """Curated models are known at once; providers' own lists are waited for together."""
        if found := next((way for way in ways if model == way.own_model or way.provider.lists(model)), None):
            return found
        heard = await asyncio.gather(*(self._heard(way, SHORT_WAIT) for way in ways))
        told = ((way, told.models or ()) for way, told in zip(ways, heard, strict=True))
        return next((way for way, models in told if any(listing.name == model for listing in models)), None)

    async def _with_key(self, provider: Provider, key_variable: str) -> Way:
        way = resolve.resolved(provider, self._shelf, key_variable)
        return await resolve.checked(way, self._vendors.reach, self._shelf.owner)

    async def _names(self, way: Way, model: str, seconds: float) -> Sequence[str]:
        """Of `model` or the default one, and of what may stand in for it; empty if none is known."""
        is_known = bool(model or way.own_model or way.provider.models)
        told = await self._heard(way, SHORT_WAIT if is_known else seconds, old_will_do=is_known)
        models = _models(way, told)
        every = [listing.name for listing in models]
        strong = [listing.name for listing in models if not listing.is_weak]
        return list(dict.fromkeys(filter(None, [model or way.own_model, *(strong or every)])))

    async def _state(self, way: Way) -> ProviderState:
        told = await self._heard(way, SHORT_WAIT)
        models = _models(way, told)
        return ProviderState(
            id=way.provider.id,
            display_name=way.provider.display_name,
            configured=not way.gaps,
            missing=way.missing,
            default_model=models[0].name if models else "",
            models=models,
            variables=way.found,
            live=bool(told.models),
            problem="; ".join(filter(None, (self._problem, told.problem))),
        )

    async def _heard(self, way: Way, seconds: float, *, old_will_do: bool = False) -> Told:
        """What the provider itself tells of its models, if it does."""
        if way.access is None or not way.provider.live:
            return Told()
        lease = self.lease(way)
        if lease.key not in self._told:
            self._told[lease.key] = await self._vendors.lists.told(lease, seconds, old_will_do=old_will_do)
        return self._told[lease.key]


def _models(way: Way, told: Told) -> tuple[Listing, ...]:
    """The default first: the owner's or the server's choice, then what the provider told or what is curated."""
    models = catalogue.ordered(way.provider, told.models) if told.models else way.provider.models
    own = next((listing for listing in models if listing.name == way.own_model), None)
    if way.own_model:
        own = own or Listing(way.own_model, way.own_model)
        return own, *(listing for listing in models if listing != own)
    return models
