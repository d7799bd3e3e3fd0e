"""The contract, its generated code, and the tables in our own code that repeat its names."""

import inspect
import re
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from flowassist.errors import Reason, Status
from flowassist.rpc.components import ComponentService
from flowassist.rpc.service import AssistantService
from flowassist.rpc.variables import VariableService
from flowassist.v1 import assistant_pb2, components_pb2, errors_pb2, events_pb2, variables_pb2
from flowassist_client.generated.flowassist import v1 as client

FILES = tuple(file.DESCRIPTOR for file in (assistant_pb2, components_pb2, events_pb2, errors_pb2, variables_pb2))
SERVED = {
    "AssistantService": AssistantService,
    "VariableService": VariableService,
    "ComponentService": ComponentService,
}
MESSAGES = [message for file in FILES for message in file.message_types_by_name.values()]
METHODS = [method for file in FILES for service in file.services_by_name.values() for method in service.methods]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_rpc_has_a_method_of_its_kind(method: object) -> None:
    served = getattr(SERVED[method.containing_service.name], method.name)  # type: ignore[attr-defined]
    if method.server_streaming:  # type: ignore[attr-defined]
        assert inspect.isasyncgenfunction(served)
    else:
        assert inspect.iscoroutinefunction(served)


def test_reasons_are_those_of_the_contract() -> None:
    assert {f"ERROR_REASON_{reason.name}" for reason in Reason} == set(errors_pb2.ErrorReason.keys()[1:])


@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.name)
def test_the_contract_tells_each_reason_s_status_and_metadata(reason: Reason) -> None:
    text = Path("proto/flowassist/v1/errors.proto").read_text(encoding="utf-8")
    comment = re.search(rf"// ([^\n]*(?:\n  //[^\n]*)*)\n  ERROR_REASON_{reason.name} =", text)
    assert comment
    meaning = reason.meaning
    if meaning.status is Status.EVENT:
        assert comment[1].startswith("Event.")
    else:
        assert comment[1].startswith(meaning.status.value)
        assert all(f'"{key}"' in comment[1] for key in meaning.example)
        assert meaning.text.format(**meaning.example)
        assert hasattr(grpc.StatusCode, meaning.status.value)


@pytest.mark.parametrize("descriptor", MESSAGES, ids=lambda descriptor: descriptor.name)
def test_google_and_betterproto_read_each_other(descriptor: Descriptor) -> None:
    for message in filled(descriptor):
        raw = message.SerializeToString(deterministic=True)
        theirs = getattr(client, descriptor.name).parse(raw)
        assert type(message).FromString(bytes(theirs)) == message


def filled(descriptor: Descriptor) -> list[Message]:
    """A message with every field set, once for each member of its oneofs; and an empty one."""
    kind = GetMessageClass(descriptor)
    choices = max((len(oneof.fields) for oneof in descriptor.oneofs), default=1)
    return [kind()] + [_filled(kind(), choice, depth=4) for choice in range(choices)]


def _filled(message: Message, choice: int, depth: int) -> Message:
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        if oneof is None or oneof.fields[choice % len(oneof.fields)] == field:
            _set(message, field, choice, depth)
    return message


def _set(message: Message, field: FieldDescriptor, choice: int, depth: int) -> None:
    if field.message_type is None:
        value = _SCALARS[field.cpp_type] if field.enum_type is None else field.enum_type.values[-1].number
        if field.is_repeated:
            getattr(message, field.name).extend([value, value])
        else:
            setattr(message, field.name, value)
    elif field.message_type.file.package == "google.protobuf":
        _set_well_known(message, field)
    elif depth:
        inner = getattr(message, field.name)
        if field.is_repeated:
            _filled(inner.add(), choice, depth - 1)
        else:
            inner.SetInParent()
            _filled(inner, choice, depth - 1)


def _set_well_known(message: Message, field: FieldDescriptor) -> None:
    inner = getattr(message, field.name)
    match field.message_type.name:
        case "Struct":
            inner.update({"text": "ä😀", "number": 1.5, "list": [True, None], "object": {"a": "b"}})
        case "Duration":
            inner.FromMilliseconds(90_500)
        case "Timestamp":
            inner.FromMilliseconds(1_790_000_000_123)
        case _:
            inner.string_value = "ä😀"


_SCALARS = {
    FieldDescriptor.CPPTYPE_STRING: "ä😀 text",
    FieldDescriptor.CPPTYPE_BOOL: True,
    FieldDescriptor.CPPTYPE_DOUBLE: 1.5,
    FieldDescriptor.CPPTYPE_INT32: -7,
    FieldDescriptor.CPPTYPE_INT64: 2**40,
    FieldDescriptor.CPPTYPE_UINT64: 2**60,
}
