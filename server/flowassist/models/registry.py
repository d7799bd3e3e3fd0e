"""Which providers this server can reach, and the way from a request's provider and model to a `Model`."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from flowassist.errors import Reason, Refused
from flowassist.models import catalogue
from flowassist.models.access import Access
from flowassist.models.catalogue import Listing, Provider
from flowassist.models.model import Model
from flowassist.models.providers import anthropic, openai
from flowassist.models.providers.endpoint import Endpoint, Patience
from flowassist.models.providers.wire import Wire
from flowassist.secret import Secret

MAX_ECHO = 100


@dataclass(frozen=True, slots=True)
class ProviderState:
    """A provider as CheckConfig tells it. `missing` says in words what keeps it from answering, or is empty."""

    id: str
    display_name: str
    configured: bool
    missing: str
    default_model: str
    models: tuple[Listing, ...]


class Opener(Protocol):
    """Opens the models of one provider."""

    def configured(self) -> str:
        """What is missing, in words; empty if it could answer now."""
        ...

    def open(self, model_name: str) -> Model: ...


WIRES: Mapping[str, Wire] = {
    "anthropic": Wire(anthropic.endpoint, anthropic.AnthropicModel, anthropic.BASE_URL),
    "openai": Wire(openai.endpoint, openai.OpenAIModel, openai.BASE_URL),
}


class Vendor:
    """Opens a vendor's models over one shared client, if its key is in the environment."""

    def __init__(self, provider: Provider, environment: Mapping[str, str], patience: Patience) -> None:
        self._provider = provider
        self._key = _variable(environment, provider.key)
        self._base_url = _variable(environment, provider.base_url)
        self._patience = patience
        self.endpoint: Endpoint[Any] | None = None if self.configured() else self._connected()

    def configured(self) -> str:
        if not self._key:
            return f"{self._provider.key} is not set"
        if not (self._key.isascii() and self._key.isprintable()):
            return f"{self._provider.key} holds characters that no key has"
        if self._base_url and not _is_http(self._base_url):
            return f"{self._provider.base_url} is no http or https URL"
        return ""

    def open(self, model_name: str) -> Model:
        assert self.endpoint is not None  # noqa: S101
        return WIRES[self._provider.id].model(self.endpoint, model_name)

    def _connected(self) -> Endpoint[Any]:
        wire = WIRES[self._provider.id]
        return wire.endpoint(Access("local", self._base_url or wire.base_url, Secret(self._key)), self._patience)


class Absent:
    """Stands where no embedded model was given."""

    def configured(self) -> str:
        return "the embedded model is switched off"

    def open(self, model_name: str) -> Model:  # noqa: ARG002
        raise Refused(Reason.PROVIDER_NOT_CONFIGURED, provider="embedded", available="")


class Providers:
    """Every provider of the catalogue, and whether it can answer now."""

    def __init__(
        self, environment: Mapping[str, str], embedded: Opener | None = None, patience: Patience | None = None
    ) -> None:
        own = [provider for provider in catalogue.PROVIDERS if provider.id in WIRES]
        self._vendors = {provider.id: Vendor(provider, environment, patience or Patience()) for provider in own}
        self._openers: dict[str, Opener] = {**self._vendors, "embedded": embedded or Absent()}

    def states(self) -> tuple[ProviderState, ...]:
        """All providers, the preferred one first."""
        return tuple(self._state(provider) for provider in catalogue.PROVIDERS)

    def default(self) -> tuple[str, str] | None:
        """Id and default model of the configured provider that is preferred most."""
        return next(((provider.id, provider.default_model) for provider in self._configured()), None)

    def open(self, provider: str | None = None, model: str | None = None) -> Model:
        """The model that a request names; what it leaves open is chosen by preference. Blank is left open too.

        Raises Refused: UNKNOWN_PROVIDER, KEY_MISSING, PROVIDER_NOT_CONFIGURED, NO_PROVIDER_CONFIGURED or
        MODEL_PROVIDER_MISSING.
        """
        model_name = (model or "").strip()
        chosen = self._named((provider or "").strip()) or self._listing(model_name)
        return self._openers[chosen.id].open(model_name or chosen.default_model)

    async def warm(self) -> None:
        """Load the SDKs of the configured vendors, in threads. It costs nothing to call this twice."""
        for vendor in self._vendors.values():
            if vendor.endpoint is not None:
                await vendor.endpoint.client()

    async def aclose(self) -> None:
        await asyncio.gather(*(vendor.endpoint.aclose() for vendor in self._vendors.values() if vendor.endpoint))

    def _state(self, provider: Provider) -> ProviderState:
        missing = self._openers[provider.id].configured()
        return ProviderState(
            provider.id, provider.display_name, not missing, missing, provider.default_model, provider.models
        )

    def _configured(self) -> Iterator[Provider]:
        return (provider for provider in catalogue.PROVIDERS if not self._openers[provider.id].configured())

    def _named(self, name: str) -> Provider | None:
        if not name:
            return None
        found = next((provider for provider in catalogue.PROVIDERS if provider.is_called(name)), None)
        if found is None:
            raise Refused(Reason.UNKNOWN_PROVIDER, field="provider", provider=name[:MAX_ECHO])
        if self._openers[found.id].configured():
            raise self._unready(found)
        return found

    def _unready(self, provider: Provider) -> Refused:
        if provider.key:
            return Refused(Reason.KEY_MISSING, provider=provider.id, variable=provider.key)
        available = ", ".join(other.id for other in self._configured())
        return Refused(Reason.PROVIDER_NOT_CONFIGURED, provider=provider.id, available=available)

    def _listing(self, model: str) -> Provider:
        """The preferred provider, or the one that lists `model`."""
        configured = list(self._configured())
        if not configured:
            raise Refused(Reason.NO_PROVIDER_CONFIGURED)
        found = next((provider for provider in configured if not model or provider.lists(model)), None)
        if found is None:
            raise Refused(Reason.MODEL_PROVIDER_MISSING, model_name=model[:MAX_ECHO])
        return found


def _variable(environment: Mapping[str, str], name: str) -> str:
    """Its value, or that of LANGFLOW_<name>; blank counts as unset."""
    return environment.get(name, "").strip() or environment.get(f"LANGFLOW_{name}", "").strip()


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
