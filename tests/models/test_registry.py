"""What an owner can ask, by the variables that there are."""

from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import pytest

from flowassist.errors import Reason, Refused
from flowassist.models.lineup import Lineup
from flowassist.models.live import NOT_HAD
from flowassist.models.model import (
    AS_IT_IS,
    Call,
    Hear,
    Lessons,
    Model,
    Remedy,
    Reply,
    Spent,
    Strength,
    nobody,
    uncounted,
)
from flowassist.models.registry import Providers
from flowassist.secret import Secret
from tests.models.conftest import CALL, model_of
from tests.vendors import compatible, ollama, openai, wires
from tests.vendors.script import Say, Script
from tests.vendors.server import Vendor

OPENAI = {"OPENAI_API_KEY": "sk-1"}
ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-2"}
BOTH = OPENAI | ANTHROPIC
AZURE = {"AZURE_OPENAI_API_KEY": "sk-3", "AZURE_OPENAI_ENDPOINT": "https://a.example"}


class Local:
    """A provider of its own kind, as the embedded model is one."""

    provider, name, strength = "embedded", "", Strength.WEAK

    def __init__(self, missing: str = "") -> None:
        self._missing = missing
        self.lessons = Lessons()

    def configured(self) -> str:
        return self._missing

    def open(self, model_name: str) -> Model:
        self.name = model_name
        return self

    async def ready(self) -> None: ...

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        raise NotImplementedError


async def lined_up(environment: Mapping[str, str], *request: str | None, embedded: Local | None = None) -> Lineup:
    async with aclosing(Providers(environment, embedded)) as providers:
        return (await (await providers.of("ann")).lineups(*request)).main


def names_of(lineup: Lineup) -> list[str]:
    while lineup.move_on():
        pass
    return lineup.tried


@pytest.mark.parametrize(
    ("environment", "embedded", "default"),
    [
        (BOTH, None, ("anthropic", "claude-opus-4-6")),
        (OPENAI, Local(), ("openai", "gpt-5.4")),
        (AZURE | {"GROQ_API_KEY": "k"}, None, ("groq", "openai/gpt-oss-120b")),
        (AZURE | {"GROQ_API_KEY": "k", "GEMINI_API_KEY": "k"}, None, ("google", "gemini-2.5-pro")),
        (AZURE, Local(), ("azure_openai", "gpt-5.4")),
        (AZURE | {"AZURE_OPENAI_DEPLOYMENT": "mine"}, None, ("azure_openai", "mine")),
        ({}, Local(), ("embedded", "qwen2.5-coder-1.5b")),
        ({}, Local("no weights"), None),
        ({}, None, None),
        ({"OPENAI_API_KEY": "  "}, None, None),
        ({"LANGFLOW_OPENAI_API_KEY": "sk-3"}, None, ("openai", "gpt-5.4")),
    ],
)
async def test_the_preferred_configured_provider_is_the_default(
    environment: dict[str, str], embedded: Local | None, default: tuple[str, str] | None
) -> None:
    assert await (await Providers(environment, embedded).of("ann")).default() == default


@pytest.mark.parametrize(
    ("request_", "model"),
    [
        ((), ("anthropic", "claude-opus-4-6")),
        ((None, None), ("anthropic", "claude-opus-4-6")),
        (("", " "), ("anthropic", "claude-opus-4-6")),
        (("openai",), ("openai", "gpt-5.4")),
        (("OpenAI", ""), ("openai", "gpt-5.4")),
        ((" ANTHROPIC ", None), ("anthropic", "claude-opus-4-6")),
        (("openai", "gpt-4o"), ("openai", "gpt-4o")),
        (("openai", "my-own-model"), ("openai", "my-own-model")),
        (("openai", "claude-opus-4-6"), ("openai", "claude-opus-4-6")),
        ((None, "gpt-4o"), ("openai", "gpt-4o")),
        ((None, "claude-sonnet-4-6"), ("anthropic", "claude-sonnet-4-6")),
    ],
)
async def test_what_a_request_leaves_open_is_chosen(request_: tuple[str | None, ...], model: tuple[str, str]) -> None:
    lineup = await lined_up(BOTH, *request_)
    assert (lineup.model.provider, lineup.model.name) == model


