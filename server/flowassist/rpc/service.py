"""AssistantService: parse, begin a turn, read its log."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc

from flowassist.assistant.story import Storyteller
from flowassist.errors import Reason, Refused
from flowassist.models.registry import Providers, ProviderState
from flowassist.rpc import parse
from flowassist.rpc.owner import owner_of
from flowassist.settings import Settings
from flowassist.turns.turn import Turn
from flowassist.turns.turns import Turns
from flowassist.v1 import assistant_pb2 as pb
from flowassist.v1.assistant_pb2_grpc import AssistantServiceServicer
from flowassist.v1.events_pb2 import AssistEvent

Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(frozen=True, slots=True)
class AssistantService(AssistantServiceServicer):
    settings: Settings
    providers: Providers
    turns: Turns
    storyteller: Storyteller

    async def Assist(self, request: pb.AssistRequest, context: Context) -> AsyncIterator[bytes]:  # noqa: N802
        turn = self._begin(request, context)
        try:
            async for event in turn.log.read():
                yield event
        finally:
            self.turns.left(turn)

    async def AssistOnce(self, request: pb.AssistRequest, context: Context) -> pb.AssistOnceResponse:  # noqa: N802
        turn = self._begin(request, context)
        response = pb.AssistOnceResponse(turn_id=turn.id)
        try:
            async for event in turn.log.read():
                _collect(response, AssistEvent.FromString(event))
        finally:
            self.turns.left(turn)
        return response

    async def CheckConfig(self, request: pb.CheckConfigRequest, context: Context) -> pb.CheckConfigResponse:  # noqa: ARG002, N802
        owner_of(context.invocation_metadata() or (), self.settings.owners)
        states = self.providers.states()
        default = self.providers.default()
        response = pb.CheckConfigResponse(
            enabled=self.settings.assistant_enabled,
            configured=default is not None,
            configured_providers=[state.id for state in states if state.configured],
            providers=[_provider(state) for state in states],
            limits=_limits(self.settings),
        )
        if default is not None:
            response.default_provider, response.default_model = default
        return response

    def _begin(self, request: pb.AssistRequest, context: Context) -> Turn:
        owner = owner_of(context.invocation_metadata() or (), self.settings.owners)
        if not self.settings.assistant_enabled:
            raise Refused(Reason.ASSISTANT_DISABLED)
        asked = parse.asked_of(request, self.settings, context.time_remaining())
        model = self.providers.open(_given(request, "provider"), _given(request, "model_name"))
        return self.turns.begin(asked, owner, model, self.storyteller.tell)


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
