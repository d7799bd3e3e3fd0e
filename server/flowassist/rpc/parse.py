"""From AssistRequest to what was asked. Every bad field is refused by name."""

import re
import uuid

from flowassist.errors import Reason, Refused
from flowassist.settings import Settings
from flowassist.turns.asked import Asked
from flowassist.v1.assistant_pb2 import AssistRequest

SESSION_PREFIX = "agentic_"
MAX_RETRIES, MAX_HISTORY, MAX_ITERATIONS = 5, 100, 200
DEFAULT_RETRIES, DEFAULT_ITERATIONS = 3, 30
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,128}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_NAME = 200
_NOT_SERVED = ("request_id", "budget", "linger", "component_id", "field_name", "action")


def asked_of(request: AssistRequest, settings: Settings, seconds_left: float | None) -> Asked:
    """The request, checked. Raises Refused; `seconds_left` is the caller's deadline from now."""
    _refuse_unserved(request)
    session_id = _session(request)
    _check_name(request.model_name)
    _check_variable(request.key_variable)
    text = _text(request.input_value, settings.max_input_characters)
    asked = Asked(
        text=text,
        session_id=session_id,
        new_session=not request.HasField("session_id"),
        attempts=_limit(request, "max_retries", 1, MAX_RETRIES, DEFAULT_RETRIES),
        history_turns=_limit(request, "history_limit", 0, MAX_HISTORY, settings.history_turns),
        deadline=seconds_left,
    )
    _refuse_flow(request)
    return asked


def _refuse_unserved(request: AssistRequest) -> None:
    for field in _NOT_SERVED:
        if request.HasField(field):
            raise Refused(Reason.FIELD_NOT_SERVED, field=field)


def _check_name(name: str) -> None:
    if len(name) > _NAME or not name.isprintable():
        raise Refused(Reason.MODEL_NAME_INVALID, field="model_name", limit=str(_NAME))


def _check_variable(name: str) -> None:
    """Blank is left open, as with the other choices."""
    if name and not _VARIABLE.fullmatch(name):
        raise Refused(Reason.VARIABLE_NAME_INVALID, field="key_variable")


def _text(text: str, limit: int) -> str:
    if not text.strip():
        raise Refused(Reason.INPUT_EMPTY, field="input_value")
    if len(text) > limit:
        raise Refused(Reason.INPUT_TOO_LONG, field="input_value", limit=str(limit), length=str(len(text)))
    if "\0" in text:
        raise Refused(Reason.INPUT_HAS_NUL, field="input_value", position=str(text.index("\0") + 1))
    return text


def _session(request: AssistRequest) -> str:
    if not request.HasField("session_id"):
        return SESSION_PREFIX + str(uuid.uuid4())
    own = request.session_id.removeprefix(SESSION_PREFIX)
    if not _SESSION.fullmatch(own):
        raise Refused(Reason.SESSION_ID_INVALID, field="session_id")
    return SESSION_PREFIX + own


def _limit(request: AssistRequest, field: str, low: int, high: int, default: int) -> int:
    value = int(getattr(request, field)) if request.HasField(field) else default
    if not low <= value <= high:
        raise Refused(Reason.LIMIT_OUT_OF_RANGE, field=field, min=str(low), max=str(high))
    return value


def _refuse_flow(request: AssistRequest) -> None:
    if not request.HasField("flow_id"):
        return
    try:
        flow_id = uuid.UUID(request.flow_id)
    except ValueError:
        raise Refused(Reason.FLOW_ID_INVALID, field="flow_id") from None
    raise Refused(Reason.FLOW_NOT_FOUND, flow_id=str(flow_id))
