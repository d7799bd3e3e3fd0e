"""What lfx, frameworks and SDKs say of a failed call, as text."""

import pytest

from flowassist.models.model import Trouble
from flowassist.models.providers.failures.wrapped import fault_of_text, unwrapped

REPR = (
    "Error code: 403 - {'error': {'message': 'Project `proj_x` does not have access to model `gpt-4o`', "
    "'type': 'invalid_request_error', 'param': None, 'code': 'model_not_found'}}"
)
RETIRED = (
    "Error calling model 'gemini-2.5-pro' (NOT_FOUND): 404 NOT_FOUND. {'error': {'code': 404, 'message': 'This model "
    "models/gemini-2.5-pro is no longer available to new users.', 'status': 'NOT_FOUND'}}"
)
WATSONX = (
    "Failure during chat. (POST https://us-south.ml.cloud.ibm.com/ml/v1/text/chat?version=1)\nStatus code: 404, body: "
    '{"errors":[{"code":"model_not_supported","message":"Model \'x/y\' is not supported"}],"status_code":404}'
)
TOOL_CALL = (
    'error parsing tool call: raw=\'{"message": "rate limit", "code": 401}\', err=unexpected end (status code: 500)'
)
RECURSION = (
    "Recursion limit of 25 reached without hitting a stop condition. You can increase the limit by setting the "
    "`recursion_limit` config key.\nFor troubleshooting, visit: https://example.org/errors/GRAPH_RECURSION_LIMIT"
)
INPUT_SCHEMA = "1 validation error for InputSchema\nquery\n  Input should be a valid string [type=string_type]"

FRIENDLY = [
    ("Error 429: Too many requests", Trouble.RATE_LIMITED),
    ("Invalid api_key", Trouble.AUTHENTICATION),
    ("Error code: 401", Trouble.AUTHENTICATION),
    ("401 Unauthorized", Trouble.AUTHENTICATION),
    ("OPENAI_API_KEY is not set", Trouble.AUTHENTICATION),
    ("Insufficient credits", Trouble.QUOTA),
    ("Connection timed out", Trouble.TIMEOUT),
    ("Connection refused", Trouble.UNREACHABLE),
    ("500 Internal Server Error", Trouble.OVERLOADED),
    ("Model gpt-5 not found", Trouble.NOT_AVAILABLE),
    (INPUT_SCHEMA, Trouble.MALFORMED),
    ("Content blocked by safety filter", Trouble.REFUSED),
    ("x" * 200, Trouble.BAD_REQUEST),
    (RECURSION, Trouble.TOO_MANY_STEPS),
    (TOOL_CALL, Trouble.MALFORMED),
    ("max_tokens 4290", Trouble.BAD_REQUEST),
    ("Port 5000 in use", Trouble.BAD_REQUEST),
    ("500 tokens is too much; error 500 tokens", Trouble.BAD_REQUEST),
    ("15000 tokens and a 401k", Trouble.BAD_REQUEST),
    ("the status code 4290", Trouble.BAD_REQUEST),
    ("invalid api key", Trouble.AUTHENTICATION),
    ("502 Bad Gateway", Trouble.OVERLOADED),
    ("HTTP/1.1 503", Trouble.OVERLOADED),
    ("overloaded_error", Trouble.OVERLOADED),
    ("context_length_exceeded", Trouble.CONTEXT_TOO_LONG),
    ("403 Your account does not have access to model x", Trouble.NOT_AVAILABLE),
    ("403 Your account does not have access", Trouble.FORBIDDEN),
    ("", Trouble.BAD_REQUEST),
]
CANNOT_BE_HAD = [
    REPR,
    RETIRED,
    WATSONX,
    "model 'llama3.3' not found (status code: 404)",
    "this model requires a subscription, upgrade for access: https://ollama.com/upgrade (status code: 403)",
    "This model models/gemini-2.5-pro is no longer available to new users",
    "model_not_found",
]
CAN_BE_HAD = [
    (
        "Error code: 401 - {'error': {'message': 'Incorrect API key', 'code': 'invalid_api_key'}}",
        Trouble.AUTHENTICATION,
    ),
    ("404 page not found", Trouble.UNREACHABLE),
    ("429 the model is not available, you are too fast", Trouble.RATE_LIMITED),
    ("400 API key not valid. Please pass a valid API key.", Trouble.AUTHENTICATION),
    ("The embedding model text-embedding-004 has been retired", Trouble.BAD_REQUEST),
    ("models/embedding-001 is no longer available to new users", Trouble.BAD_REQUEST),
    ("The tool web_search_20250305 is no longer available", Trouble.BAD_REQUEST),
    ("components are no longer available to new users", Trouble.BAD_REQUEST),
]


@pytest.mark.parametrize(("text", "trouble"), FRIENDLY)
def test_raw_texts(text: str, trouble: Trouble) -> None:
    assert fault_of_text(text).trouble() is trouble


@pytest.mark.parametrize("text", CANNOT_BE_HAD)
def test_a_model_that_cannot_be_had(text: str) -> None:
    assert fault_of_text(text).trouble() is Trouble.NOT_AVAILABLE


@pytest.mark.parametrize(("text", "trouble"), CAN_BE_HAD)
def test_other_things_that_are_not_there(text: str, trouble: Trouble) -> None:
    assert fault_of_text(text).trouble() is trouble


@pytest.mark.parametrize("text", [REPR, "Connection refused", TOOL_CALL, INPUT_SCHEMA])
@pytest.mark.parametrize("depth", [1, 2, 9])
def test_wrappers_are_taken_off(text: str, depth: int) -> None:
    wrapped = text
    for level in range(depth):
        wrapper = f"Error building Component Agent {level}" if level % 2 else "Error running graph"
        wrapped = f"{wrapper}: \n\n{wrapped}"
    assert fault_of_text(wrapped) == fault_of_text(text)


@pytest.mark.parametrize(
    "text",
    ["Error building Component Agent", "Error building Component Agent: ", "", "Flow failed: Error running graph"],
)
def test_what_wraps_nothing_stays(text: str) -> None:
    assert unwrapped(text) == text.strip()


def test_status_codes_and_message_come_from_the_body() -> None:
    fault = fault_of_text(REPR)
    assert (fault.status, fault.codes) == (403, ("model_not_found", "invalid_request_error"))
    assert fault.said == fault.text == "Project `proj_x` does not have access to model `gpt-4o`"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Error code: 400 - {'error': {'message': \"it's bad\", 'type': 'invalid_requ", "it's bad"),
        ("Oops: {'message': 'it\\'s bad', ...}", "it's bad"),
        ("APIError: {'message': 'outer', 'cause': {'message': 'inner', ...}}", "inner"),
        ('Failed: {"error": {"message": "{\\"error\\": {\\"message\\": \\"inner\\", \\"code\\": \\"x\\"}}"}}', "inner"),
        ('Failed: {"error": {"message": "Upstream - {\\"error\\": {\\"message\\": \\"inner\\"}}"}}', "inner"),
        ("nothing in it", ""),
        ("a set {1, 2} and a dict {'a': 1}", ""),
        ("{" * 5000, ""),
        ("[{'error': " * 500, ""),
    ],
)
def test_the_deepest_message_is_the_cause(text: str, said: str) -> None:
    fault = fault_of_text(text)
    assert fault.said == said
    assert fault.text == (said or text.strip())


def test_an_exceptions_text_is_nothing_that_a_provider_said() -> None:
    assert fault_of_text("KeyError: 'no such place as /home/me'").said == ""
