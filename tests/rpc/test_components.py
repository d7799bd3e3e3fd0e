"""ComponentService over a channel: lfx's own index, a store of its own, and a real sandbox."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf.json_format import MessageToDict
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from flowassist.components.library import Library
from flowassist.rpc.admission import Admission
from flowassist.rpc.components import ComponentService
from flowassist.rpc.shield import Shield
from flowassist.sandbox.supervisor import Sandbox
from flowassist.settings import Settings
from flowassist.store.store import Store
from flowassist.telemetry.observer import Observer
from flowassist.v1 import components_pb2 as pb
from flowassist.v1.components_pb2_grpc import ComponentServiceStub, add_ComponentServiceServicer_to_server
from flowassist.v1.events_pb2 import CHECK_OUTCOME_PASSED
from tests.conversation.code import BAD, GOOD, LOOPING
from tests.jobs import jobs
from tests.rpc.test_variables import refusal
from tests.store.conftest import fill, store_in
from tests.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECRET = "sk-planted-as-a-default"
KEYED = GOOD.replace(
    "MessageTextInput, Output", "DropdownInput, MessageTextInput, Output, SecretStrInput"
).replace(
    "    inputs = [",
    f'    inputs = [SecretStrInput(name="key", display_name="Key", value="{SECRET}"), '
    'DropdownInput(name="mode", display_name="Mode", options=["a", "b"], value="b", advanced=True), ',
)  # fmt: skip


@dataclass
class Served:
    channel: grpc.aio.Channel
    service: ComponentService
    registry: CollectorRegistry

    @property
    def store(self) -> Store:
        return self.service.store

    @property
    def stub(self) -> ComponentServiceStub:
        return ComponentServiceStub(self.channel)

    def validate(self, code: str, *, register: bool = False, **call: Any) -> Any:
        return self.stub.ValidateComponent(pb.ValidateComponentRequest(code=code, register=register), **call)

    async def listed(self, **fields: Any) -> list[pb.ComponentType]:
        call = {"metadata": fields.pop("metadata", None)}
        return list((await self.stub.ListComponentTypes(pb.ListComponentTypesRequest(**fields), **call)).types)

    async def described(self, name: str, **fields: Any) -> pb.DescribeComponentTypeResponse:
        call = {"metadata": fields.pop("metadata", None)}
        return await self.stub.DescribeComponentType(pb.DescribeComponentTypeRequest(name=name, **fields), **call)

    async def forget(self, name: str, **call: Any) -> None:
        await self.stub.ForgetComponentType(pb.ForgetComponentTypeRequest(name=name), **call)

    async def own(self, **call: Any) -> list[str]:
        return [one.name for one in await self.listed(origin=pb.COMPONENT_ORIGIN_OWN, **call)]


@asynccontextmanager
async def serving(folder: Path, sandbox: Sandbox, **settings: Any) -> AsyncIterator[Served]:
    store, registry = store_in(folder), CollectorRegistry()
    await store.open()
    server = grpc.aio.server(interceptors=[Shield()])
    service = ComponentService(
        Settings(**settings), store, sandbox, Library(), Observer(registry), Admission()
    )  # fmt: skip
    add_ComponentServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    local = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=local) as channel:
        yield Served(channel, service, registry)
    await server.stop(None)
    await store.close()


@pytest_asyncio.fixture(loop_scope="session")
async def served(tmp_path: Path, sandbox: Sandbox) -> AsyncIterator[Served]:
    async with serving(tmp_path, sandbox) as served:
        yield served


async def test_langflow_s_own_types_in_alphabetical_order(served: Served) -> None:
    response = await served.stub.ListComponentTypes(pb.ListComponentTypesRequest())
    assert response.lfx_version == "1.13.0"
    assert len(response.types) == 130
    names = [one.name for one in response.types]
    assert names == sorted(names, key=str.casefold)
    assert {one.origin for one in response.types} == {pb.COMPONENT_ORIGIN_BUILT_IN}
    agent = next(one for one in response.types if one.name == "Agent")
    assert (agent.display_name, agent.category, agent.HasField("validated_at")) == (
        "Agent", "models_and_agents", False,
    )  # fmt: skip


async def test_they_are_found_by_words_category_and_origin(served: Served) -> None:
    await served.validate(GOOD, register=True)
    found = await served.listed(query="  TABLE text ")
    assert 0 < len(found) < 20
    assert all("table" in str(one).lower() and "text" in str(one).lower() for one in found)
    assert {one.category for one in await served.listed(category="processing")} == {"processing"}
    assert [one.name for one in await served.listed(category="custom", query="upperCASE text")] == ["TextUppercase"]
    assert await served.listed(category="custom", origin=pb.COMPONENT_ORIGIN_BUILT_IN) == []
    assert await served.listed(query="there is no such component") == []
    assert await served.own() == ["TextUppercase"]
    assert len(await served.listed()) == 131


async def test_one_of_langflow_s_own_is_described(served: Served) -> None:
    told = await served.described("AlterMetadata")
    assert (told.type.name, told.type.category, told.type.legacy) == ("AlterMetadata", "processing", True)
    assert [one.name for one in told.inputs] == ["input_value", "text_in", "metadata", "remove_fields"]
    assert (told.inputs[0].list, list(told.inputs[0].accepts)) == (True, ["Message", "Data", "JSON"])
    assert told.inputs[2].required
    assert MessageToDict(told.inputs[2].default_value) == {}
    assert not told.inputs[1].HasField("default_value")
    assert [(one.name, one.method, list(one.types)) for one in told.outputs] == [
        ("data", "process_output", ["JSON"]),
        ("dataframe", "as_dataframe", ["Table"]),
    ]
    assert "class AlterMetadataComponent" in told.code
    assert MessageToDict(told.node)["template"]["code"]["value"] == told.code


async def test_every_one_of_langflow_s_own_can_be_described(served: Served) -> None:
    for one in await served.listed():
        told = await served.described(one.name)
        assert told.type == one
        assert told.code


async def test_a_component_that_passes_is_described_and_not_kept(served: Served) -> None:
    with capture_logs() as logged:
        told = await served.validate(KEYED)
    assert (told.validated, told.class_name, told.error) == (True, "TextUppercase", "")
    assert {check.outcome for check in told.report.checks} == {CHECK_OUTCOME_PASSED}
    assert told.report.boundary
    description = told.description
    assert (description.type.name, description.type.icon, description.type.category) == (
        "TextUppercase", "type", "custom",
    )  # fmt: skip
    assert (description.type.origin, description.type.HasField("validated_at")) == (0, False)
    key, mode, text = description.inputs
    assert (key.kind, key.secret, key.HasField("default_value")) == ("SecretStrInput", True, False)
    assert (list(mode.options), mode.default_value.string_value, mode.advanced) == (["a", "b"], "b", True)
    assert (text.tool_mode, list(text.accepts)) == (True, ["Message"])
    assert SECRET not in str(description.inputs)
    assert (description.code, list(description.outputs[0].types)) == (KEYED, ["Message"])
    assert MessageToDict(description.node)["template"]["code"]["value"] == KEYED
    assert await served.own() == []
    (entry,) = logged
    assert entry | {"event": "component.validated", "user_id": "local", "error": "", "class_name": "TextUppercase"} == (
        entry
    )
    assert served.registry.get_sample_value("component_validations_total", {"outcome": "passed"}) == 1
    assert SECRET not in str(logged)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (BAD, "AttributeError: Attribute txt_typo not found in TextUppercase (line 16)"),
        ("print('hello')", ""),
        ("```python\n" + GOOD + "```", "SyntaxError"),
        (GOOD.replace("from lfx.custom", "import os\nfrom lfx.custom").replace("def convert(self) -> Message:", (
            "def convert(self) -> Message:\n        os.system('true')"
        )), "os.system"),
    ],
    ids=["fails in a run", "no component", "fenced", "refused by the scan"],
)  # fmt: skip
async def test_code_that_does_not_pass_is_an_answer(served: Served, code: str, error: str) -> None:
    told = await served.validate(code, register=True)
    assert not told.validated
    assert told.error
    assert error in told.error
    assert told.report.findings
    assert not told.HasField("description")
    assert await served.own() == []
    assert served.registry.get_sample_value("component_validations_total", {"outcome": "failed"}) == 1


async def test_kept_described_replaced_and_forgotten(served: Served) -> None:
    before = datetime.now(UTC)
    first = await served.validate(GOOD, register=True)
    told = await served.described("TextUppercase")
    assert told == first.description
    assert told.type.origin == pb.COMPONENT_ORIGIN_OWN
    assert before <= told.type.validated_at.ToDatetime(tzinfo=UTC) <= before + timedelta(seconds=60)
    assert await served.listed(origin=pb.COMPONENT_ORIGIN_OWN) == [told.type]
    other = GOOD.replace("Converts text", "Turns text")
    await served.validate(other, register=True)
    again = await served.described("TextUppercase", origin=pb.COMPONENT_ORIGIN_OWN)
    assert (again.code, again.type.description) == (other, "Turns text to uppercase.")
    assert again.type.validated_at.ToDatetime() > told.type.validated_at.ToDatetime()
    await served.forget("TextUppercase")
    assert await served.own() == []
    for call in (served.described("TextUppercase"), served.forget("TextUppercase")):
        reason, metadata, _ = await refusal(call)
        assert (reason, metadata) == ("COMPONENT_TYPE_NOT_FOUND", {"name": "TextUppercase"})


async def test_one_s_own_goes_before_langflow_s_of_the_same_name(served: Served) -> None:
    await served.validate(GOOD.replace("TextUppercase", "AlterMetadata"), register=True)
    assert (await served.described("AlterMetadata")).type.origin == pb.COMPONENT_ORIGIN_OWN
    built_in = await served.described("AlterMetadata", origin=pb.COMPONENT_ORIGIN_BUILT_IN)
    assert built_in.type.category == "processing"
    both = [one.origin for one in await served.listed(query="AlterMetadata")]
    assert both == [pb.COMPONENT_ORIGIN_BUILT_IN, pb.COMPONENT_ORIGIN_OWN]
    own = await refusal(served.described("Agent", origin=pb.COMPONENT_ORIGIN_OWN))
    assert own[0] == "COMPONENT_TYPE_NOT_FOUND"


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb", "a\0", "\x1b[31m"])
async def test_a_bad_name(served: Served, name: str) -> None:
    for call in (served.described(name), served.forget(name)):
        reason, metadata, _ = await refusal(call)
        assert (reason, metadata) == ("COMPONENT_NAME_INVALID", {"field": "name", "limit": "200"})


async def test_names_with_blanks_are_names(served: Served) -> None:
    assert (await served.described("Prompt Template")).type.name == "Prompt Template"


async def test_an_origin_of_a_later_version(served: Served) -> None:
    for call in (served.listed(origin=9), served.described("Agent", origin=9)):
        reason, metadata, _ = await refusal(call)
        assert (reason, metadata) == ("FIELD_NOT_SERVED", {"field": "origin"})


@pytest.mark.parametrize("code", ["", " \n\t "])
async def test_no_code(served: Served, code: str) -> None:
    assert (await refusal(served.validate(code)))[:2] == ("CODE_EMPTY", {"field": "code"})


async def test_code_at_its_limit(served: Served) -> None:
    filled = GOOD + "#" * (200_000 - len(GOOD))
    told = await served.validate(filled, register=True)
    assert told.validated
    assert (await served.described("TextUppercase")).code == filled
    for code, length in ((filled + "#", "200001"), (filled[:-1] + "ä", "200001")):
        reason, metadata, _ = await refusal(served.validate(code))
        assert (reason, metadata) == ("CODE_TOO_LONG", {"field": "code", "limit": "200000", "length": length})


def with_default(value: str) -> str:
    head = GOOD.replace("MessageTextInput, Output", "MessageTextInput, NestedDictInput, Output")
    return head.replace("    inputs = [", f'    inputs = [NestedDictInput(name="d", display_name="D", value={value}), ')


async def test_the_largest_answer_is_within_what_clients_take(served: Served) -> None:
    told = await served.validate(with_default('{"a": [1] * 95_000}') + "#" * 190_000, register=True)
    assert told.validated
    assert len(told.description.inputs[0].default_value.struct_value.fields["a"].list_value.values) == 95_000
    assert 2 << 20 < told.ByteSize() < 4 << 20
    assert (await served.described("TextUppercase")).node == told.description.node


async def test_a_component_whose_node_is_too_large_does_not_pass(served: Served) -> None:
    told = await served.validate(with_default('{"a": [1] * 100_000}'))
    assert not told.validated
    assert told.report.findings[0].rule == "template-failed"
    assert "of 200000 at most" in told.error


async def test_values_that_json_does_not_have(served: Served) -> None:
    told = await served.validate(with_default('{"a": float("inf"), "b": {1, 2}.__class__, "c": "\\0x"}'))
    assert told.validated, told.error
    default = MessageToDict(told.description.inputs[0].default_value)
    assert (default["a"], default["c"]) == (None, "x")


async def test_the_longest_list(served: Served) -> None:
    await fill(served.store.of("local"))
    response = await served.stub.ListComponentTypes(pb.ListComponentTypesRequest())
    assert len(response.types) == 630
    assert response.ByteSize() < 1 << 20


async def test_too_many(served: Served) -> None:
    await fill(served.store.of("local"))
    reason, metadata, _ = await refusal(served.validate(GOOD, register=True))
    assert (reason, metadata) == ("TOO_MANY_COMPONENTS", {"limit": "500"})
    assert (await served.validate(GOOD)).validated


async def test_callers_see_only_their_own(tmp_path: Path, sandbox: Sandbox) -> None:
    async with serving(tmp_path, sandbox, tokens="ann=a-token,bob=b-token") as served:
        ann, bob = ({"metadata": (("authorization", f"Bearer {token}"),)} for token in ("a-token", "b-token"))
        for call in all_calls(served):
            assert (await refusal(call()))[0] == "TOKEN_INVALID"
        await served.validate(GOOD, register=True, **ann)
        assert (await served.own(**ann), await served.own(**bob)) == (["TextUppercase"], [])
        for call in (served.described("TextUppercase", **bob), served.forget("TextUppercase", **bob)):
            assert (await refusal(call))[0] == "COMPONENT_TYPE_NOT_FOUND"
        assert (await served.described("TextUppercase", **ann)).code == GOOD


def all_calls(served: Served, **call: Any) -> list[Callable[[], Any]]:
    return [
        lambda: served.listed(**call),
        lambda: served.described("Agent", **call),
        lambda: served.validate(GOOD, register=True, **call),
        lambda: served.forget("Agent", **call),
    ]


async def test_switched_off_it_is_refused_to_callers_that_are_known(tmp_path: Path, sandbox: Sandbox) -> None:
    async with serving(tmp_path, sandbox, assistant_enabled=False, tokens="ann=a-token") as off:
        for call in all_calls(off, metadata=(("authorization", "Bearer a-token"),)):
            assert (await refusal(call()))[0] == "ASSISTANT_DISABLED"
        assert (await refusal(off.listed()))[0] == "TOKEN_INVALID"


async def test_without_a_sandbox(tmp_path: Path) -> None:
    closed = Sandbox()
    await closed.close()
    async with serving(tmp_path, closed) as served:
        call = served.validate(GOOD)
        reason, metadata, _ = await refusal(call)
        assert (reason, metadata, await call.code()) == ("SANDBOX_UNAVAILABLE", {}, grpc.StatusCode.UNAVAILABLE)
        assert not (await served.validate("print('needs none')")).validated
        assert len(await served.listed()) == 130


async def test_a_store_that_is_away_says_so(served: Served, tmp_path: Path) -> None:
    await served.store.close()
    for file in (tmp_path / "data").iterdir():
        file.unlink()
    (tmp_path / "data").rmdir()
    for call in all_calls(served):
        reason, _, everything = await refusal(call())
        assert reason == "STORE_UNAVAILABLE"
        assert str(tmp_path) not in everything
    assert len(await served.listed(origin=pb.COMPONENT_ORIGIN_BUILT_IN)) == 130
    assert (await served.validate(GOOD)).validated


@pytest.mark.parametrize("way", ["cancel", "deadline"])
async def test_a_call_that_is_given_up_kills_its_child(served: Served, sandbox: Sandbox, way: str) -> None:
    call = served.validate(LOOPING, timeout=2 if way == "deadline" else None)
    code = asyncio.ensure_future(call.code())
    await until(lambda: len(jobs(sandbox.pid)) == 1, within=10)
    if way == "cancel":
        call.cancel()
    await until(lambda: jobs(sandbox.pid) == [], within=5)
    assert await code in {grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED}
    assert (await served.validate(GOOD)).validated


async def test_as_many_wait_as_may(tmp_path: Path) -> None:
    narrow = Sandbox(children=1, waiting=0)
    await narrow.start()
    await narrow.ready()
    async with serving(tmp_path, narrow) as served:
        looping = served.validate(LOOPING)
        await until(lambda: len(jobs(narrow.pid)) == 1, within=10)
        call = served.validate(GOOD)
        reason, metadata, _ = await refusal(call)
        assert (reason, metadata, await call.code()) == (
            "SANDBOX_BUSY",
            {"limit": "0"},
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        )
        looping.cancel()
        await until(lambda: jobs(narrow.pid) == [], within=5)
        assert (await served.validate(GOOD)).validated
    await narrow.close()


async def test_a_server_that_drains_lets_validations_end_in_their_time(served: Served, sandbox: Sandbox) -> None:
    looping, passing = (asyncio.ensure_future(_answer(served.validate(code))) for code in (LOOPING, GOOD))
    assert (await passing).validated
    draining = asyncio.ensure_future(served.service.admission.drain(0.2))
    for refused in (_answer(served.validate(GOOD)), looping):
        assert (await refusal(refused))[0] == "DRAINING"
    await draining
    await until(lambda: jobs(sandbox.pid) == [], within=5)
    assert len(await served.listed()) == 130


async def _answer(call: Any) -> pb.ValidateComponentResponse:
    return await call


@pytest.mark.parametrize(
    "method", ["ListComponentTypes", "DescribeComponentType", "ValidateComponent", "ForgetComponentType"]
)
async def test_a_message_that_cannot_be_parsed(served: Served, method: str) -> None:
    call = served.channel.unary_unary(f"/flowassist.v1.ComponentService/{method}")
    assert (await refusal(call(b"\x0a\x02\xff\xfe")))[0] == "MESSAGE_MALFORMED"
