import datetime

from flowassist.v1 import events_pb2 as _events_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VariableSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VARIABLE_SOURCE_UNSPECIFIED: _ClassVar[VariableSource]
    VARIABLE_SOURCE_UNSET: _ClassVar[VariableSource]
    VARIABLE_SOURCE_OWNER: _ClassVar[VariableSource]
    VARIABLE_SOURCE_ENVIRONMENT: _ClassVar[VariableSource]
VARIABLE_SOURCE_UNSPECIFIED: VariableSource
VARIABLE_SOURCE_UNSET: VariableSource
VARIABLE_SOURCE_OWNER: VariableSource
VARIABLE_SOURCE_ENVIRONMENT: VariableSource

class AssistRequest(_message.Message):
    __slots__ = ("flow_id", "input_value", "provider", "model_name", "max_retries", "session_id", "history_limit", "iterations_limit", "request_id", "budget", "linger", "component_id", "field_name", "action", "key_variable")
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_VALUE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    MAX_RETRIES_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    HISTORY_LIMIT_FIELD_NUMBER: _ClassVar[int]
    ITERATIONS_LIMIT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    LINGER_FIELD_NUMBER: _ClassVar[int]
    COMPONENT_ID_FIELD_NUMBER: _ClassVar[int]
    FIELD_NAME_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    KEY_VARIABLE_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    input_value: str
    provider: str
    model_name: str
    max_retries: int
    session_id: str
    history_limit: int
    iterations_limit: int
    request_id: str
    budget: Budget
    linger: _duration_pb2.Duration
    component_id: str
    field_name: str
    action: Action
    key_variable: str
    def __init__(self, flow_id: _Optional[str] = ..., input_value: _Optional[str] = ..., provider: _Optional[str] = ..., model_name: _Optional[str] = ..., max_retries: _Optional[int] = ..., session_id: _Optional[str] = ..., history_limit: _Optional[int] = ..., iterations_limit: _Optional[int] = ..., request_id: _Optional[str] = ..., budget: _Optional[_Union[Budget, _Mapping]] = ..., linger: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., component_id: _Optional[str] = ..., field_name: _Optional[str] = ..., action: _Optional[_Union[Action, _Mapping]] = ..., key_variable: _Optional[str] = ...) -> None: ...

