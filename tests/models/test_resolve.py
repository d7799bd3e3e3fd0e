"""Where variables are found, what goes together, and what a key of the server is never sent to."""

import pytest

from flowassist.errors import Reason
from flowassist.models import catalogue
from flowassist.models.address import PRIVATE, Reach
from flowassist.models.resolve import NOT_WITH_YOURS, Shelf, Source, Way, checked, resolved
from flowassist.secret import Secret

SERVERS, MINE = Secret("sk-server"), Secret("sk-mine")


def way(provider: str, own: dict[str, str], environment: dict[str, str], key_variable: str = "") -> Way:
    found = catalogue.named(provider)
    assert found is not None
    shelf = Shelf("ann", {name: Secret(value) for name, value in own.items()}, environment)
    return resolved(found, shelf, key_variable)


def reached(*given: object) -> tuple[str, Secret, dict[str, str]]:
    access = way(*given).access  # type: ignore[arg-type]
    assert access is not None
    assert access.owner == "ann"
    return access.base_url, access.key, dict(access.more)


@pytest.mark.parametrize(
    ("own", "environment", "key", "name", "source"),
    [
        ({"OPENAI_API_KEY": "a"}, {"OPENAI_API_KEY": "b"}, "a", "OPENAI_API_KEY", Source.OWNER),
        ({"OPENAI_API_KEY": " "}, {"OPENAI_API_KEY": "b"}, "b", "OPENAI_API_KEY", Source.ENVIRONMENT),
        ({}, {"OPENAI_API_KEY": " b ", "LANGFLOW_OPENAI_API_KEY": "c"}, "b", "OPENAI_API_KEY", Source.ENVIRONMENT),
        (
            {},
            {"OPENAI_API_KEY": " ", "LANGFLOW_OPENAI_API_KEY": "c"},
            "c",
            "LANGFLOW_OPENAI_API_KEY",
            Source.ENVIRONMENT,
        ),
    ],
)
def test_the_owners_own_comes_before_the_environment(
    own: dict[str, str], environment: dict[str, str], key: str, name: str, source: Source
) -> None:
    found = way("openai", own, environment).found[0]
    assert (found.text, found.name, found.source) == (key, name, source)


def test_other_names_of_a_variable() -> None:
    assert reached("google", {}, {"GEMINI_API_KEY": "g"})[1] == Secret("g")
    assert reached("google", {}, {"GEMINI_API_KEY": "g", "LANGFLOW_GOOGLE_API_KEY": "l"})[1] == Secret("l")
    assert reached("google", {"GEMINI_API_KEY": "mine"}, {"GOOGLE_API_KEY": "g"})[1] == Secret("mine")
    assert reached("ollama", {}, {"OLLAMA_HOST": "box:11434"})[0] == "box:11434"
    assert reached("ollama", {}, {"OLLAMA_HOST": ":11434"})[0] == ":11434"


@pytest.mark.parametrize("place", ["OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"])
def test_a_key_of_the_server_goes_to_no_place_of_an_owner(place: str) -> None:
    found = way("openai", {place: "https://evil.example"}, {"OPENAI_API_KEY": "sk-server"})
    assert found.access is None
    assert found.gaps[0].reason is Reason.KEY_MISSING
    assert found.missing == f"OPENAI_API_KEY is not set{NOT_WITH_YOURS}"
    assert "sk-server" not in repr(found)


def test_nor_does_it_where_no_key_is_needed() -> None:
    mine = {"OLLAMA_BASE_URL": "https://evil.example"}
    assert reached("ollama", mine, {"OLLAMA_API_KEY": "sk-server"}) == ("https://evil.example", Secret(""), {})
    mine = {"OPENAI_COMPATIBLE_BASE_URL": "https://evil.example"}
    assert reached("openai_compatible", mine, {"OPENAI_COMPATIBLE_API_KEY": "sk-server"})[1] == Secret("")


@pytest.mark.parametrize("address", ["WATSONX_URL", "WATSONX_AUTH_URL"])
def test_every_address_of_an_owner_counts(address: str) -> None:
    server = {"WATSONX_APIKEY": "k", "WATSONX_URL": "https://us-south.ml.cloud.ibm.com", "WATSONX_PROJECT_ID": "p"}
    assert reached("watsonx", {}, server)[1] == Secret("k")
    assert way("watsonx", {address: "https://evil.example"}, server).gaps[0].reason is Reason.KEY_MISSING


