from dataclasses import replace

import pytest

from flowassist.models.model import Finish, ModelError, Reply, Usage
from flowassist.models.providers import groq, openai
from tests.models.conftest import CALL
from tests.models.providers.conftest import staged
from tests.vendors.script import Fail, Raw, Say


async def test_a_plain_request() -> None:
    async with staged("groq", Say("yes"), model="openai/gpt-oss-120b") as (ask, vendor):
        await ask(replace(CALL, temperature=0.1))
    body = vendor.requests[0].body
    assert vendor.requests[0].path == "/openai/v1/chat/completions"
    assert (body["model"], body["max_completion_tokens"], body["temperature"]) == ("openai/gpt-oss-120b", 100, 0.1)


async def test_usage_stands_in_a_field_of_its_own() -> None:
    async with staged("groq", Say("text")) as (ask, _):
        assert await ask(CALL) == Reply("text", Finish.STOP, Usage(10, 5, 15))


async def test_usage_in_the_usual_place_counts() -> None:
    chunk = (
        b'data: {"choices": [{"finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 2, '
        b'"total_tokens": 3}, "x_groq": {"id": "r", "usage": {"prompt_tokens": 9}}}\n\n'
    )
    async with staged("groq", Raw((chunk,))) as (ask, _):
        assert (await ask(CALL)).usage == Usage(1, 2, 3)


async def test_a_stream_may_be_stopped_with_an_error_in_that_field() -> None:
    body = b'data: {"choices": [{"delta": {"content": "so far"}}], "x_groq": {"id": "r", "error": "over capacity"}}\n\n'
    async with staged("groq", Raw((body,))) as (ask, _):
        with pytest.raises(ModelError, match="over capacity"):
            await ask(CALL)


@pytest.mark.parametrize("code", ["tool_use_failed", "json_validate_failed"])
async def test_what_the_model_wrote_wrongly_is_told_by_its_code(code: str) -> None:
    async with staged("groq", Fail(400, code, "Failed to generate.")) as (ask, _):
        with pytest.raises(ModelError) as caught:
            await ask(CALL)
    assert (caught.value.code, caught.value.said) == (code, "Failed to generate.")


async def test_a_model_bears_the_name_of_its_provider() -> None:
    async with staged("groq", model="llama-3.3-70b-versatile") as (ask, _):
        assert (ask.model.provider, ask.model.name) == ("groq", "llama-3.3-70b-versatile")
        assert ask.model.lessons.possible == openai.CHAT
    assert groq.WIRE.base_url == "https://api.groq.com/openai/v1"
