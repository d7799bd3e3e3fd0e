"""What the registry needs to know of a vendor's module."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import Model
from flowassist.models.providers.connections.endpoint import Endpoint, Patience


async def no_list(_place: Endpoint[Any]) -> tuple[Listing, ...]:
    """For vendors whose models the catalogue knows."""
    return ()


@dataclass(frozen=True, slots=True)
class Wire:
    """How a vendor is spoken to. `base_url` is its own address, empty where only its user knows one.

    `listed` asks the vendor for its models, those that can chat, and raises ModelError; whoever calls it bounds its
    time. `asks` tells whether it needs a client for that.
    """

    endpoint: Callable[[Access, Patience], Endpoint[Any]]
    model: Callable[[Endpoint[Any], str], Model]
    base_url: str = ""
    listed: Callable[[Endpoint[Any]], Awaitable[tuple[Listing, ...]]] = no_list
    asks: Callable[[Endpoint[Any]], bool] = lambda _: True