def test_nor_is_the_server_charged_for_an_account_of_an_owner() -> None:
    server = {"WATSONX_APIKEY": "k", "WATSONX_URL": "https://us-south.ml.cloud.ibm.com", "WATSONX_PROJECT_ID": "p"}
    assert way("watsonx", {"WATSONX_PROJECT_ID": "other"}, server).gaps[0].reason is Reason.KEY_MISSING


def test_an_owners_key_may_go_to_the_servers_address() -> None:
    server = {"OPENAI_API_KEY": "sk-server", "OPENAI_BASE_URL": "https://gateway.example/v1", "OPENAI_ORG_ID": "org"}
    assert reached("openai", {"OPENAI_API_KEY": "sk-mine"}, server) == ("https://gateway.example/v1", MINE, {})
    assert reached("openai", {}, server)[1:] == (SERVERS, {"OPENAI_ORG_ID": "org"})


def test_an_owners_model_goes_with_any_key() -> None:
    server = {"AZURE_OPENAI_API_KEY": "sk-server", "AZURE_OPENAI_ENDPOINT": "https://a.example"}
    mine = {"AZURE_OPENAI_DEPLOYMENT": "my-gpt", "AZURE_OPENAI_API_VERSION": "2025-04-01-preview"}
    assert reached("azure_openai", mine, server)[1:] == (SERVERS, {"AZURE_OPENAI_API_VERSION": "2025-04-01-preview"})
    assert way("azure_openai", mine, server).own_model == "my-gpt"


def test_one_of_several_is_enough_and_the_owners_goes_first() -> None:
    mine = {"WATSONX_APIKEY": "sk-mine", "WATSONX_SPACE_ID": "s"}
    server = {"WATSONX_URL": "https://us-south.ml.cloud.ibm.com", "WATSONX_PROJECT_ID": "p"}
    assert reached("watsonx", mine, server) == ("https://us-south.ml.cloud.ibm.com", MINE, {"WATSONX_SPACE_ID": "s"})
    assert reached("watsonx", {"WATSONX_APIKEY": "sk-mine"}, server)[2] == {"WATSONX_PROJECT_ID": "p"}
    assert reached("watsonx", {}, {**server, "WATSONX_APIKEY": "k", "WATSONX_SPACE_ID": "s"})[2] == {
        "WATSONX_PROJECT_ID": "p"
    }


@pytest.mark.parametrize(
    ("provider", "environment", "reason", "missing"),
    [
        ("openai", {}, Reason.KEY_MISSING, "OPENAI_API_KEY is not set"),
        (
            "openai",
            {"OPENAI_API_KEY": "sk-é"},
            Reason.PROVIDER_INCOMPLETE,
            "OPENAI_API_KEY holds characters that no key has",
        ),
        (
            "openai",
            {"OPENAI_API_KEY": "k\r\nx: y"},
            Reason.PROVIDER_INCOMPLETE,
            "OPENAI_API_KEY holds characters that no key has",
        ),
        (
            "openai",
            {"LANGFLOW_OPENAI_API_KEY": "k", "LANGFLOW_OPENAI_BASE_URL": "example.com"},
            Reason.PROVIDER_INCOMPLETE,
            "LANGFLOW_OPENAI_BASE_URL is no http or https URL",
        ),
        (
            "azure_openai",
            {"AZURE_OPENAI_API_KEY": "k"},
            Reason.PROVIDER_INCOMPLETE,
            "AZURE_OPENAI_ENDPOINT is not set",
        ),
        (
            "watsonx",
            {"WATSONX_APIKEY": "k", "WATSONX_URL": "https://us-south.ml.cloud.ibm.com"},
            Reason.PROVIDER_INCOMPLETE,
            "WATSONX_PROJECT_ID or WATSONX_SPACE_ID is not set",
        ),
        (
            "watsonx",
            {},
            Reason.KEY_MISSING,
            "WATSONX_APIKEY is not set; WATSONX_URL is not set; WATSONX_PROJECT_ID or WATSONX_SPACE_ID is not set",
        ),
        (
            "watsonx",
            {"WATSONX_APIKEY": "k", "WATSONX_URL": "https://us-south.ml.cloud.ibm.com", "WATSONX_SPACE_ID": "a\tb"},
            Reason.PROVIDER_INCOMPLETE,
            "WATSONX_SPACE_ID holds characters that it cannot have",
        ),
        ("ollama", {}, Reason.PROVIDER_NOT_CONFIGURED, "OLLAMA_BASE_URL is not set"),
        (
            "ollama",
            {"OLLAMA_HOST": "http://[bad"},
            Reason.PROVIDER_INCOMPLETE,
            "OLLAMA_HOST is no http or https URL",
        ),
        ("openai_compatible", {}, Reason.PROVIDER_NOT_CONFIGURED, "OPENAI_COMPATIBLE_BASE_URL is not set"),
    ],
)
def test_gaps(provider: str, environment: dict[str, str], reason: Reason, missing: str) -> None:
    found = way(provider, {}, environment)
    assert (found.gaps[0].reason, found.missing, found.access) == (reason, missing, None)


