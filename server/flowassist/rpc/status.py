"""Refusals as gRPC statuses with rich details."""

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status as StatusProto
from grpc_status import rpc_status

from flowassist.errors import Refused, Status

DOMAIN = "flowassist"
_RETRY_SECONDS = 1


def status_of(refused: Refused) -> grpc.Status:
    """The status that a client gets: ErrorInfo, and BadRequest or RetryInfo where they apply."""
    meaning = refused.reason.meaning
    details = [_packed(detail) for detail in _details(refused)]
    code = grpc.StatusCode[meaning.status.value]
    return rpc_status.to_status(StatusProto(code=code.value[0], message=str(refused), details=details))


def _details(refused: Refused) -> list[Message]:
    meaning = refused.reason.meaning
    details: list[Message] = [ErrorInfo(reason=refused.reason.name, domain=DOMAIN, metadata=refused.metadata)]
    if field := refused.metadata.get("field"):
        description = f"{refused} {meaning.advice}"
        details.append(BadRequest(field_violations=[BadRequest.FieldViolation(field=field, description=description)]))
    if meaning.status is Status.RESOURCE_EXHAUSTED and meaning.retryable:
        details.append(RetryInfo(retry_delay=Duration(seconds=_RETRY_SECONDS)))
    return details


def _packed(detail: Message) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed
