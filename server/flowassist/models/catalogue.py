"""The curated providers and models of this version, read from catalogue.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Listing:
    """A model as clients see it."""

    name: str
    display_name: str


@dataclass(frozen=True, slots=True)
class Provider:
    """`key` and `base_url` are names of environment variables, empty for a provider that needs none."""

    id: str
    display_name: str
    models: tuple[Listing, ...]
    key: str = ""
    base_url: str = ""

    @property
    def default_model(self) -> str:
        return self.models[0].name

    def lists(self, model: str) -> bool:
        return any(listing.name == model for listing in self.models)

    def is_called(self, name: str) -> bool:
        """Whether `name` is this provider's id or display name, in any case."""
        return name.casefold() in {self.id.casefold(), self.display_name.casefold()}


def _provider(entry: Mapping[str, object]) -> Provider:
    models = entry["models"]
    assert isinstance(models, dict)  # noqa: S101
    listings = tuple(Listing(name, display_name) for name, display_name in models.items())
    texts = {name: str(entry.get(name, "")) for name in ("id", "display_name", "key", "base_url")}
    return Provider(models=listings, **texts)


_DATA = tomllib.loads(files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))

PROVIDERS: tuple[Provider, ...] = tuple(map(_provider, _DATA["provider"]))
"""All providers, the preferred one first."""
