"""A model of each vendor in front of its scripted server, and a guard against blocking calls on the event loop."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from blockbuster import BlockBuster, blockbuster_ctx

from flowassist.models.model import Call, Message, Model
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.registry import Providers
from tests.vendors import wires
from tests.vendors.script import Answer, Script
from tests.vendors.server import Vendor

Stage = Callable[..., AbstractAsyncContextManager[tuple[Model, Vendor]]]

MODELS = {"ollama": "qwen3:8b", "openai_compatible": "qwen3-32b"}
"""Of those who have no default."""

CALL = Call("You answer briefly.", (Message("user", "What is Langflow?"),), max_tokens=100)


@pytest.fixture(autouse=True)
def blocking_calls() -> Iterator[BlockBuster]:
    with blockbuster_ctx("flowassist") as guard:
        yield guard


@pytest.fixture(params=sorted(wires.WIRES))
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def model_of(providers: Providers, provider: str, name: str = "") -> Model:
    """A provider's model, the default one without a name; the provider is not asked for its list."""
    offer = await providers.of("local")
    way = next(way for way in offer.ways if way.provider.id == provider)
    return offer.lease(way).model(name or way.provider.default_model or MODELS[provider])


@asynccontextmanager
async def staged(wire: str, *answers: Answer, patience: Patience | None = None) -> AsyncIterator[tuple[Model, Vendor]]:
    async with wires.vendor(wire, Script(*answers)) as vendor:
        providers = Providers(vendor.environment, patience=patience)
        try:
            yield await model_of(providers, wire), vendor
        finally:
            await providers.aclose()


@pytest.fixture
def stage(wire: str) -> Stage:
    """`stage(answers…)`: a model and its scripted vendor, once for each wire."""
    return lambda *answers, **settings: staged(wire, *answers, **settings)
