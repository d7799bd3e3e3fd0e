import pytest

from flowassist.models import catalogue
from flowassist.models.catalogue import PROVIDERS, Kind, Listing, Need
from flowassist.models.registry import EMBEDDED, WIRES
from flowassist.settings import SettingError

IDS = ["anthropic", "openai", "google", "groq", "azure_openai", "watsonx", "ollama", "openai_compatible", "embedded"]


def test_the_preferred_provider_stands_first_and_the_embedded_one_last() -> None:
    assert [provider.id for provider in PROVIDERS] == IDS


def test_every_provider_has_its_wire() -> None:
    assert {*WIRES, EMBEDDED} == set(IDS)


def test_defaults() -> None:
    assert {provider.id: provider.default_model for provider in PROVIDERS} == {
        "anthropic": "claude-opus-4-6",
        "openai": "gpt-5.4",
        "google": "gemini-2.5-pro",
        "groq": "openai/gpt-oss-120b",
        "azure_openai": "gpt-5.4",
        "watsonx": "mistral-large-2512",
        "ollama": "",
        "openai_compatible": "",
        "embedded": "qwen2.5-coder-1.5b",
    }


def test_only_the_embedded_default_is_weak() -> None:
    weak = [provider.id for provider in PROVIDERS if provider.models and provider.models[0].is_weak]
    assert weak == ["embedded"]


def test_every_vendor_names_its_variables() -> None:
    named = {
        provider.id: {
            kind.value: [name for variable in provider.variables if variable.kind is kind for name in variable.names]
            for kind in (Kind.KEY, Kind.ADDRESS)
        }
        for provider in PROVIDERS
    }
    assert named == {
        "anthropic": {"key": ["ANTHROPIC_API_KEY"], "address": ["ANTHROPIC_BASE_URL"]},
        "openai": {"key": ["OPENAI_API_KEY"], "address": ["OPENAI_BASE_URL", "OPENAI_API_BASE"]},
        "google": {"key": ["GOOGLE_API_KEY", "GEMINI_API_KEY"], "address": ["GOOGLE_BASE_URL"]},
        "groq": {"key": ["GROQ_API_KEY"], "address": ["GROQ_BASE_URL"]},
        "azure_openai": {"key": ["AZURE_OPENAI_API_KEY"], "address": ["AZURE_OPENAI_ENDPOINT"]},
        "watsonx": {"key": ["WATSONX_APIKEY", "WATSONX_API_KEY"], "address": ["WATSONX_URL", "WATSONX_AUTH_URL"]},
        "ollama": {"key": ["OLLAMA_API_KEY"], "address": ["OLLAMA_BASE_URL", "OLLAMA_HOST"]},
        "openai_compatible": {"key": ["OPENAI_COMPATIBLE_API_KEY"], "address": ["OPENAI_COMPATIBLE_BASE_URL"]},
        "embedded": {"key": [], "address": []},
    }


def test_what_is_needed() -> None:
    needed = {
        variable.name for provider in PROVIDERS for variable in provider.variables if variable.need is Need.ALWAYS
    }
    assert needed == {
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "GOOGLE_API_KEY",
        "GROQ_API_KEY",
        "AZURE_OPENAI_API_KEY",
        "AZURE_OPENAI_ENDPOINT",
        "WATSONX_APIKEY",
        "WATSONX_URL",
        "OLLAMA_BASE_URL",
        "OPENAI_COMPATIBLE_BASE_URL",
    }
    assert {provider.id for provider in PROVIDERS if not provider.needs_key} == {
        "ollama",
        "openai_compatible",
        "embedded",
    }


def test_no_provider_lists_a_model_twice() -> None:
    for provider in PROVIDERS:
        assert len({listing.name for listing in provider.models}) == len(provider.models)
        assert len({listing.display_name for listing in provider.models}) == len(provider.models)


