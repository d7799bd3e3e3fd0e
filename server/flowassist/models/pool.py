"""The vendors' clients: one for each access, kept as long as somebody uses it, and a while longer."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from weakref import WeakSet

from flowassist.models.access import Access
from flowassist.models.catalogue import Listing
from flowassist.models.model import Model
from flowassist.models.providers.connections.endpoint import Endpoint, Patience
from flowassist.models.providers.wire import Wire
from flowassist.secret import Secret

Key = tuple[object, ...]
KEPT = 256
IDLE_SECONDS = 600.0


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Lease:
    """Whoever holds it keeps the endpoint open."""

    key: Key
    wire: Wire
    endpoint: Endpoint[Any]

    def model(self, name: str) -> Model:
        return self.wire.model(self.endpoint, name)

    async def listed(self) -> tuple[Listing, ...]:
        """The models that the vendor tells. Raises ModelError."""
        return await self.wire.listed(self.endpoint)


@dataclass(slots=True)
class _Kept:
    endpoint: Endpoint[Any]
    used_at: float = 0.0
    leases: WeakSet[Lease] = field(default_factory=WeakSet)


class Pool:
    """Keeps the `size` endpoints that were used last. One that is in use is closed when it is not any more."""

    def __init__(
        self,
        wires: Mapping[str, Wire],
        patience: Patience,
        size: int = KEPT,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._wires, self._patience, self._size, self._clock = wires, patience, size, clock
        self._kept: dict[Key, _Kept] = {}
        self._retired: list[_Kept] = []

    def lease(self, provider: str, access: Access) -> Lease:
        """The endpoint of this access, made if need be; that makes no connection yet."""
        wire = self._wires[provider]
        access = access if access.base_url else replace(access, base_url=wire.base_url)
        key = (provider, *access.identity)
        kept = self._kept.pop(key, None) or _Kept(wire.endpoint(access, self._patience))
        self._kept[key] = kept
        kept.used_at = self._clock()
        lease = Lease(key, wire, kept.endpoint)
        kept.leases.add(lease)
        return lease

    def forget(self, owner: str, keys: Collection[Secret]) -> None:
        """Give up what `owner` reached with other keys than `keys`, which are those of today."""
        for key, kept in list(self._kept.items()):
            access = kept.endpoint.access
            if access.owner == owner and access.key and access.key not in keys:
                self._retired.append(self._kept.pop(key))

    async def sweep(self) -> None:
        """Close what is given up, what is too many and what was idle for too long; nothing that is in use."""
        for key in self._surplus():
            self._retired.append(self._kept.pop(key))
        unused = [kept for kept in self._retired if not kept.leases]
        self._retired = [kept for kept in self._retired if kept.leases]
        await asyncio.gather(*(kept.endpoint.aclose() for kept in unused), return_exceptions=True)

    async def aclose(self) -> None:
        """Close all of them."""
        everything = [*self._kept.values(), *self._retired]
        self._kept, self._retired = {}, []
        await asyncio.gather(*(kept.endpoint.aclose() for kept in everything), return_exceptions=True)

    def __len__(self) -> int:
        return len(self._kept) + len(self._retired)

    def _surplus(self) -> Iterable[Key]:
        oldest = list(self._kept)[: max(0, len(self._kept) - self._size)]
        now = self._clock()
        idle = [key for key, kept in self._kept.items() if not kept.leases and now - kept.used_at > IDLE_SECONDS]
        return dict.fromkeys([*oldest, *idle])