async def test_a_lineup_is_what_was_named_and_then_what_is_curated() -> None:
    assert names_of(await lined_up({"GROQ_API_KEY": "k"}, "Groq", "my-own")) == [
        "my-own",
        "openai/gpt-oss-120b",
        "llama-3.3-70b-versatile",
        "openai/gpt-oss-20b",
    ]
    assert names_of(await lined_up({"GROQ_API_KEY": "k"}, None, "llama-3.3-70b-versatile")) == [
        "llama-3.3-70b-versatile",
        "openai/gpt-oss-120b",
        "openai/gpt-oss-20b",
    ]


async def test_the_embedded_model_is_opened_by_its_opener() -> None:
    local = Local()
    assert (await lined_up(BOTH, "Embedded", "", embedded=local)).model is local
    assert local.name == "qwen2.5-coder-1.5b"
    assert names_of(await lined_up(BOTH, "embedded", "another", embedded=local)) == [
        "another",
        "qwen2.5-coder-1.5b",
    ]


async def test_another_model_classifies_where_one_is_set() -> None:
    providers = Providers(BOTH, classifiers={"openai": "gpt-5-mini"})
    offer = await providers.of("ann")
    with_one, without = await offer.lineups("openai"), await offer.lineups("anthropic")
    assert names_of(with_one.intent)[:3] == ["gpt-5-mini", "gpt-5.4", "gpt-5.2"]
    assert names_of(with_one.main)[:2] == ["gpt-5.4", "gpt-5.2"]
    assert without.intent is without.main
    the_same = await offer.lineups("openai", "gpt-5-mini")
    assert the_same.intent is the_same.main


async def test_another_model_repairs_where_one_is_set() -> None:
    offer = await Providers(BOTH, repairers={"openai": "gpt-5.2"}).of("ann")
    with_one = (await offer.lineups("openai")).repair
    assert with_one
    assert names_of(with_one) == ["gpt-5.2"]
    assert (await offer.lineups("openai", "gpt-5.2")).repair is None
    assert (await offer.lineups("anthropic")).repair is None


@pytest.mark.parametrize(
    ("environment", "request_", "reason", "metadata", "text"),
    [
        ({}, (), Reason.NO_PROVIDER_CONFIGURED, {}, "No model provider is configured."),
        ({}, (None, "gpt-4o"), Reason.NO_PROVIDER_CONFIGURED, {}, "No model provider is configured."),
        (
            BOTH,
            ("opneai",),
            Reason.UNKNOWN_PROVIDER,
            {"field": "provider", "provider": "opneai"},
            "Unknown provider: opneai",
        ),
        (
            ANTHROPIC,
            ("OpenAI", "gpt-4o"),
            Reason.KEY_MISSING,
            {"provider": "openai", "variable": "OPENAI_API_KEY"},
            "OPENAI_API_KEY is required for the Langflow Assistant with openai. ",
        ),
        (
            BOTH,
            ("embedded",),
            Reason.PROVIDER_NOT_CONFIGURED,
            {"provider": "embedded", "available": "anthropic, openai"},
            "Provider 'embedded' is not configured. Available providers: [anthropic, openai]",
        ),
        (
            OPENAI,
            ("Ollama", "llama3"),
            Reason.PROVIDER_NOT_CONFIGURED,
            {"provider": "ollama", "available": "openai"},
            "Provider 'ollama' is not configured.",
        ),
        (
            {"WATSONX_APIKEY": "k"},
            ("IBM WatsonX",),
            Reason.PROVIDER_INCOMPLETE,
            {
                "provider": "watsonx",
                "missing": "WATSONX_URL is not set; WATSONX_PROJECT_ID or WATSONX_SPACE_ID is not set",
            },
            "Provider 'watsonx' is not completely configured: WATSONX_URL is not set; ",
        ),
        (
            OPENAI,
            ("openai", None, "MY_KEY"),
            Reason.KEY_VARIABLE_UNRESOLVED,
            {"provider": "openai", "variable": "MY_KEY", "canonical": "OPENAI_API_KEY"},
            "Configure 'MY_KEY' (or the canonical 'OPENAI_API_KEY') for the Langflow Assistant with openai.",
        ),
        (
            ANTHROPIC,
            (None, "gpt-4o"),
            Reason.MODEL_PROVIDER_MISSING,
            {"model_name": "gpt-4o"},
            "The selected model is missing a provider. Please reselect a model from the dropdown",
        ),
    ],
)
async def test_refusals(
    environment: dict[str, str],
    request_: tuple[str | None, ...],
    reason: Reason,
    metadata: dict[str, str],
    text: str,
) -> None:
    with pytest.raises(Refused) as caught:
        await lined_up(environment, *request_)
    assert (caught.value.reason, caught.value.metadata) == (reason, metadata)
    assert str(caught.value).startswith(text)


