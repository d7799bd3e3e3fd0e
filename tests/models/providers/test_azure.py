import pytest

from flowassist.models.access import Access
from flowassist.models.model import Call, Finish, ModelError, Remedy, Reply, Trouble, Usage
from flowassist.models.providers import azure, openai
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.models.providers.conftest import staged
from tests.vendors.azure import scripted
from tests.vendors.responses import ResponsesWire
from tests.vendors.script import Fail, Request, Say, Script
from tests.vendors.server import KEY, Vendor


async def request_to(path: str, **more: str) -> Request:
    """A request to the resource whose address ends with `path`."""
    async with scripted(Say("yes")) as vendor:
        place = azure.endpoint(Access("", vendor.url + path, Secret(KEY), more), Patience())
        assert (await azure.WIRE.model(place, "my-deployment").reply(CALL)).text == "yes"
        await place.aclose()
    return vendor.requests[0]


@pytest.mark.parametrize("path", ["", "/", "/openai", "/openai/"])
async def test_a_deployment_is_asked_with_the_key_in_azures_header(path: str) -> None:
    request = await request_to(path)
    assert request.path == f"/openai/deployments/my-deployment/chat/completions?api-version={azure.API_VERSION}"
    assert request.headers["api-key"] == KEY
    assert "authorization" not in request.headers
    assert request.body["model"] == "my-deployment"
    assert request.body["max_completion_tokens"] == 100


async def test_the_version_is_the_owners() -> None:
    assert (await request_to("", AZURE_OPENAI_API_VERSION="2024-10-21")).path.endswith("?api-version=2024-10-21")


async def test_the_servers_environment_does_not_tell_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_VERSION", "2023-05-15")
    monkeypatch.setenv("AZURE_OPENAI_AD_TOKEN", "the server's")
    request = await request_to("")
    assert request.path.endswith(f"?api-version={azure.API_VERSION}")
    assert "the server's" not in str(request.headers)


@pytest.mark.parametrize("path", ["/openai/v1", "/openai/v1/"])
async def test_an_address_without_versions_is_spoken_to_as_openai(path: str) -> None:
    request = await request_to(path)
    assert request.path == "/openai/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"


async def test_findings_of_the_filters_are_no_text() -> None:
    async with staged("azure_openai", Say("clean")) as (ask, _):
        assert await ask(CALL) == Reply("clean", Finish.STOP, Usage(10, 5, 15))


async def test_a_prompt_that_is_filtered_is_refused() -> None:
    refused = Fail(400, "content_filter", "The response was filtered due to the prompt triggering a policy.")
    async with staged("azure_openai", refused) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
    error = caught.value
    assert (error.trouble, error.code, error.param) == (Trouble.REFUSED, "content_filter", "prompt")


async def test_the_name_of_a_deployment_says_nothing_about_its_api() -> None:
    async with staged("azure_openai", Say("yes"), model="my-o3-pro") as (ask, vendor):
        await ask(CALL)
    assert "/chat/completions" in vendor.requests[0].path


async def test_a_deployment_can_be_asked_over_the_responses_api() -> None:
    async with Vendor(ResponsesWire(), Script(Say("yes"))) as vendor:
        address = vendor.url.removesuffix("/v1")
        place = azure.endpoint(Access("", address, Secret(KEY)), Patience())
        model = azure.WIRE.model(place, "codex")
        assert Remedy.RESPONSES in model.lessons.possible
        assert (await model.reply(CALL, remedies=frozenset({Remedy.RESPONSES}))).text == "yes"
        await place.aclose()
    assert vendor.requests[0].path == f"/openai/responses?api-version={azure.API_VERSION}"
    assert vendor.requests[0].headers["api-key"] == KEY


async def test_only_names_that_say_so_get_a_temperature() -> None:
    warm = Call("", CALL.messages, 60, temperature=0.2)
    for name, sent in (("gpt-4o", True), ("gpt-5.4", False), ("mine", False)):
        async with staged("azure_openai", Say("yes"), model=name) as (ask, vendor):
            await ask(warm)
        assert ("temperature" in vendor.requests[0].body) is sent


def test_a_model_bears_the_name_of_its_provider() -> None:
    place = azure.endpoint(Access("", "https://x.openai.azure.com", Secret(KEY)), Patience())
    model = azure.WIRE.model(place, "mine")
    assert (model.provider, model.name) == ("azure_openai", "mine")
    assert azure.WIRE.base_url == ""
    assert azure.WIRE.listed is not openai.WIRE.listed
