import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status as StatusProto

from flowassist.errors import Reason, Refused, Status
from flowassist.rpc.status import status_of

REFUSALS = [reason for reason in Reason if reason.meaning.status is not Status.EVENT]


def details_of(status: grpc.Status) -> StatusProto:
    return StatusProto.FromString(dict(status.trailing_metadata)["grpc-status-details-bin"])


@pytest.mark.parametrize("reason", REFUSALS, ids=lambda reason: reason.name)
def test_every_refusal_has_its_details(reason: Reason) -> None:
    status = status_of(Refused(reason, **reason.meaning.example))
    assert status.code is grpc.StatusCode[reason.meaning.status.value]
    details = details_of(status).details
    info = ErrorInfo()
    assert details[0].Unpack(info)
    assert (info.reason, info.domain, dict(info.metadata)) == (reason.name, "flowassist", reason.meaning.example)
    assert any(detail.Is(BadRequest.DESCRIPTOR) for detail in details) == ("field" in reason.meaning.example)
    assert len(details_of(status).SerializeToString()) < 2000


@pytest.mark.parametrize("reason", [Reason.TOO_MANY_TURNS, Reason.SANDBOX_BUSY], ids=lambda reason: reason.name)
def test_a_full_server_says_when_to_come_back(reason: Reason) -> None:
    details = details_of(status_of(Refused(reason, limit="3"))).details
    retry = RetryInfo()
    assert any(detail.Unpack(retry) for detail in details)
    assert retry.retry_delay.seconds == 1


@pytest.mark.parametrize(
    "reason", [Reason.TOO_MANY_COMPONENTS, Reason.TOO_MANY_VARIABLES], ids=lambda reason: reason.name
)
def test_what_waiting_does_not_help_says_nothing_of_coming_back(reason: Reason) -> None:
    details = details_of(status_of(Refused(reason, limit="3"))).details
    assert not any(detail.Is(RetryInfo.DESCRIPTOR) for detail in details)