async def test_a_refusal_does_not_repeat_a_novel() -> None:
    with pytest.raises(Refused) as caught:
        await lined_up(BOTH, "x" * 100_000)
    assert len(str(caught.value)) < 200


async def test_states() -> None:
    states = {state.id: state for state in await (await Providers(OPENAI).of("ann")).states()}
    openai_, groq = states["openai"], states["groq"]
    assert (openai_.display_name, openai_.configured, openai_.missing) == ("OpenAI", True, "")
    assert openai_.default_model == openai_.models[0].name == "gpt-5.4"
    assert not openai_.live
    assert (groq.configured, groq.missing) == (False, "GROQ_API_KEY is not set")
    assert not states["embedded"].configured
    assert all(state.problem == "" for state in states.values())


async def test_the_embedded_model_tells_its_own_state() -> None:
    missing = (await (await Providers({}, Local("no weights")).of("ann")).states())[-1]
    assert (missing.configured, missing.missing) == (False, "no weights")
    assert (await (await Providers({}, Local()).of("ann")).states())[-1].configured


async def test_every_owner_has_its_own() -> None:
    own = {"ann": {"GROQ_API_KEY": Secret("sk-ann")}, "bob": {"MY_KEY": Secret("sk-bob")}}

    async def stored(owner: str) -> Mapping[str, Secret]:
        return own[owner]

    providers = Providers(OPENAI, stored=stored)
    ann, bob = await providers.of("ann"), await providers.of("bob")
    assert await ann.default() == ("openai", "gpt-5.4")
    assert (await ann.lineups("groq")).main.provider == "groq"
    with pytest.raises(Refused):
        await bob.lineups("groq")
    assert (await bob.lineups("groq", None, "MY_KEY")).main.provider == "groq"
    assert "sk-" not in repr([ann.ways, bob.ways])


async def test_what_cannot_be_read_is_left_out_and_told() -> None:
    states = await (await Providers(OPENAI).without_own("ann", "the store is away")).states()
    assert {state.problem for state in states} == {"the store is away"}
    assert [state.id for state in states if state.configured] == ["openai"]


@pytest.mark.parametrize("name", sorted(wires.WIRES))
async def test_models_of_one_provider_share_its_connections(name: str) -> None:
    async with wires.vendor(name, Script(Say("one"), Say("two"))) as vendor:
        providers = Providers(vendor.environment)
        await providers.warm()
        await (await model_of(providers, name)).reply(CALL)
        await (await model_of(providers, name, "a-model")).reply(CALL)
        assert len(vendor.requests) == 2
        assert vendor.connected == 1
        await providers.aclose()
        await vendor.requests[1].done.wait()


