from flowassist.v1 import errors_pb2 as _errors_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Step(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STEP_UNSPECIFIED: _ClassVar[Step]
    STEP_QUEUED: _ClassVar[Step]
    STEP_GENERATING: _ClassVar[Step]
    STEP_GENERATING_COMPONENT: _ClassVar[Step]
    STEP_GENERATION_COMPLETE: _ClassVar[Step]
    STEP_EXTRACTING_CODE: _ClassVar[Step]
    STEP_VALIDATING: _ClassVar[Step]
    STEP_VALIDATED: _ClassVar[Step]
    STEP_VALIDATION_FAILED: _ClassVar[Step]
    STEP_RETRYING: _ClassVar[Step]

class Intent(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INTENT_UNSPECIFIED: _ClassVar[Intent]
    INTENT_GENERATE_COMPONENT: _ClassVar[Intent]
    INTENT_BUILD_FLOW: _ClassVar[Intent]
    INTENT_RUN_FLOW: _ClassVar[Intent]
    INTENT_COMPONENT_THEN_FLOW: _ClassVar[Intent]
    INTENT_QUESTION: _ClassVar[Intent]
    INTENT_OFF_TOPIC: _ClassVar[Intent]

class NoticeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTICE_KIND_UNSPECIFIED: _ClassVar[NoticeKind]
    NOTICE_KIND_CLASSIFICATION_DEGRADED: _ClassVar[NoticeKind]
    NOTICE_KIND_FLOWS_NOT_SERVED: _ClassVar[NoticeKind]
    NOTICE_KIND_SMALL_MODEL: _ClassVar[NoticeKind]
    NOTICE_KIND_CALL_REPEATED: _ClassVar[NoticeKind]
    NOTICE_KIND_ANSWER_CONTINUED: _ClassVar[NoticeKind]
    NOTICE_KIND_NOT_REMEMBERED: _ClassVar[NoticeKind]
    NOTICE_KIND_ANSWER_CUT: _ClassVar[NoticeKind]
    NOTICE_KIND_MODEL_CHANGED: _ClassVar[NoticeKind]
    NOTICE_KIND_CALL_ADAPTED: _ClassVar[NoticeKind]
    NOTICE_KIND_STRATEGY_CHANGED: _ClassVar[NoticeKind]
    NOTICE_KIND_NOT_REGISTERED: _ClassVar[NoticeKind]

class CheckOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHECK_OUTCOME_UNSPECIFIED: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_PASSED: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_FAILED: _ClassVar[CheckOutcome]
    CHECK_OUTCOME_NOT_CHECKED: _ClassVar[CheckOutcome]

class CancelReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CANCEL_REASON_UNSPECIFIED: _ClassVar[CancelReason]
    CANCEL_REASON_USER: _ClassVar[CancelReason]
    CANCEL_REASON_DISCONNECT: _ClassVar[CancelReason]
    CANCEL_REASON_DEADLINE: _ClassVar[CancelReason]
    CANCEL_REASON_SHUTDOWN: _ClassVar[CancelReason]
STEP_UNSPECIFIED: Step
STEP_QUEUED: Step
STEP_GENERATING: Step
STEP_GENERATING_COMPONENT: Step
STEP_GENERATION_COMPLETE: Step
STEP_EXTRACTING_CODE: Step
STEP_VALIDATING: Step
STEP_VALIDATED: Step
STEP_VALIDATION_FAILED: Step
STEP_RETRYING: Step
INTENT_UNSPECIFIED: Intent
INTENT_GENERATE_COMPONENT: Intent
INTENT_BUILD_FLOW: Intent
INTENT_RUN_FLOW: Intent
INTENT_COMPONENT_THEN_FLOW: Intent
INTENT_QUESTION: Intent
INTENT_OFF_TOPIC: Intent
NOTICE_KIND_UNSPECIFIED: NoticeKind
NOTICE_KIND_CLASSIFICATION_DEGRADED: NoticeKind
NOTICE_KIND_FLOWS_NOT_SERVED: NoticeKind
NOTICE_KIND_SMALL_MODEL: NoticeKind
NOTICE_KIND_CALL_REPEATED: NoticeKind
NOTICE_KIND_ANSWER_CONTINUED: NoticeKind
NOTICE_KIND_NOT_REMEMBERED: NoticeKind
NOTICE_KIND_ANSWER_CUT: NoticeKind
NOTICE_KIND_MODEL_CHANGED: NoticeKind
NOTICE_KIND_CALL_ADAPTED: NoticeKind
NOTICE_KIND_STRATEGY_CHANGED: NoticeKind
NOTICE_KIND_NOT_REGISTERED: NoticeKind
CHECK_OUTCOME_UNSPECIFIED: CheckOutcome
CHECK_OUTCOME_PASSED: CheckOutcome
CHECK_OUTCOME_FAILED: CheckOutcome
CHECK_OUTCOME_NOT_CHECKED: CheckOutcome
CANCEL_REASON_UNSPECIFIED: CancelReason
CANCEL_REASON_USER: CancelReason
CANCEL_REASON_DISCONNECT: CancelReason
CANCEL_REASON_DEADLINE: CancelReason
CANCEL_REASON_SHUTDOWN: CancelReason

class AssistEvent(_message.Message):
    __slots__ = ("turn_id", "sequence", "progress", "token", "complete", "error", "cancelled", "flow_update", "tool_start", "heartbeat")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    FLOW_UPDATE_FIELD_NUMBER: _ClassVar[int]
    TOOL_START_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    sequence: int
    progress: Progress
    token: Token
    complete: Complete
    error: Error
    cancelled: Cancelled
    flow_update: FlowUpdate
    tool_start: ToolStart
    heartbeat: Heartbeat
    def __init__(self, turn_id: _Optional[str] = ..., sequence: _Optional[int] = ..., progress: _Optional[_Union[Progress, _Mapping]] = ..., token: _Optional[_Union[Token, _Mapping]] = ..., complete: _Optional[_Union[Complete, _Mapping]] = ..., error: _Optional[_Union[Error, _Mapping]] = ..., cancelled: _Optional[_Union[Cancelled, _Mapping]] = ..., flow_update: _Optional[_Union[FlowUpdate, _Mapping]] = ..., tool_start: _Optional[_Union[ToolStart, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class Progress(_message.Message):
    __slots__ = ("step", "attempt", "max_attempts", "message", "usage", "error", "class_name", "component_code", "queue_position")
    STEP_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    MAX_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CLASS_NAME_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_CODE_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    step: Step
    attempt: int
    max_attempts: int
    message: str
    usage: Usage
    error: str
    class_name: str
    component_code: str
    queue_position: int
    def __init__(self, step: _Optional[_Union[Step, str]] = ..., attempt: _Optional[int] = ..., max_attempts: _Optional[int] = ..., message: _Optional[str] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., error: _Optional[str] = ..., class_name: _Optional[str] = ..., component_code: _Optional[str] = ..., queue_position: _Optional[int] = ...) -> None: ...

class Token(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: str
    def __init__(self, chunk: _Optional[str] = ...) -> None: ...

class Complete(_message.Message):
    __slots__ = ("result", "intent", "message", "validated", "class_name", "component_code", "validation_attempts", "validation_error", "validation_report", "notices", "usage", "duration_seconds", "provider", "model_name", "session_id")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    INTENT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    VALIDATED_FIELD_NUMBER: _ClassVar[int]
    CLASS_NAME_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_CODE_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_ERROR_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_REPORT_FIELD_NUMBER: _ClassVar[int]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    DURATION_SECONDS_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    result: str
    intent: Intent
    message: str
    validated: bool
    class_name: str
    component_code: str
    validation_attempts: int
    validation_error: str
    validation_report: ValidationReport
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    usage: Usage
    duration_seconds: float
    provider: str
    model_name: str
    session_id: str
    def __init__(self, result: _Optional[str] = ..., intent: _Optional[_Union[Intent, str]] = ..., message: _Optional[str] = ..., validated: _Optional[bool] = ..., class_name: _Optional[str] = ..., component_code: _Optional[str] = ..., validation_attempts: _Optional[int] = ..., validation_error: _Optional[str] = ..., validation_report: _Optional[_Union[ValidationReport, _Mapping]] = ..., notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., duration_seconds: _Optional[float] = ..., provider: _Optional[str] = ..., model_name: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("input_tokens", "output_tokens", "total_tokens", "phases")
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    input_tokens: int
    output_tokens: int
    total_tokens: int
    phases: _containers.RepeatedCompositeFieldContainer[PhaseUsage]
    def __init__(self, input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., total_tokens: _Optional[int] = ..., phases: _Optional[_Iterable[_Union[PhaseUsage, _Mapping]]] = ...) -> None: ...

class PhaseUsage(_message.Message):
    __slots__ = ("phase", "calls", "input_tokens", "output_tokens", "total_tokens")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    phase: str
    calls: int
    input_tokens: int
    output_tokens: int
    total_tokens: int
    def __init__(self, phase: _Optional[str] = ..., calls: _Optional[int] = ..., input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., total_tokens: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("kind", "message")
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    kind: NoticeKind
    message: str
    def __init__(self, kind: _Optional[_Union[NoticeKind, str]] = ..., message: _Optional[str] = ...) -> None: ...

class ValidationReport(_message.Message):
    __slots__ = ("checks", "findings", "boundary", "milliseconds")
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    BOUNDARY_FIELD_NUMBER: _ClassVar[int]
    MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    checks: _containers.RepeatedCompositeFieldContainer[Check]
    findings: _containers.RepeatedCompositeFieldContainer[Finding]
    boundary: str
    milliseconds: float
    def __init__(self, checks: _Optional[_Iterable[_Union[Check, _Mapping]]] = ..., findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ..., boundary: _Optional[str] = ..., milliseconds: _Optional[float] = ...) -> None: ...

class Check(_message.Message):
    __slots__ = ("name", "outcome", "detail")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    name: str
    outcome: CheckOutcome
    detail: str
    def __init__(self, name: _Optional[str] = ..., outcome: _Optional[_Union[CheckOutcome, str]] = ..., detail: _Optional[str] = ...) -> None: ...

class Finding(_message.Message):
    __slots__ = ("rule", "message", "line", "remedy", "warning")
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    REMEDY_FIELD_NUMBER: _ClassVar[int]
    WARNING_FIELD_NUMBER: _ClassVar[int]
    rule: str
    message: str
    line: int
    remedy: str
    warning: bool
    def __init__(self, rule: _Optional[str] = ..., message: _Optional[str] = ..., line: _Optional[int] = ..., remedy: _Optional[str] = ..., warning: _Optional[bool] = ...) -> None: ...

class Error(_message.Message):
    __slots__ = ("reason", "message", "recommendation", "retryable", "models_tried", "detail", "usage", "duration_seconds")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDATION_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    MODELS_TRIED_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    DURATION_SECONDS_FIELD_NUMBER: _ClassVar[int]
    reason: _errors_pb2.ErrorReason
    message: str
    recommendation: str
    retryable: bool
    models_tried: _containers.RepeatedScalarFieldContainer[str]
    detail: ErrorDetail
    usage: Usage
    duration_seconds: float
    def __init__(self, reason: _Optional[_Union[_errors_pb2.ErrorReason, str]] = ..., message: _Optional[str] = ..., recommendation: _Optional[str] = ..., retryable: _Optional[bool] = ..., models_tried: _Optional[_Iterable[str]] = ..., detail: _Optional[_Union[ErrorDetail, _Mapping]] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., duration_seconds: _Optional[float] = ...) -> None: ...

class ErrorDetail(_message.Message):
    __slots__ = ("step", "component", "tool")
    STEP_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    step: Step
    component: str
    tool: str
    def __init__(self, step: _Optional[_Union[Step, str]] = ..., component: _Optional[str] = ..., tool: _Optional[str] = ...) -> None: ...

class Cancelled(_message.Message):
    __slots__ = ("message", "reason", "usage", "duration_seconds", "left_undone")
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    DURATION_SECONDS_FIELD_NUMBER: _ClassVar[int]
    LEFT_UNDONE_FIELD_NUMBER: _ClassVar[int]
    message: str
    reason: CancelReason
    usage: Usage
    duration_seconds: float
    left_undone: str
    def __init__(self, message: _Optional[str] = ..., reason: _Optional[_Union[CancelReason, str]] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., duration_seconds: _Optional[float] = ..., left_undone: _Optional[str] = ...) -> None: ...

class FlowUpdate(_message.Message):
    __slots__ = ("add_node", "remove_node_id", "connect_edge", "configure", "set_flow", "edit_field", "propose_plan", "auto_apply")
    ADD_NODE_FIELD_NUMBER: _ClassVar[int]
    REMOVE_NODE_ID_FIELD_NUMBER: _ClassVar[int]
    CONNECT_EDGE_FIELD_NUMBER: _ClassVar[int]
    CONFIGURE_FIELD_NUMBER: _ClassVar[int]
    SET_FLOW_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_FIELD_NUMBER: _ClassVar[int]
    PROPOSE_PLAN_FIELD_NUMBER: _ClassVar[int]
    AUTO_APPLY_FIELD_NUMBER: _ClassVar[int]
    add_node: _struct_pb2.Struct
    remove_node_id: str
    connect_edge: _struct_pb2.Struct
    configure: FieldValues
    set_flow: _struct_pb2.Struct
    edit_field: FieldEdit
    propose_plan: str
    auto_apply: bool
    def __init__(self, add_node: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., remove_node_id: _Optional[str] = ..., connect_edge: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., configure: _Optional[_Union[FieldValues, _Mapping]] = ..., set_flow: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., edit_field: _Optional[_Union[FieldEdit, _Mapping]] = ..., propose_plan: _Optional[str] = ..., auto_apply: _Optional[bool] = ...) -> None: ...

class FieldValues(_message.Message):
    __slots__ = ("component_id", "values")
    COMPONENT_ID_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    component_id: str
    values: _struct_pb2.Struct
    def __init__(self, component_id: _Optional[str] = ..., values: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class FieldEdit(_message.Message):
    __slots__ = ("edit_id", "component_id", "component_type", "field_name", "old_value", "new_value", "description")
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_ID_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    FIELD_NAME_FIELD_NUMBER: _ClassVar[int]
    OLD_VALUE_FIELD_NUMBER: _ClassVar[int]
    NEW_VALUE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    edit_id: str
    component_id: str
    component_type: str
    field_name: str
    old_value: _struct_pb2.Value
    new_value: _struct_pb2.Value
    description: str
    def __init__(self, edit_id: _Optional[str] = ..., component_id: _Optional[str] = ..., component_type: _Optional[str] = ..., field_name: _Optional[str] = ..., old_value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., new_value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., description: _Optional[str] = ...) -> None: ...

class ToolStart(_message.Message):
    __slots__ = ("tool", "label", "touches")
    TOOL_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    TOUCHES_FIELD_NUMBER: _ClassVar[int]
    tool: str
    label: str
    touches: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tool: _Optional[str] = ..., label: _Optional[str] = ..., touches: _Optional[_Iterable[str]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
