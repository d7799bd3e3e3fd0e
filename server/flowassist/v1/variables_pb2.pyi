import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SetVariableRequest(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class SetVariableResponse(_message.Message):
    __slots__ = ("variable",)
    VARIABLE_FIELD_NUMBER: _ClassVar[int]
    variable: Variable
    def __init__(self, variable: _Optional[_Union[Variable, _Mapping]] = ...) -> None: ...

class ListVariablesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListVariablesResponse(_message.Message):
    __slots__ = ("variables",)
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    variables: _containers.RepeatedCompositeFieldContainer[Variable]
    def __init__(self, variables: _Optional[_Iterable[_Union[Variable, _Mapping]]] = ...) -> None: ...

class DeleteVariableRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class DeleteVariableResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Variable(_message.Message):
    __slots__ = ("name", "updated_at", "providers", "unreadable")
    NAME_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    name: str
    updated_at: _timestamp_pb2.Timestamp
    providers: _containers.RepeatedScalarFieldContainer[str]
    unreadable: bool
    def __init__(self, name: _Optional[str] = ..., updated_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., providers: _Optional[_Iterable[str]] = ..., unreadable: _Optional[bool] = ...) -> None: ...
