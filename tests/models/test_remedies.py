import pytest

from flowassist.models.model import ModelError, Remedy, Trouble
from flowassist.models.remedies import remedy_of

NOT_WITH_TOOLS = (
    "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. "
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
)

BY_PARAMETER = [
    ("unsupported_value", "temperature", Remedy.NO_TEMPERATURE),
    ("unsupported_parameter", "temperature", Remedy.NO_TEMPERATURE),
    ("unsupported_parameter", "max_tokens", Remedy.NEW_LIMIT),
    ("unsupported_parameter", "max_completion_tokens", Remedy.OLD_LIMIT),
    ("unsupported_value", "response_format", Remedy.NO_SCHEMA),
    ("unsupported_parameter", "text.format", Remedy.NO_SCHEMA),
    ("extra_forbidden", "stream_options", Remedy.NO_USAGE),
    ("extra_forbidden", "stream_options.include_usage", Remedy.NO_USAGE),
    ("unknown_parameter", "stream_options", Remedy.NO_USAGE),
    ("invalid_json_schema", "text.format.schema", Remedy.NO_SCHEMA),
    ("invalid_function_parameters", "tools[0].function.parameters", None),
    ("unsupported_value", "messages", None),
    ("unsupported_value", "", None),
    ("unsupported_value", "stream", None),
    ("unsupported_value", "temperatures", None),
    ("decimal_above_max_value", "temperature", None),
    ("context_length_exceeded", "max_tokens", None),
    ("invalid_api_key", "temperature", None),
]
BY_WORDS = [
    ("JSON mode is not enabled for models/gemma-3-27b-it", Remedy.NO_SCHEMA),
    ("This model does not support output format", Remedy.NO_SCHEMA),
    ("response_format value as json_schema is enabled only for api versions 2024-08-01 and later", Remedy.NO_SCHEMA),
    (NOT_WITH_TOOLS, Remedy.RESPONSES),
    ("Function tools with reasoning_effort are not supported", Remedy.RESPONSES),
    ("To use function tools, use /v1/responses", Remedy.RESPONSES),
    ("This is not a chat model and thus not supported in the v1/chat/completions endpoint.", Remedy.RESPONSES),
    ("This model is only supported in v1/responses and not in v1/chat/completions.", Remedy.RESPONSES),
    ("`temperature` is deprecated for this model.", Remedy.NO_TEMPERATURE),
    ("temperature is deprecated for this model", Remedy.NO_TEMPERATURE),
    ("temperature is deprecated", Remedy.NO_TEMPERATURE),
    ("Unsupported parameter: 'temperature' is not supported with this model.", Remedy.NO_TEMPERATURE),
    ("Unsupported value: 'temperature' does not support 0.1 with this model.", Remedy.NO_TEMPERATURE),
    ("'temperature' is not supported", Remedy.NO_TEMPERATURE),
    ("'temperature' does not support", Remedy.NO_TEMPERATURE),
    ("temperature does not support 0.1 with this model", Remedy.NO_TEMPERATURE),
    ("`temperature` may only be set to 1 when thinking is enabled", Remedy.NO_TEMPERATURE),
    ("Unrecognized request argument supplied: temperature", Remedy.NO_TEMPERATURE),
    (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        Remedy.NEW_LIMIT,
    ),
    ("Unsupported parameter: 'max_tokens'", Remedy.NEW_LIMIT),
    ("Unrecognized request argument supplied: max_completion_tokens", Remedy.OLD_LIMIT),
    ("Unrecognized request arguments supplied: max_completion_tokens", Remedy.OLD_LIMIT),
    ('Unknown name "max_completion_tokens": Cannot find field.', Remedy.OLD_LIMIT),
    ("'max_completion_tokens' is not supported. Use 'max_tokens' instead.", Remedy.OLD_LIMIT),
    (
        "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs…', 'input': 9}]",
        Remedy.OLD_LIMIT,
    ),
    ("body -> stream_options: extra fields not permitted", Remedy.NO_USAGE),
    ("stream_options: Extra inputs are not permitted", Remedy.NO_USAGE),
    ("Unknown parameter: 'stream_options'.", Remedy.NO_USAGE),
    ("Unrecognized request argument supplied: stream_options", Remedy.NO_USAGE),
    ("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", Remedy.NO_SCHEMA),
    ("This response_format type is unavailable now", Remedy.NO_SCHEMA),
    ("'response_format.type' must be 'text' or 'json_object'", Remedy.NO_SCHEMA),
    ("This model does not support response format `json_schema`.", Remedy.NO_SCHEMA),
    ("The endpoint does not support structured outputs", Remedy.NO_SCHEMA),
    ("json_schema is not supported", Remedy.NO_SCHEMA),
    ("Invalid schema for response_format 'intent': In context=(), 'required' is missing", Remedy.NO_SCHEMA),
    ("invalid JSON schema for response_format: 'intent'", Remedy.NO_SCHEMA),
    ("Function calling with a response mime type: 'application/json' is unsupported", Remedy.NO_SCHEMA),
    ("output_config.format.schema: Schema is too complex.", Remedy.NO_SCHEMA),
]
NOTHING_TO_DO = [
    "",
    "messages: at least one is required",
    "temperature must be between 0 and 2",
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
    "The temperature is not supported by the weather data that you sent",
    "What is the temperature in Oslo? It is deprecated to ask.",
    "mytemperature is deprecated for this model",
    "'temperatures' is not supported",
    "max_tokens must be at least 1",
    "max_tokens is too large: 64000. This model supports at most 16384 completion tokens",
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    "The model `gpt-4o` does not exist",
    "does not support tools",
    "use function tools sparingly",
    "This is not a chat model",
    "extra fields not permitted: name",
]


@pytest.mark.parametrize(("code", "param", "remedy"), BY_PARAMETER)
def test_the_parameter_decides_first(code: str, param: str, remedy: Remedy | None) -> None:
    error = ModelError(Trouble.BAD_REQUEST, "no words that say more", status=400, code=code, param=param)
    assert remedy_of(error) is remedy


@pytest.mark.parametrize(("text", "remedy"), BY_WORDS)
@pytest.mark.parametrize("status", [200, 400, 404, 422])
def test_then_the_words(status: int, text: str, remedy: Remedy) -> None:
    assert remedy_of(ModelError(Trouble.BAD_REQUEST, text, status=status)) is remedy


@pytest.mark.parametrize("text", NOTHING_TO_DO)
def test_other_complaints_have_no_remedy(text: str) -> None:
    assert remedy_of(ModelError(Trouble.BAD_REQUEST, text, status=400)) is None


@pytest.mark.parametrize("status", [None, 401, 403, 408, 413, 429, 500, 503])
def test_only_a_refused_request_has_one(status: int | None) -> None:
    named = {"code": "unsupported_value", "param": "temperature"}
    assert remedy_of(ModelError(Trouble.OVERLOADED, NOT_WITH_TOOLS, status=status, **named)) is None


def test_every_remedy_is_found() -> None:
    assert {remedy for _, remedy in BY_WORDS} == set(Remedy)
