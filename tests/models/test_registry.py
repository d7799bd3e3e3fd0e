import pytest

from flowassist.errors import Reason, Refused
from flowassist.models.model import Call, Hear, Model, Reply, Strength, nobody
from flowassist.models.registry import Providers
from tests.models.conftest import CALL
from tests.vendors import wires
from tests.vendors.script import Say, Script

OPENAI = {"OPENAI_API_KEY": "sk-1"}
ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-2"}
BOTH = OPENAI | ANTHROPIC


class Local:
    """A provider of its own kind, as the embedded model is one."""

    provider, name, strength = "embedded", "", Strength.WEAK

    def __init__(self, missing: str = "") -> None:
        self._missing = missing

    def configured(self) -> str:
        return self._missing

    def open(self, model_name: str) -> Model:
        self.name = model_name
        return self

    async def reply(self, call: Call, hear: Hear = nobody) -> Reply:
        raise NotImplementedError


def opened(environment: dict[str, str], *request: str | None, embedded: Local | None = None) -> tuple[str, str]:
    model = Providers(environment, embedded).open(*request)
    return model.provider, model.name


@pytest.mark.parametrize(
    ("environment", "embedded", "default"),
    [
        (BOTH, None, ("anthropic", "claude-opus-4-6")),
        (OPENAI, Local(), ("openai", "gpt-5.4")),
        ({}, Local(), ("embedded", "qwen2.5-coder-1.5b")),
        ({}, Local("no weights"), None),
        ({}, None, None),
        ({"OPENAI_API_KEY": "  "}, None, None),
        ({"LANGFLOW_OPENAI_API_KEY": "sk-3"}, None, ("openai", "gpt-5.4")),
        ({"OPENAI_API_KEY": " ", "LANGFLOW_OPENAI_API_KEY": "sk-3"}, None, ("openai", "gpt-5.4")),
    ],
)
def test_the_preferred_configured_provider_is_the_default(
    environment: dict[str, str], embedded: Local | None, default: tuple[str, str] | None
) -> None:
    assert Providers(environment, embedded).default() == default


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
def test_what_a_request_leaves_open_is_chosen(request_: tuple[str | None, ...], model: tuple[str, str]) -> None:
    assert opened(BOTH, *request_) == model


def test_the_embedded_model_is_opened_by_its_opener() -> None:
    local = Local()
    assert Providers(BOTH, local).open("Embedded", "") is local
    assert local.name == "qwen2.5-coder-1.5b"
    assert opened(BOTH, "embedded", "another", embedded=local) == ("embedded", "another")


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
            ANTHROPIC,
            (None, "gpt-4o"),
            Reason.MODEL_PROVIDER_MISSING,
            {"model_name": "gpt-4o"},
            "The selected model is missing a provider. Please reselect a model from the dropdown",
        ),
    ],
)
def test_refusals(
    environment: dict[str, str],
    request_: tuple[str | None, ...],
    reason: Reason,
    metadata: dict[str, str],
    text: str,
) -> None:
    with pytest.raises(Refused) as caught:
        opened(environment, *request_)
    assert (caught.value.reason, caught.value.metadata) == (reason, metadata)
    assert str(caught.value).startswith(text)


def test_a_refusal_does_not_repeat_a_novel() -> None:
    with pytest.raises(Refused) as caught:
        opened(BOTH, "x" * 100_000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        ({}, "OPENAI_API_KEY is not set"),
        (OPENAI, ""),
        (OPENAI | {"OPENAI_BASE_URL": "https://example.com/v1"}, ""),
        (OPENAI | {"OPENAI_BASE_URL": "example.com"}, "OPENAI_BASE_URL is no http or https URL"),
        (OPENAI | {"OPENAI_BASE_URL": "http://[bad"}, "OPENAI_BASE_URL is no http or https URL"),
        (OPENAI | {"OPENAI_BASE_URL": "http://host:99999"}, "OPENAI_BASE_URL is no http or https URL"),
        ({"OPENAI_API_KEY": "sk-é"}, "OPENAI_API_KEY holds characters that no key has"),
        ({"OPENAI_API_KEY": "sk-1\r\nx: y"}, "OPENAI_API_KEY holds characters that no key has"),
    ],
)
def test_states_say_what_is_missing(environment: dict[str, str], missing: str) -> None:
    state = Providers(environment, None).states()[1]
    assert (state.id, state.display_name, state.missing, state.configured) == ("openai", "OpenAI", missing, not missing)
    assert state.default_model == state.models[0].name == "gpt-5.4"


def test_the_embedded_model_tells_its_own_state() -> None:
    assert Providers({}, Local("no weights")).states()[2].missing == "no weights"
    assert Providers({}, Local()).states()[2].configured
    assert not Providers({}, None).states()[2].configured


def test_keys_do_not_show() -> None:
    assert "sk-1" not in repr(vars(Providers(OPENAI).open("openai")))


@pytest.mark.parametrize("name", sorted(wires.WIRES))
async def test_models_of_one_provider_share_its_connections(name: str) -> None:
    async with wires.vendor(name, Script(Say("one"), Say("two"))) as vendor:
        providers = Providers(vendor.environment)
        await providers.warm()
        await providers.open(name).reply(CALL)
        await providers.open(name, "another").reply(CALL)
        assert (vendor.connected, vendor.requests[1].body["model"]) == (1, "another")
        await providers.aclose()
        await vendor.requests[1].done.wait()
