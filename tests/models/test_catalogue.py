from flowassist.models.catalogue import PROVIDERS


def test_the_preferred_provider_stands_first_and_the_embedded_one_last() -> None:
    assert [provider.id for provider in PROVIDERS] == ["anthropic", "openai", "embedded"]


def test_defaults() -> None:
    defaults = {provider.id: provider.default_model for provider in PROVIDERS}
    assert defaults == {"anthropic": "claude-opus-4-6", "openai": "gpt-5.4", "embedded": "qwen2.5-coder-1.5b"}


def test_every_vendor_names_its_variables() -> None:
    named = {provider.id: (provider.key, provider.base_url) for provider in PROVIDERS}
    assert named == {
        "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
        "embedded": ("", ""),
    }


def test_no_model_is_listed_twice() -> None:
    names = [listing.name for provider in PROVIDERS for listing in provider.models]
    shown = [listing.display_name for provider in PROVIDERS for listing in provider.models]
    assert len(set(names)) == len(names)
    assert len(set(shown)) == len(shown)


def test_providers_are_found_by_id_and_by_display_name() -> None:
    openai = PROVIDERS[1]
    assert all(openai.is_called(name) for name in ("openai", "OpenAI", "OPENAI"))
    assert not openai.is_called("open ai")
