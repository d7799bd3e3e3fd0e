import datetime

from flowassist.v1 import events_pb2 as _events_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ComponentOrigin(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPONENT_ORIGIN_UNSPECIFIED: _ClassVar[ComponentOrigin]
    COMPONENT_ORIGIN_BUILT_IN: _ClassVar[ComponentOrigin]
    COMPONENT_ORIGIN_OWN: _ClassVar[ComponentOrigin]
COMPONENT_ORIGIN_UNSPECIFIED: ComponentOrigin
COMPONENT_ORIGIN_BUILT_IN: ComponentOrigin
COMPONENT_ORIGIN_OWN: ComponentOrigin

class ListComponentTypesRequest(_message.Message):
    __slots__ = ("query", "category", "origin")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    query: str
    category: str
    origin: ComponentOrigin
    def __init__(self, query: _Optional[str] = ..., category: _Optional[str] = ..., origin: _Optional[_Union[ComponentOrigin, str]] = ...) -> None: ...

class ListComponentTypesResponse(_message.Message):
    __slots__ = ("types", "lfx_version")
    TYPES_FIELD_NUMBER: _ClassVar[int]
    LFX_VERSION_FIELD_NUMBER: _ClassVar[int]
    types: _containers.RepeatedCompositeFieldContainer[ComponentType]
    lfx_version: str
    def __init__(self, types: _Optional[_Iterable[_Union[ComponentType, _Mapping]]] = ..., lfx_version: _Optional[str] = ...) -> None: ...

class DescribeComponentTypeRequest(_message.Message):
    __slots__ = ("name", "origin")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    name: str
    origin: ComponentOrigin
    def __init__(self, name: _Optional[str] = ..., origin: _Optional[_Union[ComponentOrigin, str]] = ...) -> None: ...

class DescribeComponentTypeResponse(_message.Message):
    __slots__ = ("type", "inputs", "outputs", "code", "node")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    NODE_FIELD_NUMBER: _ClassVar[int]
    type: ComponentType
    inputs: _containers.RepeatedCompositeFieldContainer[ComponentInput]
    outputs: _containers.RepeatedCompositeFieldContainer[ComponentOutput]
    code: str
    node: _struct_pb2.Struct
    def __init__(self, type: _Optional[_Union[ComponentType, _Mapping]] = ..., inputs: _Optional[_Iterable[_Union[ComponentInput, _Mapping]]] = ..., outputs: _Optional[_Iterable[_Union[ComponentOutput, _Mapping]]] = ..., code: _Optional[str] = ..., node: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class ValidateComponentRequest(_message.Message):
    __slots__ = ("code", "register")
    CODE_FIELD_NUMBER: _ClassVar[int]
    REGISTER_FIELD_NUMBER: _ClassVar[int]
    code: str
    register: bool
    def __init__(self, code: _Optional[str] = ..., register: _Optional[bool] = ...) -> None: ...

class ValidateComponentResponse(_message.Message):
    __slots__ = ("validated", "class_name", "error", "report", "description")
    VALIDATED_FIELD_NUMBER: _ClassVar[int]
    CLASS_NAME_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    validated: bool
    class_name: str
    error: str
    report: _events_pb2.ValidationReport
    description: DescribeComponentTypeResponse
    def __init__(self, validated: _Optional[bool] = ..., class_name: _Optional[str] = ..., error: _Optional[str] = ..., report: _Optional[_Union[_events_pb2.ValidationReport, _Mapping]] = ..., description: _Optional[_Union[DescribeComponentTypeResponse, _Mapping]] = ...) -> None: ...

class ForgetComponentTypeRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ForgetComponentTypeResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ComponentType(_message.Message):
    __slots__ = ("name", "display_name", "description", "category", "origin", "icon", "legacy", "beta", "validated_at", "packages")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    ICON_FIELD_NUMBER: _ClassVar[int]
    LEGACY_FIELD_NUMBER: _ClassVar[int]
    BETA_FIELD_NUMBER: _ClassVar[int]
    VALIDATED_AT_FIELD_NUMBER: _ClassVar[int]
    PACKAGES_FIELD_NUMBER: _ClassVar[int]
    name: str
    display_name: str
    description: str
    category: str
    origin: ComponentOrigin
    icon: str
    legacy: bool
    beta: bool
    validated_at: _timestamp_pb2.Timestamp
    packages: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., display_name: _Optional[str] = ..., description: _Optional[str] = ..., category: _Optional[str] = ..., origin: _Optional[_Union[ComponentOrigin, str]] = ..., icon: _Optional[str] = ..., legacy: _Optional[bool] = ..., beta: _Optional[bool] = ..., validated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., packages: _Optional[_Iterable[str]] = ...) -> None: ...

class ComponentInput(_message.Message):
    __slots__ = ("name", "display_name", "info", "kind", "value_type", "required", "advanced", "hidden", "list", "tool_mode", "secret", "default_value", "options", "accepts")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    INFO_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    VALUE_TYPE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    ADVANCED_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    TOOL_MODE_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_VALUE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    display_name: str
    info: str
    kind: str
    value_type: str
    required: bool
    advanced: bool
    hidden: bool
    list: bool
    tool_mode: bool
    secret: bool
    default_value: _struct_pb2.Value
    options: _containers.RepeatedScalarFieldContainer[str]
    accepts: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., display_name: _Optional[str] = ..., info: _Optional[str] = ..., kind: _Optional[str] = ..., value_type: _Optional[str] = ..., required: _Optional[bool] = ..., advanced: _Optional[bool] = ..., hidden: _Optional[bool] = ..., list: _Optional[bool] = ..., tool_mode: _Optional[bool] = ..., secret: _Optional[bool] = ..., default_value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., options: _Optional[_Iterable[str]] = ..., accepts: _Optional[_Iterable[str]] = ...) -> None: ...

class ComponentOutput(_message.Message):
    __slots__ = ("name", "display_name", "method", "types")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    name: str
    display_name: str
    method: str
    types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., display_name: _Optional[str] = ..., method: _Optional[str] = ..., types: _Optional[_Iterable[str]] = ...) -> None: ...
