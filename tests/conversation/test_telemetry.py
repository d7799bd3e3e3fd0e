"""What operators see of a turn."""

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from flowassist.telemetry.observer import Observer
from tests.conversation.conftest import House
from tests.conversation.scenarios import ALWAYS_BAD, BAD_THEN_GOOD, FIRST_TRY, QUESTION, Scenario
from tests.vendors.script import Fail, Hang

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def logged(house: House, scenario: Scenario) -> list[dict[str, object]]:
    with house.scripted("openai", *scenario.answers, intents=scenario.intents), capture_logs() as entries:
        await house.assist(input_value=scenario.text, provider="openai", **scenario.fields)
    return [dict(entry) for entry in entries]


def names(entries: list[dict[str, object]]) -> list[object]:
    return [entry["event"] for entry in entries]


async def test_the_log_of_a_component_turn(house: House) -> None:
    entries = await logged(house, BAD_THEN_GOOD)
    assert names(entries) == [
        "assistant.tokens.phase",
        "assistant.request.started",
        "assistant.generation.attempt",
        "assistant.tokens.phase",
        "assistant.validation.failed",
        "assistant.generation.attempt",
        "assistant.tokens.phase",
        "assistant.validation.success",
        "assistant.request.completed",
    ]
    phase, started, attempt, *_ = entries
    assert phase | {"phase": "intent", "input": 7, "output": 3, "total": 10, "user_id": "local"} == phase
    assert (
        started | {"intent": "generate_component", "provider": "openai", "user_id": "local", "flow_id": ""} == started
    )
    assert attempt | {"attempt": 1, "max_retries": 3} == attempt
    failed, success, completed = entries[4], entries[7], entries[8]
    assert (failed["log_level"], failed["attempt"], failed["class_name"]) == ("warning", 1, "TextUppercase")
    assert success | {"class_name": "TextUppercase", "attempts": 2} == success
    assert completed | {"validated": True, "attempts": 2} == completed
    assert isinstance(completed["duration_ms"], int)


async def test_the_log_of_attempts_that_all_fail(house: House) -> None:
    exhausted = (await logged(house, ALWAYS_BAD))[-1]
    assert exhausted["event"] == "assistant.validation.exhausted"
    assert exhausted["log_level"] == "error"
    assert exhausted["attempts"] == 2
    assert len(str(exhausted["code_snippet"])) <= 200


async def test_the_log_of_a_failure_has_the_cause_that_the_user_does_not_get(house: House) -> None:
    with (
        house.scripted("openai", Fail(401, message="who are you"), intents=QUESTION.intents),
        capture_logs() as entries,
    ):
        await house.assist(input_value="hello flows", provider="openai")
    failed = entries[-1]
    assert failed | {"event": "assistant.flow.error", "error_type": "MODEL_AUTHENTICATION"} == failed
    assert "who are you" in failed["error_message"]


async def test_the_log_of_a_cancelled_turn(house: House) -> None:
    with house.scripted("openai", intents=(Hang(),)), capture_logs() as entries:
        await house.assist_within(0.3, input_value="hello flows", provider="openai")
    assert entries[-1] | {"event": "assistant.request.cancelled", "reason": "deadline"} == entries[-1]


METRICS = {
    "assistant_requests_total": 1.0,
    "assistant_requests_by_intent_total{intent=generate_component}": 1.0,
    "assistant_provider_usage_total{provider=openai}": 1.0,
    "assistant_generation_duration_seconds_count": 1.0,
    "assistant_validation_attempts_count": 1.0,
}


def samples(registry: CollectorRegistry) -> dict[str, float]:
    return {
        sample.name + "".join(f"{{{key}={value}}}" for key, value in sample.labels.items()): sample.value
        for metric in registry.collect()
        for sample in metric.samples
    }


async def test_the_metrics_of_a_component_turn(house: House) -> None:
    before = samples(house.app.registry)
    await logged(house, FIRST_TRY)
    after = samples(house.app.registry)
    assert {name: after[name] - before.get(name, 0) for name in METRICS} == METRICS
    assert 0 < after["assistant_validation_success_rate"] <= 1


async def test_errors_and_cancellations_are_counted_by_their_reason(house: House) -> None:
    before = samples(house.app.registry)
    with house.scripted("openai", Fail(401), intents=QUESTION.intents):
        await house.assist(input_value="hello flows", provider="openai")
    with house.scripted("openai", intents=(Hang(),)):
        await house.assist_within(0.3, input_value="hello flows", provider="openai")
    after = samples(house.app.registry)
    for name in ("assistant_errors_total{type=model_authentication}", "assistant_cancellations_total{reason=deadline}"):
        assert after[name] - before.get(name, 0) == 1


async def test_the_eight_metrics_of_the_specification_exist_and_two_more() -> None:
    registry = CollectorRegistry()
    Observer(registry)
    assert {metric.name for metric in registry.collect()} == {
        "assistant_requests",
        "assistant_requests_by_intent",
        "assistant_provider_usage",
        "assistant_model_fallbacks",
        "assistant_errors",
        "assistant_cancellations",
        "assistant_generation_duration_seconds",
        "assistant_validation_attempts",
        "assistant_validation_success_rate",
        "component_validations",
    }
