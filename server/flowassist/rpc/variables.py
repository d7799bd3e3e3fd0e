"""VariableService: a caller's own keys and addresses. Values come in and never go out."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import grpc

from flowassist.errors import Reason, Refused
from flowassist.rpc.owner import owner_of
from flowassist.secret import Secret
from flowassist.settings import Settings
from flowassist.store.store import Owned, Store
from flowassist.store.variables import Variable
from flowassist.v1 import variables_pb2 as pb
from flowassist.v1.variables_pb2_grpc import VariableServiceServicer

LONGEST_VALUE = 8192
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class VariableService(VariableServiceServicer):
    """`readers` tells the ids of the providers that read a name."""

    settings: Settings
    store: Store
    readers: Callable[[str], Iterable[str]]

    async def SetVariable(self, request: pb.SetVariableRequest, context: Context) -> pb.SetVariableResponse:  # noqa: N802
        mine = self._of(context)
        variable = await mine.set_variable(_name(request.name), _value(request.value))
        return pb.SetVariableResponse(variable=self._told(variable))

    async def ListVariables(self, request: pb.ListVariablesRequest, context: Context) -> pb.ListVariablesResponse:  # noqa: ARG002, N802
        found = await self._of(context).list_variables()
        return pb.ListVariablesResponse(variables=map(self._told, found))

    async def DeleteVariable(self, request: pb.DeleteVariableRequest, context: Context) -> pb.DeleteVariableResponse:  # noqa: N802
        await self._of(context).delete_variable(_name(request.name))
        return pb.DeleteVariableResponse()

    def _of(self, context: Context) -> Owned:
        owner = owner_of(context.invocation_metadata() or (), self.settings.owners)
        if not self.settings.assistant_enabled:
            raise Refused(Reason.ASSISTANT_DISABLED)
        return self.store.of(owner)

    def _told(self, variable: Variable) -> pb.Variable:
        told = pb.Variable(name=variable.name, providers=self.readers(variable.name), unreadable=variable.unreadable)
        told.updated_at.FromDatetime(variable.updated_at)
        return told


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise Refused(Reason.VARIABLE_NAME_INVALID, field="name")
    return name


def _value(value: str) -> Secret:
    bare = value.strip()
    if not (0 < len(bare) <= LONGEST_VALUE and bare.isprintable()):
        raise Refused(Reason.VARIABLE_VALUE_INVALID, field="value", limit=str(LONGEST_VALUE))
    return Secret(bare)