class Budget(_message.Message):
    __slots__ = ("max_tokens", "max_seconds", "max_tool_calls")
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MAX_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MAX_TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    max_tokens: int
    max_seconds: float
    max_tool_calls: int
    def __init__(self, max_tokens: _Optional[int] = ..., max_seconds: _Optional[float] = ..., max_tool_calls: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("plan_approved", "plan_refined", "edits_applied")
    PLAN_APPROVED_FIELD_NUMBER: _ClassVar[int]
    PLAN_REFINED_FIELD_NUMBER: _ClassVar[int]
    EDITS_APPLIED_FIELD_NUMBER: _ClassVar[int]
    plan_approved: PlanApproved
    plan_refined: PlanRefined
    edits_applied: EditsApplied
    def __init__(self, plan_approved: _Optional[_Union[PlanApproved, _Mapping]] = ..., plan_refined: _Optional[_Union[PlanRefined, _Mapping]] = ..., edits_applied: _Optional[_Union[EditsApplied, _Mapping]] = ...) -> None: ...

class PlanApproved(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PlanRefined(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class EditsApplied(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AssistOnceResponse(_message.Message):
    __slots__ = ("turn_id", "text", "complete", "error", "cancelled")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    text: str
    complete: _events_pb2.Complete
    error: _events_pb2.Error
    cancelled: _events_pb2.Cancelled
    def __init__(self, turn_id: _Optional[str] = ..., text: _Optional[str] = ..., complete: _Optional[_Union[_events_pb2.Complete, _Mapping]] = ..., error: _Optional[_Union[_events_pb2.Error, _Mapping]] = ..., cancelled: _Optional[_Union[_events_pb2.Cancelled, _Mapping]] = ...) -> None: ...

class CheckConfigRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CheckConfigResponse(_message.Message):
    __slots__ = ("enabled", "configured", "configured_providers", "providers", "default_provider", "default_model", "limits")
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    CONFIGURED_FIELD_NUMBER: _ClassVar[int]
    CONFIGURED_PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_PROVIDER_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_MODEL_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    configured: bool
    configured_providers: _containers.RepeatedScalarFieldContainer[str]
    providers: _containers.RepeatedCompositeFieldContainer[ProviderInfo]
    default_provider: str
    default_model: str
    limits: Limits
    def __init__(self, enabled: _Optional[bool] = ..., configured: _Optional[bool] = ..., configured_providers: _Optional[_Iterable[str]] = ..., providers: _Optional[_Iterable[_Union[ProviderInfo, _Mapping]]] = ..., default_provider: _Optional[str] = ..., default_model: _Optional[str] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class ProviderInfo(_message.Message):
    __slots__ = ("name", "display_name", "configured", "missing", "default_model", "models", "variables", "models_are_live", "problem")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    CONFIGURED_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_MODEL_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    MODELS_ARE_LIVE_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    name: str
    display_name: str
    configured: bool
    missing: str
    default_model: str
    models: _containers.RepeatedCompositeFieldContainer[ModelInfo]
    variables: _containers.RepeatedCompositeFieldContainer[ProviderVariable]
    models_are_live: bool
    problem: str
    def __init__(self, name: _Optional[str] = ..., display_name: _Optional[str] = ..., configured: _Optional[bool] = ..., missing: _Optional[str] = ..., default_model: _Optional[str] = ..., models: _Optional[_Iterable[_Union[ModelInfo, _Mapping]]] = ..., variables: _Optional[_Iterable[_Union[ProviderVariable, _Mapping]]] = ..., models_are_live: _Optional[bool] = ..., problem: _Optional[str] = ...) -> None: ...

class ProviderVariable(_message.Message):
    __slots__ = ("name", "required", "secret", "source")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    required: bool
    secret: bool
    source: VariableSource
    def __init__(self, name: _Optional[str] = ..., required: _Optional[bool] = ..., secret: _Optional[bool] = ..., source: _Optional[_Union[VariableSource, str]] = ...) -> None: ...

class ModelInfo(_message.Message):
    __slots__ = ("name", "display_name")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    display_name: str
    def __init__(self, name: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("max_input_characters", "default_max_retries", "max_max_retries", "default_history_limit", "max_history_limit", "default_iterations_limit", "max_iterations_limit", "max_concurrent_turns")
    MAX_INPUT_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_MAX_RETRIES_FIELD_NUMBER: _ClassVar[int]
    MAX_MAX_RETRIES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_HISTORY_LIMIT_FIELD_NUMBER: _ClassVar[int]
    MAX_HISTORY_LIMIT_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_ITERATIONS_LIMIT_FIELD_NUMBER: _ClassVar[int]
    MAX_ITERATIONS_LIMIT_FIELD_NUMBER: _ClassVar[int]
    MAX_CONCURRENT_TURNS_FIELD_NUMBER: _ClassVar[int]
    max_input_characters: int
    default_max_retries: int
    max_max_retries: int
    default_history_limit: int
    max_history_limit: int
    default_iterations_limit: int
    max_iterations_limit: int
    max_concurrent_turns: int
    def __init__(self, max_input_characters: _Optional[int] = ..., default_max_retries: _Optional[int] = ..., max_max_retries: _Optional[int] = ..., default_history_limit: _Optional[int] = ..., max_history_limit: _Optional[int] = ..., default_iterations_limit: _Optional[int] = ..., max_iterations_limit: _Optional[int] = ..., max_concurrent_turns: _Optional[int] = ...) -> None: ...