async def told(vendor: Vendor, **more: str) -> tuple[Any, Any]:
    """State of the vendor's provider and the server's default, over its real list."""
    async with aclosing(Providers({**vendor.environment, **more})) as providers:
        offer = await providers.of("ann")
        state = next(state for state in await offer.states() if state.configured)
        return state, await offer.default()


async def test_ollama_alone_has_what_it_lists() -> None:
    async with ollama.scripted() as vendor:
        state, default = await told(vendor)
    assert (state.id, state.live, state.problem) == ("ollama", True, "")
    assert state.default_model == state.models[0].name == "a-model"
    assert default == ("ollama", "a-model")


async def test_a_compatible_endpoint_alone_has_what_it_lists() -> None:
    async with compatible.scripted() as vendor:
        state, default = await told(vendor)
        chosen, chosen_default = await told(vendor, OPENAI_COMPATIBLE_MODEL="llama-3.3-70b")
    assert [listing.name for listing in state.models] == ["qwen3-32b", "llama-3.3-70b"]
    assert (state.live, default) == (True, ("openai_compatible", "qwen3-32b"))
    assert [listing.name for listing in chosen.models] == ["llama-3.3-70b", "qwen3-32b"]
    assert (chosen.default_model, chosen_default) == ("llama-3.3-70b", ("openai_compatible", "llama-3.3-70b"))


async def test_the_list_of_a_gateway_stands_in_for_the_curated_one() -> None:
    wire = openai.OpenAIWire()
    wire.models = ("gpt-5", "company-model", "gpt-5.4", "tiny-1b")
    async with Vendor(wire, Script()) as vendor:
        state, default = await told(vendor)
    assert [listing.name for listing in state.models] == ["gpt-5.4", "gpt-5", "company-model", "tiny-1b"]
    assert (state.live, default) == (True, ("openai", "gpt-5.4"))


async def test_a_gateway_without_a_list_has_the_curated_models() -> None:
    async with Vendor(openai.OpenAIWire(), Script()) as vendor:
        state, default = await told(vendor)
    assert (state.live, state.default_model, default) == (False, "gpt-5.4", ("openai", "gpt-5.4"))


async def test_a_weak_model_stands_in_only_where_there_is_no_other() -> None:
    wire = compatible.CompatibleWire()
    async with Vendor(wire, Script()) as vendor:
        for models, lineup in ((("tiny-1b", "big"), ["big"]), (("tiny-1b", "tiny-3b"), ["tiny-1b", "tiny-3b"])):
            wire.models = models
            assert names_of(await lined_up(vendor.environment, "openai_compatible")) == lineup


async def test_a_dead_endpoint_is_configured_and_says_its_problem() -> None:
    async with compatible.scripted() as vendor:
        environment = vendor.environment
    async with aclosing(Providers(environment, Local())) as providers:
        offer = await providers.of("ann")
        state = next(state for state in await offer.states() if state.id == "openai_compatible")
        assert (state.configured, state.default_model, state.models) == (True, "", ())
        assert state.problem == f"{NOT_HAD}: the address cannot be reached"
        assert await offer.default() == ("embedded", "qwen2.5-coder-1.5b")
        with pytest.raises(Refused) as caught:
            await (await providers.of("ann")).lineups("openai_compatible")
        assert caught.value.reason is Reason.MODEL_NAME_MISSING
        assert names_of((await (await providers.of("ann")).lineups("openai_compatible", "mine")).main) == ["mine"]


async def test_a_model_that_only_a_list_knows_names_its_provider() -> None:
    async with compatible.scripted() as vendor:
        lineup = await lined_up({**BOTH, **vendor.environment}, None, "llama-3.3-70b")
        assert (lineup.provider, names_of(lineup)) == ("openai_compatible", ["llama-3.3-70b", "qwen3-32b"])
