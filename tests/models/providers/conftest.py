"""Every provider in front of its scripted server, asked as the registry would have it asked."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.model import AS_IT_IS, Call, Hear, Model, Remedy, Reply, Spent, nobody, uncounted
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.wire import Wire
from flowassist.models.registry import WIRES
from flowassist.secret import Secret
from tests.vendors import responses, wires
from tests.vendors import server as scripted_server
from tests.vendors.script import Answer, Script

SERVERS: Mapping[str, Callable[[], scripted_server.Wire]] = {**wires.WIRES, "openai_responses": responses.ResponsesWire}
REMEDIES: Mapping[str, frozenset[Remedy]] = {"openai_responses": frozenset({Remedy.RESPONSES})}


@dataclass(frozen=True)
class Asked:
    """A model, and how this wire reaches it."""

    model: Model
    remedies: frozenset[Remedy]

    async def __call__(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        return await self.model.reply(call, hear, remedies=self.remedies | remedies, spent=spent)


Stage = Callable[..., AbstractAsyncContextManager[tuple[Asked, scripted_server.Vendor]]]


def spoken(name: str) -> Wire:
    """As the registry knows it."""
    return WIRES[name.removesuffix("_responses")]


@asynccontextmanager
async def reached(
    name: str, vendor: scripted_server.Vendor, patience: Patience | None = None, model: str = "a-model"
) -> AsyncIterator[Asked]:
    access = Access("someone", vendor.url, Secret(scripted_server.KEY), vendor.environment)
    place = spoken(name).endpoint(access, patience or Patience())
    try:
        yield Asked(spoken(name).model(place, model), REMEDIES.get(name, AS_IT_IS))
    finally:
        await place.aclose()


@asynccontextmanager
async def staged(name: str, *answers: Answer, **settings: Any) -> AsyncIterator[tuple[Asked, scripted_server.Vendor]]:
    async with (
        scripted_server.Vendor(SERVERS[name](), Script(*answers)) as vendor,
        reached(name, vendor, **settings) as ask,
    ):
        yield ask, vendor


@pytest.fixture(params=sorted(SERVERS))
def wire(request: pytest.FixtureRequest) -> str:
    """Name of a wire; of the provider, but for the second way to ask OpenAI."""
    return str(request.param)


@pytest.fixture
def stage(wire: str) -> Stage:
    """`stage(answers…)`: how to ask, and the scripted vendor, once for each wire."""
    return lambda *answers, **settings: staged(wire, *answers, **settings)
