"""The curated providers and models of this version, read from catalogue.toml."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from typing import Any

from flowassist.settings import SettingError

CHEAPER = "cheaper"
SMALL_BELOW = 7.0
"""Billions of parameters under which a model counts as weak."""

_BILLIONS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)
_OTHER_USE = re.compile(r"embed|rerank|guard|whisper|transcribe|moderation|\b(?:tts|ocr|sora)\b", re.IGNORECASE)


class Kind(Enum):
    """What a variable is to its provider."""

    KEY = "key"
    ADDRESS = "address"
    ACCOUNT = "account"
    MODEL = "model"
    OPTION = "option"


class Need(Enum):
    ALWAYS = "always"
    ONE_OF_SEVERAL = "one of several"
    NEVER = "never"


class Scheme(Enum):
    """How an address must begin: with http or https, with neither if one likes, with https."""

    ANY = "any"
    OPTIONAL = "optional"
    HTTPS = "https"


@dataclass(frozen=True, slots=True)
class Listing:
    """A model as clients see it."""

    name: str
    display_name: str

    @property
    def is_weak(self) -> bool:
        """Whether its name says that it is small, or made for something else than a conversation."""
        sizes = [float(size) for size in _BILLIONS.findall(self.name)]
        return bool(_OTHER_USE.search(self.name)) or bool(sizes and max(sizes) < SMALL_BELOW)


@dataclass(frozen=True, slots=True)
class Variable:
    """`also` are other names of it. `scheme` is for addresses."""

    name: str
    kind: Kind
    need: Need = Need.NEVER
    also: tuple[str, ...] = ()
    scheme: Scheme = Scheme.ANY

    @property
    def names(self) -> tuple[str, ...]:
        return self.name, *self.also

    @property
    def is_secret(self) -> bool:
        return self.kind is Kind.KEY


@dataclass(frozen=True, slots=True)
class Provider:
    """`live`: it may tell its own models. `classifier` is empty where none is curated.

    `package` is the vendor's SDK where it is an extra, which has the provider's id for its name.
    """

    id: str
    display_name: str
    models: tuple[Listing, ...] = ()
    variables: tuple[Variable, ...] = ()
    also_called: tuple[str, ...] = ()
    live: bool = False
    classifier: str = ""
    package: str = ""

    @property
    def default_model(self) -> str:
        """Empty for a provider whose models only its user knows."""
        return self.models[0].name if self.models else ""

    def only(self, kind: Kind) -> Variable | None:
        """Its first variable of this kind."""
        return next((variable for variable in self.variables if variable.kind is kind), None)

    @property
    def needs_key(self) -> bool:
        key = self.only(Kind.KEY)
        return key is not None and key.need is Need.ALWAYS

    def lists(self, model: str) -> bool:
        return any(listing.name == model for listing in self.models)

    def is_called(self, name: str) -> bool:
        """Whether `name` is its id, its display name or another name of it, in any case."""
        known = (self.id, self.display_name, *self.also_called)
        return name.casefold() in {own.casefold() for own in known}

    def reads(self, name: str) -> bool:
        """Whether a variable of this name means something to it."""
        return any(name in variable.names for variable in self.variables)


def _variable(name: str, entry: Mapping[str, Any]) -> Variable:
    need = Need(entry.get("needed", "never"))
    return Variable(name, Kind(entry["is"]), need, tuple(entry.get("also", ())), Scheme(entry.get("scheme", "any")))


def _provider(entry: Mapping[str, Any]) -> Provider:
    return Provider(
        entry["id"],
        entry["display_name"],
        tuple(Listing(*pair) for pair in entry.get("models", {}).items()),
        tuple(_variable(*pair) for pair in entry.get("variables", {}).items()),
        tuple(entry.get("also_called", ())),
        bool(entry.get("live")),
        entry.get("classifier", ""),
        entry.get("package", ""),
    )


_DATA = tomllib.loads(files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))

PROVIDERS: tuple[Provider, ...] = tuple(map(_provider, _DATA["provider"]))
"""All providers, the preferred one first."""


def named(name: str) -> Provider | None:
    """The provider that is called so."""
    return next((provider for provider in PROVIDERS if provider.is_called(name)), None)


def readers(name: str) -> tuple[str, ...]:
    """Ids of the providers that read the variable `name`."""
    return tuple(provider.id for provider in PROVIDERS if provider.reads(name))


def ordered(provider: Provider, live: Iterable[Listing]) -> tuple[Listing, ...]:
    """What a provider told, in the order in which it is tried: curated ones first, weak ones last.

    Display names are the curated ones where there are any.
    """
    told = {listing.name: listing for listing in live}
    curated = [listing for listing in provider.models if told.pop(listing.name, None)]
    return tuple(sorted([*curated, *told.values()], key=lambda listing: listing.is_weak))


def classifiers(setting: str) -> Mapping[str, str]:
    """Provider ids to models that classify, from "cheaper" or from id=model,id=model. Raises SettingError."""
    if setting.strip().lower() == CHEAPER:
        return {provider.id: provider.classifier for provider in PROVIDERS if provider.classifier}
    return _pairs(setting, "FLOWASSIST_INTENT_MODELS", f', or "{CHEAPER}"')


def repairers(setting: str) -> Mapping[str, str]:
    """Provider ids to models that repair components, from id=model,id=model. Raises SettingError."""
    return _pairs(setting, "FLOWASSIST_REPAIR_MODELS")


def _pairs(setting: str, name: str, besides: str = "") -> Mapping[str, str]:
    pairs = [pair.partition("=") for pair in setting.split(",") if setting.strip()]
    found = {_id(provider.strip(), name): model.strip() for provider, _, model in pairs}
    if len(found) < len(pairs) or not all(found.values()):
        raise SettingError(f"{name} must read provider=model,provider=model{besides}.")
    return found


def _id(provider: str, setting: str) -> str:
    found = named(provider)
    if found is None:
        raise SettingError(f"{setting} names {provider!r}, which is no provider.")
    return found.id