def test_a_named_key_is_looked_for_among_the_owners_own() -> None:
    mine = {"MY_THING": "sk-mine", "OPENAI_BASE_URL": "https://my.example"}
    assert reached("openai", mine, {"OPENAI_API_KEY": "sk-server"}, "MY_THING")[:2] == ("https://my.example", MINE)
    assert reached("ollama", {"T": "sk-mine"}, {"OLLAMA_BASE_URL": "http://box"}, "T")[1] == MINE


def test_a_named_key_of_the_server_must_be_a_key_by_its_name() -> None:
    server = {"TEAM_OPENAI_API_KEY": "sk-server", "DATABASE_URL": "postgres://", "LANGFLOW_OTHER_APIKEY": "sk-server"}
    assert reached("openai", {}, server, "TEAM_OPENAI_API_KEY")[1] == SERVERS
    assert reached("openai", {}, server, "OTHER_APIKEY")[1] == SERVERS
    for name in ("DATABASE_URL", "HOME", "NOWHERE"):
        found = way("openai", {}, {**server, "OPENAI_API_KEY": "unused"}, name)
        refused = found.refusal("")
        assert refused.reason is Reason.KEY_VARIABLE_UNRESOLVED
        assert refused.metadata == {"provider": "openai", "variable": name, "canonical": "OPENAI_API_KEY"}


def test_a_named_key_of_the_server_is_not_sent_to_an_owners_address_nor_to_another_vendor() -> None:
    server = {"TEAM_OPENAI_API_KEY": "sk-server", "ANTHROPIC_API_KEY": "sk-server", "OPENAI_API_KEY": "sk-server"}
    mine = {"OPENAI_BASE_URL": "https://evil.example"}
    for own, name in ((mine, "TEAM_OPENAI_API_KEY"), (mine, "OPENAI_API_KEY"), ({}, "ANTHROPIC_API_KEY")):
        assert way("openai", own, server, name).gaps[0].reason is Reason.KEY_VARIABLE_UNRESOLVED
    assert reached("openai", {}, server, "OPENAI_API_KEY")[1] == SERVERS
    langflows = {"LANGFLOW_ANTHROPIC_API_KEY": "sk-server", "LANGFLOW_OPENAI_API_KEY": "sk-server"}
    refused = way("openai", {}, langflows, "LANGFLOW_ANTHROPIC_API_KEY")
    assert refused.gaps[0].reason is Reason.KEY_VARIABLE_UNRESOLVED
    assert reached("openai", {}, langflows, "LANGFLOW_OPENAI_API_KEY")[1] == SERVERS


async def test_an_owners_private_address_is_a_gap_and_the_servers_is_none() -> None:
    reach = Reach(private_too=False)
    own = await checked(way("ollama", {"OLLAMA_HOST": "127.0.0.1:11434"}, {}), reach, "ann")
    assert (own.missing, own.access) == (f"OLLAMA_HOST {PRIVATE}", None)
    assert own.refusal("").reason is Reason.PROVIDER_INCOMPLETE
    own = await checked(way("ollama", {"OLLAMA_HOST": ":11434"}, {}), reach, "ann")
    assert (own.missing, own.access) == (f"OLLAMA_HOST {PRIVATE}", None)
    servers = await checked(way("ollama", {}, {"OLLAMA_HOST": "127.0.0.1:11434"}), reach, "ann")
    assert servers.access is not None
    reach.close()


def test_nothing_found_shows_in_what_is_printed() -> None:
    found = way("openai", {"OPENAI_API_KEY": "sk-mine", "OPENAI_BASE_URL": "https://my.example"}, {})
    assert "sk-mine" not in repr(found)
