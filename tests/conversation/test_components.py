"""What a turn made is its owner's from then on, and Langflow takes it as it is."""

import asyncio
import json
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf.json_format import MessageToDict
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpclib.client import Channel

from flowassist.v1 import components_pb2 as pb
from flowassist.v1.assistant_pb2 import AssistRequest
from flowassist.v1.components_pb2_grpc import ComponentServiceStub
from flowassist.v1.events_pb2 import (
    NOTICE_KIND_NOT_REGISTERED,
    NOTICE_KIND_NOT_REMEMBERED,
    Complete,
)
from flowassist_client.generated.flowassist import v1 as client
from tests.conversation.code import GOOD, LOOPING, answer
from tests.conversation.conftest import House, another
from tests.conversation.scenarios import ALWAYS_BAD, BAD_THEN_GOOD, FIRST_TRY, Scenario
from tests.conversation.test_refusals import refusal
from tests.jobs import jobs
from tests.store.conftest import fill
from tests.vendors.script import Say
from tests.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="session")
OWN = pb.COMPONENT_ORIGIN_OWN
NAME = "TextUppercase"


async def told(house: House, scenario: Scenario, **call: Any) -> Complete:
    """The end of a turn of its own."""
    request = AssistRequest(input_value=scenario.text, provider="openai", **scenario.fields)
    with house.scripted("openai", *scenario.answers, intents=scenario.intents):
        events = [event async for event in house.stub.Assist(request, **call)]
    return events[-1].complete


async def own(house: House, **call: Any) -> list[pb.ComponentType]:
    stub = ComponentServiceStub(house.channel)
    return list((await stub.ListComponentTypes(pb.ListComponentTypesRequest(origin=OWN), **call)).types)


async def described(house: House, **call: Any) -> pb.DescribeComponentTypeResponse:
    return await ComponentServiceStub(house.channel).DescribeComponentType(
        pb.DescribeComponentTypeRequest(name=NAME, origin=OWN), **call
    )


OWNERS = ("ann", "bob", "placing", "failing", "replacing", "hoarding", "generated")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(house: House, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """One whose callers are OWNERS, each for a test."""
    tokens = ",".join(f"{owner}={owner}-token" for owner in OWNERS)
    async with another(house, tmp_path_factory.mktemp("components"), tokens=tokens) as one:
        await one.app.sandbox.ready()
        yield one


def by(owner: str) -> dict[str, Any]:
    return {"metadata": (("authorization", f"Bearer {owner}-token"),)}


async def test_what_a_turn_validated_is_its_owner_s_alone(server: House) -> None:
    ann, bob = by("ann"), by("bob")
    end = await told(server, BAD_THEN_GOOD, **ann)
    assert end.validated
    assert not end.notices
    (kept,) = await own(server, **ann)
    assert (kept.name, kept.display_name, kept.description) == (
        NAME, "Text Uppercase", "Converts text to uppercase.",
    )  # fmt: skip
    description = await described(server, **ann)
    assert description.type == kept
    assert description.code == end.component_code == GOOD
    assert await own(server, **bob) == []
    code, reason, _ = await refusal(lambda: described(server, **bob))
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "COMPONENT_TYPE_NOT_FOUND")


async def test_langflow_takes_it_unchanged(server: House) -> None:
    await told(server, FIRST_TRY, **by("placing"))
    description = MessageToDict(await described(server, **by("placing")))
    run = await asyncio.create_subprocess_exec(
        sys.executable, Path(__file__).parent / "placed.py", stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    out, err = await run.communicate(json.dumps(description).encode())
    assert run.returncode == 0, err.decode()
    lfx = json.loads(out.splitlines()[-1])
    assert lfx == {"built": description["node"], "said": "LOUD"}


async def test_what_did_not_pass_is_not_kept(server: House) -> None:
    assert not (await told(server, ALWAYS_BAD, **by("failing"))).validated
    assert await own(server, **by("failing")) == []


async def test_the_next_one_of_the_same_name_replaces_it(server: House) -> None:
    other = GOOD.replace("Converts text", "Turns text")
    await told(server, FIRST_TRY, **by("replacing"))
    again = Scenario("again", FIRST_TRY.text, FIRST_TRY.intents, (Say(answer(other)),), [])
    await told(server, again, **by("replacing"))
    assert [kept.description for kept in await own(server, **by("replacing"))] == ["Turns text to uppercase."]
    assert (await described(server, **by("replacing"))).code == other


async def test_without_room_the_turn_completes_with_a_notice(server: House) -> None:
    await fill(server.app.store.of("hoarding"))
    end = await told(server, FIRST_TRY, **by("hoarding"))
    assert end.validated
    assert [notice.kind for notice in end.notices] == [NOTICE_KIND_NOT_REGISTERED]
    (past,) = await server.app.store.of("hoarding").history(end.session_id, 6)
    assert past.component_code == GOOD
    assert await server.app.store.of("hoarding").component(NAME) is None


async def test_a_store_that_hangs_costs_the_registration_and_not_the_component(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path) as server:
        lock = await asyncio.to_thread(sqlite3.connect, tmp_path / "store.db", check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
        end = await told(server, FIRST_TRY)
        assert end.validated
        assert [notice.kind for notice in end.notices] == [NOTICE_KIND_NOT_REMEMBERED, NOTICE_KIND_NOT_REGISTERED]
        lock.close()
        assert await own(server) == []


async def test_health_and_reflection_tell_of_the_service(house: House) -> None:
    name = "flowassist.v1.ComponentService"
    health = health_pb2_grpc.HealthStub(house.channel)
    assert (await health.Check(health_pb2.HealthCheckRequest(service=name))).status == (
        health_pb2.HealthCheckResponse.SERVING
    )
    ask = reflection_pb2.ServerReflectionRequest(list_services="")
    (answered,) = [
        one async for one in reflection_pb2_grpc.ServerReflectionStub(house.channel).ServerReflectionInfo(iter([ask]))
    ]
    assert name in {service.name for service in answered.list_services_response.service}


async def test_the_generated_client_validates_and_describes(server: House) -> None:
    host, _, port = server.app.server.address.rpartition(":")
    async with Channel(host, int(port)) as channel:
        stub = client.ComponentServiceStub(channel, metadata={"authorization": "Bearer generated-token"})
        verdict = await stub.validate_component(client.ValidateComponentRequest(code=GOOD, register=True))
        assert verdict.validated
        listed = await stub.list_component_types(client.ListComponentTypesRequest(query="uppercase text"))
        assert NAME in [one.name for one in listed.types]
        description = await stub.describe_component_type(client.DescribeComponentTypeRequest(name=NAME))
        assert description.code == GOOD
        assert description == verdict.description


async def test_a_server_that_stops_ends_a_validation(house: House, tmp_path: Path) -> None:
    async with another(house, tmp_path, drain_seconds=0.2) as server:
        await server.app.sandbox.ready()
        call = ComponentServiceStub(server.channel).ValidateComponent(pb.ValidateComponentRequest(code=LOOPING))
        waiting = asyncio.ensure_future(refusal(lambda: call))
        await until(lambda: len(jobs(server.app.sandbox.pid)) == 1, within=10)
        await server.app.stop()
        code, reason, _ = await waiting
        assert (code, reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