def test_a_curated_classifier_is_no_default() -> None:
    assert all(provider.classifier != provider.default_model for provider in PROVIDERS if provider.classifier)


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("openai", "openai"),
        ("OPENAI", "openai"),
        ("Google Generative AI", "google"),
        ("google generative ai", "google"),
        ("Groq", "groq"),
        ("Azure OpenAI", "azure_openai"),
        ("azure-openai", "azure_openai"),
        ("IBM WatsonX", "watsonx"),
        ("IBM watsonx.ai", "watsonx"),
        ("Ollama", "ollama"),
        ("OpenAI Compatible", "openai_compatible"),
        ("openai-compatible", "openai_compatible"),
        ("Embedded", "embedded"),
    ],
)
def test_providers_are_found_by_every_name_of_theirs(name: str, id_: str) -> None:
    found = catalogue.named(name)
    assert found is not None
    assert found.id == id_


def test_no_name_means_two_providers() -> None:
    names = [
        name.casefold()
        for provider in PROVIDERS
        for name in {own.casefold() for own in (provider.id, provider.display_name, *provider.also_called)}
    ]
    assert len(set(names)) == len(names)
    assert catalogue.named("open ai") is None


def test_who_reads_a_variable() -> None:
    assert catalogue.readers("OPENAI_API_KEY") == ("openai",)
    assert catalogue.readers("GEMINI_API_KEY") == ("google",)
    assert catalogue.readers("MY_KEY") == ()


@pytest.mark.parametrize(
    ("name", "weak"),
    [
        ("llama3.2:1b", True),
        ("qwen2.5-coder:1.5b-instruct", True),
        ("qwen2.5-0.5b", True),
        ("gemma3:4b", True),
        ("qwen3:8b", False),
        ("llama-3.3-70b", False),
        ("mixtral-8x7b", False),
        ("llama-4-maverick-17b-128e-instruct-fp8", False),
        ("qwen3:30b-a3b", False),
        ("gpt-oss:20b", False),
        ("mistral", False),
        ("ibm/granite-guardian-3-8b", True),
        ("nomic-embed-text", True),
        ("whisper-1", True),
    ],
)
def test_weak_models_are_known_by_name(name: str, weak: bool) -> None:
    assert Listing(name, name).is_weak == weak


def test_a_live_list_is_tried_curated_first_and_weak_last() -> None:
    watsonx = PROVIDERS[5]
    told = ("ibm/granite-3-2b", "new/model-90b", "openai/gpt-oss-120b", "mistral-large-2512", "new/model-90b")
    ordered = catalogue.ordered(watsonx, [Listing(name, "?") for name in told])
    assert [(listing.name, listing.display_name) for listing in ordered] == [
        ("mistral-large-2512", "Mistral Large 3"),
        ("openai/gpt-oss-120b", "GPT-OSS 120B"),
        ("new/model-90b", "?"),
        ("ibm/granite-3-2b", "?"),
    ]


def test_classifiers() -> None:
    assert catalogue.classifiers("") == {}
    assert catalogue.classifiers("openai=gpt-5-mini, Google Generative AI = g") == {
        "openai": "gpt-5-mini",
        "google": "g",
    }
    assert catalogue.classifiers("cheaper") == {
        "anthropic": "claude-haiku-5-5",
        "openai": "gpt-5-mini",
        "google": "gemini-2.5-flash",
        "groq": "openai/gpt-oss-20b",
        "watsonx": "ibm/granite-4-h-small",
    }


@pytest.mark.parametrize("setting", ["openai", "openai=", "=x", "opneai=x", "openai=a,openai=b", ","])
def test_classifiers_that_cannot_be_read(setting: str) -> None:
    with pytest.raises(SettingError, match="FLOWASSIST_INTENT_MODELS"):
        catalogue.classifiers(setting)


def test_repairers() -> None:
    assert catalogue.repairers("") == {}
    assert catalogue.repairers("openai=gpt-5.4, Google Generative AI = g") == {"openai": "gpt-5.4", "google": "g"}
    with pytest.raises(SettingError, match="FLOWASSIST_REPAIR_MODELS names 'cheaper'"):
        catalogue.repairers("cheaper=x")
    with pytest.raises(SettingError, match=r"FLOWASSIST_REPAIR_MODELS must read provider=model,provider=model\."):
        catalogue.repairers("openai")
