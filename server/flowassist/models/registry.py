"""Which providers an owner has: from variables to what can be asked."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from flowassist.errors import Reason, Refused
from flowassist.models import catalogue, resolve
from flowassist.models.address import Reach
from flowassist.models.live import Lists
from flowassist.models.model import Model, ModelError
from flowassist.models.offer import Offer, Opener, Vendors
from flowassist.models.pool import Pool
from flowassist.models.providers import anthropic, azure, compatible, google, groq, openai
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.ollama import model as ollama
from flowassist.models.providers.watsonx import model as watsonx
from flowassist.models.providers.wire import Wire
from flowassist.models.resolve import Gap, Shelf, Way
from flowassist.secret import Secret

EMBEDDED = "embedded"
SERVER = "local"
"""The owner of what the server's environment alone configures."""

Stored = Callable[[str], Awaitable[Mapping[str, Secret | None]]]
"""An owner's own variables, None for what cannot be read. Raises Refused."""

WIRES: Mapping[str, Wire] = {
    "anthropic": anthropic.WIRE,
    "azure_openai": azure.WIRE,
    "google": google.WIRE,
    "groq": groq.WIRE,
    "ollama": ollama.WIRE,
    "openai": openai.WIRE,
    "openai_compatible": compatible.WIRE,
    "watsonx": watsonx.WIRE,
}


class Absent:
    """Stands where no embedded model was given."""

    def configured(self) -> str:
        return "the embedded model is switched off"

    def open(self, model_name: str) -> Model:  # noqa: ARG002
        raise Refused(Reason.PROVIDER_NOT_CONFIGURED, provider=EMBEDDED, available="")


async def nothing_stored(_owner: str) -> Mapping[str, Secret | None]:
    """For a server whose owners keep no variables."""
    return {}


class Providers:
    """Every provider of the catalogue, for every owner.

    `classifiers` are models that classify messages, by provider; with `private_addresses` owners may have addresses
    of their own that point into private networks.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        embedded: Opener | None = None,
        patience: Patience | None = None,
        *,
        stored: Stored = nothing_stored,
        classifiers: Mapping[str, str] | None = None,
        repairers: Mapping[str, str] | None = None,
        private_addresses: bool = True,
    ) -> None:
        self._environment, self._stored = environment, stored
        self._values = frozenset(map(Secret, environment.values()))
        pool, reach = Pool(WIRES, patience or Patience()), Reach(private_too=private_addresses)
        self._vendors = Vendors(pool, Lists(), reach, embedded or Absent(), classifiers or {}, repairers or {})

    async def of(self, owner: str) -> Offer:
        """What `owner` has now. Raises Refused: STORE_UNAVAILABLE, VARIABLE_KEYS_UNUSABLE."""
        own = await self._stored(owner)
        offer = await self._offer(Shelf(owner, own, self._environment))
        keys = (
            self._values
            | {value for value in own.values() if value}
            | {way.access.key for way in offer.ways if way.access}
        )
        self._vendors.pool.forget(owner, keys)
        await self._vendors.pool.sweep()
        return offer

    async def without_own(self, owner: str, problem: str = "") -> Offer:
        """What `owner` has by the server's environment alone; `problem` says why."""
        offer = await self._offer(Shelf(owner, {}, self._environment), problem)
        await self._vendors.pool.sweep()
        return offer

    async def warm(self) -> None:
        """Load the SDKs of what the environment configures, in threads. It costs nothing to call this twice."""
        for lease in (await self.without_own(SERVER)).leases():
            try:
                await lease.endpoint.client()
            except ModelError:
                continue  # its first call will say it

    async def aclose(self) -> None:
        self._vendors.reach.close()
        await self._vendors.lists.aclose()
        await self._vendors.pool.aclose()

    async def _offer(self, shelf: Shelf, problem: str = "") -> Offer:
        ways = [self._way(provider, shelf) for provider in catalogue.PROVIDERS]
        checked = await asyncio.gather(*(resolve.checked(way, self._vendors.reach, shelf.owner) for way in ways))
        return Offer(shelf, checked, self._vendors, problem)

    def _way(self, provider: catalogue.Provider, shelf: Shelf) -> Way:
        if provider.id != EMBEDDED:
            return resolve.resolved(provider, shelf)
        missing = self._vendors.embedded.configured()
        return Way(provider, gaps=(Gap(Reason.PROVIDER_NOT_CONFIGURED, missing),) if missing else ())
