"""What operators see of a turn: the log events and metrics of the specification.

It is told what happened and changes nothing. Text of users and models is never logged; a failed component's code is
cut, because the specification asks for a snippet.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import ParamSpec

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from flowassist.errors import Reason
from flowassist.v1.errors_pb2 import ErrorReason
from flowassist.v1.events_pb2 import (
    STEP_GENERATING_COMPONENT,
    STEP_VALIDATED,
    STEP_VALIDATION_FAILED,
    AssistEvent,
    CancelReason,
    Complete,
    Intent,
    Progress,
)

P = ParamSpec("P")
_SNIPPET = 200
_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300)
logger = structlog.get_logger("flowassist")


class Metrics:
    """The eight metrics of the specification, one of fallbacks, and one of validations outside of turns.

    prometheus-client appends `_total` to counters that lack it.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(name, text, labels, registry=registry)

        self.requests = counter("assistant_requests_total", "Turns that were started")
        self.by_intent = counter("assistant_requests_by_intent", "Turns by intent", "intent")
        self.by_provider = counter("assistant_provider_usage", "Turns by provider", "provider")
        self.fallbacks = counter("assistant_model_fallbacks_total", "Models that could not be had", "provider")
        self.errors = counter("assistant_errors_total", "Turns that ended with an error, by reason", "type")
        self.cancellations = counter("assistant_cancellations_total", "Turns that were cancelled, by reason", "reason")
        self.seconds = Histogram(
            "assistant_generation_duration_seconds", "From request to end", buckets=_SECONDS, registry=registry
        )
        self.attempts = Histogram(
            "assistant_validation_attempts", "Attempts of a component turn", buckets=(1, 2, 3, 4, 5), registry=registry
        )
        self.validations = counter("component_validations_total", "Validations outside of turns, by outcome", "outcome")
        self.first_pass = Gauge(
            "assistant_validation_success_rate",
            "Share of component turns whose first attempt passed",
            registry=registry,
        )


def _harmless(observe: Callable[P, None]) -> Callable[P, None]:
    """A turn must end whatever happens to its log: a full disk or a closed pipe is no reason to hang."""

    @wraps(observe)
    def guarded(*given: P.args, **named: P.kwargs) -> None:
        with suppress(Exception):
            observe(*given, **named)

    return guarded


class Observer:
    """Hears of every turn of this server; nothing that goes wrong here reaches a turn."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.metrics = Metrics(registry)
        self.metrics.first_pass.set(float("nan"))  # no share of nothing: an alert on it must not fire at start
        self._validated_turns = 0
        self._first_passes = 0

    @_harmless
    def begun(self, provider: str) -> None:
        self.metrics.requests.inc()
        self.metrics.by_provider.labels(provider).inc()

    @_harmless
    def understood(self, intent: Intent, rule: str, **who: str) -> None:
        """`rule`: what decided without a model, or empty. `who`: turn_id, user_id, flow_id, provider, model_name."""
        name = _short(Intent.Name(intent), "INTENT_")
        if rule:
            logger.info(f"intent.{name}.deterministic: {rule}", turn_id=who["turn_id"])
        self.metrics.by_intent.labels(name).inc()
        logger.info("assistant.request.started", intent=name, **who)

    @_harmless
    def said(self, turn_id: str, progress: Progress) -> None:
        if progress.step == STEP_GENERATING_COMPONENT:
            logger.info(
                "assistant.generation.attempt",
                turn_id=turn_id,
                attempt=progress.attempt,
                max_retries=progress.max_attempts,
            )
        elif progress.step == STEP_VALIDATED:
            logger.info(
                "assistant.validation.success",
                turn_id=turn_id,
                class_name=progress.class_name,
                attempts=progress.attempt,
            )
        elif progress.step == STEP_VALIDATION_FAILED:
            logger.warning(
                "assistant.validation.failed",
                turn_id=turn_id,
                error=progress.error,
                attempt=progress.attempt,
                class_name=progress.class_name,
            )

    @_harmless
    def call(self, phase: str, counts: dict[str, int | None], **who: str) -> None:
        """`who`: turn_id, user_id, session_id."""
        logger.info("assistant.tokens.phase", phase=phase, **counts, **who)

    @_harmless
    def model_fallback(self, left: str, to: str, provider: str, tried: list[str], **who: str) -> None:
        """`tried`: every model that could not be had until now."""
        self.metrics.fallbacks.labels(provider).inc()
        logger.warning(
            "assistant.model_fallback", **{"from": left}, to=to, provider=provider, tried_so_far=tried, **who
        )

    @_harmless
    def model_remediation(self, applied: str, provider: str, model: str, **who: str) -> None:
        logger.info("assistant.model_remediation", applied=applied, provider=provider, model=model, **who)

    @_harmless
    def model_repeated(self, provider: str, model: str, cause: Exception, **who: str) -> None:
        logger.warning("assistant.model_repeated", provider=provider, model=model, error_message=str(cause), **who)

    @_harmless
    def ended(self, event: AssistEvent, seconds: float) -> None:
        """`event` is the one that sealed the log."""
        self.metrics.seconds.observe(seconds)
        milliseconds = round(seconds * 1000)
        match event.WhichOneof("event"):
            case "complete":
                self._completed(event.turn_id, event.complete, milliseconds)
            case "cancelled":
                reason = _short(CancelReason.Name(event.cancelled.reason), "CANCEL_REASON_")
                self.metrics.cancellations.labels(reason).inc()
                logger.info(
                    "assistant.request.cancelled", turn_id=event.turn_id, reason=reason, duration_ms=milliseconds
                )
            case _:
                self.metrics.errors.labels(_short(ErrorReason.Name(event.error.reason), "ERROR_REASON_")).inc()

    @_harmless
    def failed(self, turn_id: str, reason: Reason, cause: BaseException) -> None:
        """The raw cause, for operators only; a bug with its stack."""
        logger.error(
            "assistant.flow.error",
            turn_id=turn_id,
            error_type=reason.name,
            error_message=f"{type(cause).__name__}: {cause}",
            flow_name="assistant",
            **({"exc_info": cause} if reason is Reason.INTERNAL else {}),
        )

    @_harmless
    def validated(self, class_name: str, error: str, seconds: float, **who: str) -> None:
        """A component outside of a turn, with what is wrong with it if anything. `who`: user_id."""
        self.metrics.validations.labels("failed" if error else "passed").inc()
        logger.info("component.validated", class_name=class_name, error=error, duration_ms=round(seconds * 1000), **who)

    @_harmless
    def unkept(self, turn_id: str, cause: BaseException) -> None:
        logger.error("assistant.memory.failed", turn_id=turn_id, error_type=type(cause).__name__, error=str(cause))

    def _completed(self, turn_id: str, end: Complete, milliseconds: int) -> None:
        logger.info(
            "assistant.request.completed",
            turn_id=turn_id,
            duration_ms=milliseconds,
            validated=end.validated if end.HasField("validated") else None,
            attempts=end.validation_attempts,
        )
        if not end.HasField("validated"):
            return
        self.metrics.attempts.observe(end.validation_attempts)
        self._validated_turns += 1
        self._first_passes += end.validated and end.validation_attempts == 1
        self.metrics.first_pass.set(self._first_passes / self._validated_turns)
        if not end.validated:
            logger.error(
                "assistant.validation.exhausted",
                turn_id=turn_id,
                error=end.validation_error,
                attempts=end.validation_attempts,
                code_snippet=end.component_code[:_SNIPPET],
            )


def _short(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower()
