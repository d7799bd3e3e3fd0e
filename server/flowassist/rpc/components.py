"""ComponentService: which components there are, what each is, and whether code is one.

The largest node takes some tenths of a second to become a message: descriptions are made in a thread.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc

from flowassist.components.check import check
from flowassist.components.described import OWN_CATEGORY, describe, own, summarised
from flowassist.components.library import Library
from flowassist.components.report import Verdict
from flowassist.components.source import MAX_BYTES
from flowassist.errors import Reason, Refused
from flowassist.rpc import described
from flowassist.rpc.admission import Admission
from flowassist.rpc.described import BUILT_IN, OWN
from flowassist.rpc.owner import owner_of
from flowassist.sandbox.boundary import SandboxBusy, SandboxUnavailable
from flowassist.sandbox.supervisor import Sandbox
from flowassist.settings import Settings
from flowassist.store.components import Kept
from flowassist.store.store import Store
from flowassist.telemetry.observer import Observer
from flowassist.v1 import components_pb2 as pb
from flowassist.v1.components_pb2_grpc import ComponentServiceServicer

LONGEST_NAME = 200
Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class ComponentService(ComponentServiceServicer):
    settings: Settings
    store: Store
    sandbox: Sandbox
    library: Library
    observer: Observer
    admission: Admission

    async def ListComponentTypes(  # noqa: N802
        self, request: pb.ListComponentTypesRequest, context: Context
    ) -> pb.ListComponentTypesResponse:
        mine, origin = self.store.of(self._owner(context)), _origin(request.origin)
        index = await self.library.index()
        types: list[pb.ComponentType] = []
        if origin != OWN:
            types += [described.component_type(entry.type, BUILT_IN) for entry in index.types.values()]
        if origin != BUILT_IN:
            types += [
                described.component_type(summarised(one.summary), OWN, one.validated_at)
                for one in await mine.list_components()
            ]
        found = sorted(_matching(types, request), key=lambda one: (one.name.casefold(), one.name, one.origin))
        return pb.ListComponentTypesResponse(types=found, lfx_version=index.version)

    async def DescribeComponentType(  # noqa: N802
        self, request: pb.DescribeComponentTypeRequest, context: Context
    ) -> pb.DescribeComponentTypeResponse:
        mine, name, origin = self.store.of(self._owner(context)), _name(request.name), _origin(request.origin)
        if origin != BUILT_IN and (kept := await mine.component(name)):
            return await asyncio.to_thread(_own, kept)
        if origin != OWN and (built_in := (await self.library.index()).types.get(name)):
            return await asyncio.to_thread(lambda: described.description(built_in.describe(), BUILT_IN))
        raise Refused(Reason.COMPONENT_TYPE_NOT_FOUND, name=name)

    async def ValidateComponent(  # noqa: N802
        self, request: pb.ValidateComponentRequest, context: Context
    ) -> pb.ValidateComponentResponse:
        owner, code = self._owner(context), _code(request.code)
        return await self.admission.through(partial(self._validated, owner, code, request.register))

    async def ForgetComponentType(  # noqa: N802
        self, request: pb.ForgetComponentTypeRequest, context: Context
    ) -> pb.ForgetComponentTypeResponse:
        await self.store.of(self._owner(context)).forget_component(_name(request.name))
        return pb.ForgetComponentTypeResponse()

    def _owner(self, context: Context) -> str:
        owner = owner_of(context.invocation_metadata() or (), self.settings.owners)
        if not self.settings.assistant_enabled:
            raise Refused(Reason.ASSISTANT_DISABLED)
        return owner

    async def _validated(self, owner: str, code: str, register: bool) -> pb.ValidateComponentResponse:
        began = time.monotonic()
        verdict = await self._verdict(owner, code)
        self.observer.validated(verdict.class_name, verdict.error, time.monotonic() - began, user_id=owner)
        kept_at = await self.store.of(owner).keep_component(own(verdict)) if register and verdict.ok else None
        return await asyncio.to_thread(described.validated, verdict, kept_at)

    async def _verdict(self, owner: str, code: str) -> Verdict:
        try:
            return await check(code, self.sandbox, owner=owner)
        except SandboxBusy as busy:
            raise Refused(Reason.SANDBOX_BUSY, limit=str(busy.limit)) from busy
        except SandboxUnavailable as gone:
            raise Refused(Reason.SANDBOX_UNAVAILABLE) from gone


def _own(kept: Kept) -> pb.DescribeComponentTypeResponse:
    told = describe(kept.component.name, OWN_CATEGORY, kept.component.node)
    return described.description(told, OWN, kept.validated_at)


def _matching(types: Iterable[pb.ComponentType], request: pb.ListComponentTypesRequest) -> Iterable[pb.ComponentType]:
    words = request.query.casefold().split()
    for one in types:
        text = "\n".join((one.name, one.display_name, one.description, one.category)).casefold()
        if request.category in {"", one.category} and all(word in text for word in words):
            yield one


def _origin(origin: int) -> int:
    """Raises Refused for one that only a later version has."""
    if origin not in pb.ComponentOrigin.values():
        raise Refused(Reason.FIELD_NOT_SERVED, field="origin")
    return origin


def _name(name: str) -> str:
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise Refused(Reason.COMPONENT_NAME_INVALID, field="name", limit=str(LONGEST_NAME))
    return name


def _code(code: str) -> str:
    if not code.strip():
        raise Refused(Reason.CODE_EMPTY, field="code")
    if (length := len(code.encode())) > MAX_BYTES:
        raise Refused(Reason.CODE_TOO_LONG, field="code", limit=str(MAX_BYTES), length=str(length))
    return code
