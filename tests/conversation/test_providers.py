"""Servers with this provider or that one alone, or none: CheckConfig and Assist must agree on what there is."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from flowassist.models.live import NOT_HAD, NOT_YET
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.variables_pb2 import SetVariableRequest
from flowassist.v1.variables_pb2_grpc import VariableServiceStub
from tests.conversation.conftest import House, another, kinds
from tests.conversation.scenarios import QUESTION
from tests.conversation.test_refusals import refusal
from tests.vendors import compatible, openai
from tests.vendors.script import Hang

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEFAULTS = {
    "google": "gemini-2.5-pro",
    "ollama": "a-model",
    "openai_compatible": "qwen3-32b",
    "watsonx": "mistral-large-2512",
}
LIVE = {"ollama", "openai_compatible"}


async def info(house: House, provider: str) -> pb.ProviderInfo:
    return next(told for told in (await house.check_config()).providers if told.name == provider)


@pytest.mark.parametrize("name", DEFAULTS)
async def test_one_provider_alone_is_told_and_answers(house: House, tmp_path: Path, name: str) -> None:
    async with another(house, tmp_path, house.vendors[name].environment) as alone:
        config = await alone.check_config()
        assert (config.enabled, config.configured, list(config.configured_providers)) == (True, True, [name])
        assert (config.default_provider, config.default_model) == (name, DEFAULTS[name])
        told = next(told for told in config.providers if told.name == name)
        assert (told.default_model, told.models_are_live) == (DEFAULTS[name], name in LIVE)
        assert not told.HasField("missing")
        assert not told.HasField("problem")
        assert {variable.name for variable in told.variables if variable.secret} <= {*house.vendors[name].environment}
        with alone.scripted(name, *QUESTION.answers, intents=QUESTION.intents) as vendor:
            end = (await alone.assist(input_value=QUESTION.text))[-1].complete
        assert (end.provider, end.model_name) == (name, DEFAULTS[name])
        assert len(vendor.requests) == 2


async def test_all_of_them_are_told_in_the_order_of_preference(house: House) -> None:
    config = await house.check_config()
    order = ["anthropic", "openai", "google", "groq", "azure_openai", "watsonx", "ollama", "openai_compatible"]
    assert list(config.configured_providers) == order
    assert [told.name for told in config.providers] == [*order, "embedded"]
    assert (config.default_provider, config.default_model) == ("anthropic", "claude-opus-4-6")


async def test_nothing_at_all(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, {}) as bare:
        config = await bare.check_config()
        assert (config.configured, list(config.configured_providers)) == (False, [])
        assert all(told.missing for told in config.providers)
        assert all(
            variable.source == pb.VARIABLE_SOURCE_UNSET for told in config.providers for variable in told.variables
        )
        for named, reason in (
            ("IBM WatsonX", "KEY_MISSING"),
            ("Ollama", "PROVIDER_NOT_CONFIGURED"),
            ("openai_compatible", "PROVIDER_NOT_CONFIGURED"),
            ("embedded", "PROVIDER_NOT_CONFIGURED"),
            ("", "NO_PROVIDER_CONFIGURED"),
        ):
            request = pb.AssistRequest(input_value="hi", provider=named)
            code, why, _ = await refusal(lambda request=request: bare.stub.Assist(request).read())
            assert (code, why) == (grpc.StatusCode.FAILED_PRECONDITION, reason)


async def test_an_endpoint_that_is_not_there_holds_nothing_up(house: House, tmp_path: Path) -> None:
    async with compatible.scripted() as vendor:
        environment = vendor.environment
    async with another(house, tmp_path, environment) as dead:
        began = asyncio.get_running_loop().time()
        config = await dead.check_config()
        assert asyncio.get_running_loop().time() - began < 2.0
        assert (config.configured, list(config.configured_providers)) == (True, ["openai_compatible"])
        assert not config.HasField("default_provider")
        assert (await info(dead, "openai_compatible")).problem == f"{NOT_HAD}: the address cannot be reached"
        request = pb.AssistRequest(input_value="hi")
        assert (await refusal(lambda: dead.stub.Assist(request).read()))[1] == "MODEL_NAME_MISSING"


async def test_a_list_that_never_comes_holds_nothing_up(house: House, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        silent = await stack.enter_async_context(openai.scripted_lists(Hang()))
        environment = {"OPENAI_COMPATIBLE_BASE_URL": silent.url}
        waiting = await stack.enter_async_context(another(house, tmp_path, environment))
        began = asyncio.get_running_loop().time()
        config = await waiting.check_config()
        assert asyncio.get_running_loop().time() - began < 3.0
        assert list(config.configured_providers) == ["openai_compatible"]
        assert [told.problem for told in config.providers if told.configured] == [NOT_YET]
        assert len(silent.requests) == 1


async def test_a_cheaper_model_classifies(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, intent_models="openai=gpt-5-mini") as thrifty:
        with thrifty.scripted("openai", *QUESTION.answers, intents=QUESTION.intents) as vendor:
            end = (await thrifty.assist(input_value=QUESTION.text, provider="openai"))[-1].complete
    assert [request.body["model"] for request in vendor.requests] == ["gpt-5-mini", "gpt-5.4"]
    assert end.model_name == "gpt-5.4"


async def test_a_key_variable_names_the_key(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, encryption_key_file=str(tmp_path / "keys")) as server:
        put = VariableServiceStub(server.channel).SetVariable
        await put(SetVariableRequest(name="my_second_key", value="sk-second"))
        request = {"input_value": QUESTION.text, "provider": "openai", "key_variable": "my_second_key"}
        with server.scripted("openai", *QUESTION.answers, intents=QUESTION.intents) as vendor:
            assert kinds(await server.assist(**request))[-1] == "complete"
        assert {request.headers["authorization"] for request in vendor.requests} == {"Bearer sk-second"}


async def test_a_key_variable_is_no_way_into_the_environment(house: House) -> None:
    for name in ("GOOGLE_BASE_URL", "ANTHROPIC_API_KEY", "NOT_THERE"):
        request = pb.AssistRequest(input_value="hi", provider="openai", key_variable=name)
        code, reason, _ = await refusal(lambda request=request: house.stub.Assist(request).read())
        assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "KEY_VARIABLE_UNRESOLVED")


async def test_a_servers_key_goes_to_no_address_of_an_owner(house: House, tmp_path: Path) -> None:
    vendor = house.vendors["openai_compatible"]
    keys = str(tmp_path / "keys")
    async with another(house, tmp_path, {"OPENAI_API_KEY": "sk-server"}, encryption_key_file=keys) as server:
        await VariableServiceStub(server.channel).SetVariable(
            SetVariableRequest(name="OPENAI_BASE_URL", value=vendor.url)
        )
        assert (await info(server, "openai")).missing.startswith("OPENAI_API_KEY is not set (the server's own key")
        request = pb.AssistRequest(input_value="hi", provider="openai")
        assert (await refusal(lambda: server.stub.Assist(request).read()))[1] == "KEY_MISSING"
        assert (await info(server, "openai")).missing
    assert "sk-server" not in str([request.headers for request in (*vendor.requests, *vendor.asides)])


async def test_among_several_owners_nobody_reaches_into_the_servers_network(house: House, tmp_path: Path) -> None:
    keys = str(tmp_path / "keys")
    async with another(house, tmp_path, {}, tokens="ann=a-token", encryption_key_file=keys) as server:
        metadata = (("authorization", "Bearer a-token"),)
        variable = SetVariableRequest(name="OLLAMA_BASE_URL", value="http://169.254.169.254")
        await VariableServiceStub(server.channel).SetVariable(variable, metadata=metadata)
        request = pb.AssistRequest(input_value="hi", provider="ollama")
        code, reason, _ = await refusal(lambda: server.stub.Assist(request, metadata=metadata).read())
        assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "PROVIDER_INCOMPLETE")


async def test_check_config_answers_while_the_store_is_away(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path) as server:
        await server.app.store.close()
        (tmp_path / "store.db").unlink()
        (tmp_path / "store.db").mkdir()
        config = await server.check_config()
        assert config.configured
        assert {told.problem for told in config.providers} == {
            "your own variables were not read: The database does not answer."
        }
        request = pb.AssistRequest(input_value="hi", provider="openai")
        code, reason, _ = await refusal(lambda: server.stub.Assist(request).read())
        assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
