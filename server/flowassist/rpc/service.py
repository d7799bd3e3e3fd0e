"""AssistantService: parse, begin a turn, read its log."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import grpc

from flowassist.assistant.story import Storyteller
from flowassist.errors import Reason, Refused
from flowassist.models.catalogue import Need
from flowassist.models.offer import Offer, ProviderState
from flowassist.models.registry import Providers
from flowassist.models.resolve import Found, Source
from flowassist.rpc import parse
from flowassist.rpc.owner import owner_of
from flowassist.settings import Settings
from flowassist.turns.turn import Turn
from flowassist.turns.turns import Turns
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.assistant_pb2_grpc import AssistantServiceServicer
from flowassist.v1.events_pb2 import AssistEvent

Context = grpc.aio.ServicerContext[Any, Any]
_SOURCES = {
    Source.UNSET: pb.VARIABLE_SOURCE_UNSET,
    Source.OWNER: pb.VARIABLE_SOURCE_OWNER,
    Source.UNREADABLE: pb.VARIABLE_SOURCE_OWNER,
    Source.ENVIRONMENT: pb.VARIABLE_SOURCE_ENVIRONMENT,
}


@dataclass(frozen=True, slots=True)
class AssistantService(AssistantServiceServicer):
    settings: Settings
    providers: Providers
    turns: Turns
    storyteller: Storyteller

    async def Assist(self, request: pb.AssistRequest, context: Context) -> AsyncIterator[bytes]:  # noqa: N802
        turn = await self._begin(request, context)
        try:
            async for event in turn.log.read():
                yield event
        finally:
            self.turns.left(turn)

    async def AssistOnce(self, request: pb.AssistRequest, context: Context) -> pb.AssistOnceResponse:  # noqa: N802
        turn = await self._begin(request, context)
        response = pb.AssistOnceResponse(turn_id=turn.id)
        try:
            async for event in turn.log.read():
                _collect(response, AssistEvent.FromString(event))
        finally:
            self.turns.left(turn)
        return response

    async def CheckConfig(self, request: pb.CheckConfigRequest, context: Context) -> pb.CheckConfigResponse:  # noqa: ARG002, N802
        offer = await self._readable_offer(owner_of(context.invocation_metadata() or (), self.settings.owners))
        states, default = await offer.states(), await offer.default()
        response = pb.CheckConfigResponse(
            enabled=self.settings.assistant_enabled,
            configured=any(state.configured for state in states),
            configured_providers=[state.id for state in states if state.configured],
            providers=[_provider(state) for state in states],
            limits=_limits(self.settings),
        )
        if default is not None:
            response.default_provider, response.default_model = default
        return response

    async def _readable_offer(self, owner: str) -> Offer:
        """What `owner` has; by the server's environment alone while the owner's variables cannot be read."""
        try:
            return await self.providers.of(owner)
        except Refused as refused:
            return await self.providers.without_own(owner, f"your own variables were not read: {refused}")

    async def _begin(self, request: pb.AssistRequest, context: Context) -> Turn:
        owner = owner_of(context.invocation_metadata() or (), self.settings.owners)
        if not self.settings.assistant_enabled:
            raise Refused(Reason.ASSISTANT_DISABLED)
        asked = parse.asked_of(request, self.settings, context.time_remaining())
        offer = await self.providers.of(owner)
        lineups = await offer.lineups(*(_given(request, field) for field in ("provider", "model_name", "key_variable")))
        asked = replace(asked, deadline=context.time_remaining())  # a list of models may have taken its time
        return self.turns.begin(asked, owner, lineups, self.storyteller.tell)


def _given(request: pb.AssistRequest, field: str) -> str | None:
    return getattr(request, field) if request.HasField(field) else None


def _collect(response: pb.AssistOnceResponse, event: AssistEvent) -> None:
    match event.WhichOneof("event"):
        case "token":
            response.text += event.token.chunk
        case "complete":
            response.complete.CopyFrom(event.complete)
        case "error":
            response.error.CopyFrom(event.error)
        case "cancelled":
            response.cancelled.CopyFrom(event.cancelled)


def _provider(state: ProviderState) -> pb.ProviderInfo:
    return pb.ProviderInfo(
        name=state.id,
        display_name=state.display_name,
        configured=state.configured,
        missing=state.missing or None,
        default_model=state.default_model,
        models=[pb.ModelInfo(name=model.name, display_name=model.display_name) for model in state.models],
        variables=map(_variable, state.variables),
        models_are_live=state.live,
        problem=state.problem or None,
    )


def _variable(found: Found) -> pb.ProviderVariable:
    return pb.ProviderVariable(
        name=found.variable.name,
        required=found.variable.need is Need.ALWAYS,
        secret=found.variable.is_secret,
        source=_SOURCES[found.source],
    )


def _limits(settings: Settings) -> pb.Limits:
    return pb.Limits(
        max_input_characters=settings.max_input_characters,
        default_max_retries=parse.DEFAULT_RETRIES,
        max_max_retries=parse.MAX_RETRIES,
        default_history_limit=settings.history_turns,
        max_history_limit=parse.MAX_HISTORY,
        default_iterations_limit=parse.DEFAULT_ITERATIONS,
        max_iterations_limit=parse.MAX_ITERATIONS,
        max_concurrent_turns=settings.max_concurrent_turns,
    )
