import asyncio
import socket
import ssl
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from flowassist.models.access import Access
from flowassist.models.model import ModelError, Trouble, Usage
from flowassist.models.providers import anthropic, openai
from flowassist.models.providers.connections.endpoint import Patience
from flowassist.models.providers.failures import faults
from flowassist.models.providers.failures.faults import Fault, fault_in
from flowassist.secret import Secret
from tests.models.conftest import CALL
from tests.vendors import certificate

KEY = Secret("sk-very-secret")

BY_CODE = [
    (400, "invalid_request_error", "Invalid 'timeout': expected a positive number.", Trouble.BAD_REQUEST),
    (400, "invalid_request_error", "Invalid schema for function 'authentication': no type", Trouble.BAD_REQUEST),
    (400, "invalid_request_error", "Invalid schema for function 'billing': no type", Trouble.BAD_REQUEST),
    (422, "", "The name does not match the pattern. Got 'rate limit'.", Trouble.BAD_REQUEST),
    (
        400,
        "invalid_request_error",
        (
            "`max_completion_tokens` must be less than or equal to `8192`, the maximum value for "
            "`max_completion_tokens` is less than the `context_window` for this model"
        ),
        Trouble.BAD_REQUEST,
    ),
    (400, "invalid_request_error", "You have reached your specified API usage limits.", Trouble.QUOTA),
    (400, "budget_exceeded", "Budget has been exceeded! Current cost: 1", Trouble.QUOTA),
    (422, "string_type", "Input should be a valid string", Trouble.BAD_REQUEST),
    (400, "invalid_request_error", "messages.0: Input should be a valid list", Trouble.BAD_REQUEST),
    (400, "invalid_request_error", "Output blocked by content filtering policy", Trouble.REFUSED),
    (403, "", "Your input was flagged for violence", Trouble.REFUSED),
    (400, "invalid_function_parameters", "Invalid schema: 'authentication' is no type", Trouble.BAD_REQUEST),
    (
        403,
        "permission_error",
        "OAuth authentication is currently not allowed for this organization.",
        Trouble.FORBIDDEN,
    ),
    (403, "PERMISSION_DENIED", "Your API key was reported as leaked.", Trouble.AUTHENTICATION),
    (400, "OperationNotSupported", "The chatCompletion operation does not work with the model", Trouble.NOT_AVAILABLE),
    (400, "invalid_model", "Invalid model: x", Trouble.NOT_AVAILABLE),
    (400, "", "Invalid model name passed in model=x", Trouble.NOT_AVAILABLE),
    (404, "", "No endpoints found matching your data policy", Trouble.NOT_AVAILABLE),
    (404, "", "Function 'b5a1-22': Not found for account 'x'", Trouble.NOT_AVAILABLE),
    (401, "invalid_api_key", "Incorrect API key provided", Trouble.AUTHENTICATION),
    (429, "insufficient_quota", "You exceeded your current quota", Trouble.QUOTA),
    (429, "rate_limit_exceeded", "Rate limit reached", Trouble.RATE_LIMITED),
    (
        413,
        "rate_limit_exceeded",
        "Request too large for model `x`: Limit 6000, Requested 9000",
        Trouble.CONTEXT_TOO_LONG,
    ),
    (403, "model_not_found", "Project does not have access to model `x`", Trouble.NOT_AVAILABLE),
    (404, "model_not_found", "", Trouble.NOT_AVAILABLE),
    (404, "not_found_error", "model: claude-9", Trouble.NOT_AVAILABLE),
    (404, "NOT_FOUND", "models/gemini-9 is not found for API version v1main", Trouble.NOT_AVAILABLE),
    (404, "DeploymentNotFound", "The API deployment for this resource does not exist.", Trouble.NOT_AVAILABLE),
    (400, "model_decommissioned", "The model `x` has been decommissioned", Trouble.NOT_AVAILABLE),
    (400, "model_terms_required", "The model `x` requires terms acceptance.", Trouble.NOT_AVAILABLE),
    (404, "model_not_supported", "Model 'x' is not supported", Trouble.NOT_AVAILABLE),
    (
        404,
        "model_no_support_for_function",
        "Model 'x' does not support function 'function_text_chat'",
        Trouble.NOT_AVAILABLE,
    ),
    (400, "context_length_exceeded", "", Trouble.CONTEXT_TOO_LONG),
    (400, "exceed_context_size_error", "", Trouble.CONTEXT_TOO_LONG),
    (413, "request_too_large", "", Trouble.CONTEXT_TOO_LONG),
    (400, "content_filter", "", Trouble.REFUSED),
    (400, "invalid_prompt", "", Trouble.REFUSED),
    (400, "tool_use_failed", "Failed to call a function. Please adjust your prompt.", Trouble.MALFORMED),
    (400, "json_validate_failed", "Failed to generate JSON.", Trouble.MALFORMED),
    (200, "overloaded_error", "Overloaded", Trouble.OVERLOADED),
    (529, "overloaded_error", "Overloaded", Trouble.OVERLOADED),
    (503, "UNAVAILABLE", "The model is overloaded. Please try again later.", Trouble.OVERLOADED),
    (500, "api_error", "Internal server error", Trouble.OVERLOADED),
    (500, "INTERNAL", "An internal error has occurred.", Trouble.OVERLOADED),
    (504, "DEADLINE_EXCEEDED", "", Trouble.TIMEOUT),
    (402, "billing_error", "", Trouble.QUOTA),
    (429, "enforced_spend_limit_reached", "", Trouble.QUOTA),
    (403, "token_quota_reached", "Request of 1 token(s) from quota was rejected", Trouble.QUOTA),
    (
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing",
        Trouble.RATE_LIMITED,
    ),
    (429, "consumption_limit_reached", "", Trouble.RATE_LIMITED),
    (400, "API_KEY_INVALID", "API key not valid. Please pass a valid API key.", Trouble.AUTHENTICATION),
    (400, "BXNIM0415E", "Provided API key could not be found.", Trouble.AUTHENTICATION),
    (401, "authentication_token_not_valid", "", Trouble.AUTHENTICATION),
    (
        403,
        "no_associated_service_instance_error",
        "project_id x is not associated with a WML instance",
        Trouble.FORBIDDEN,
    ),
    (403, "unsupported_country_region_territory", "", Trouble.FORBIDDEN),
    (403, "PERMISSION_DENIED", "Permission denied: Consumer has been suspended.", Trouble.FORBIDDEN),
    (403, "permission_error", "", Trouble.FORBIDDEN),
    (403, "SERVICE_DISABLED", "", Trouble.FORBIDDEN),
    (200, "permission_error", "", Trouble.FORBIDDEN),
    (200, "invalid_request_error", "", Trouble.BAD_REQUEST),
]
BY_STATUS = [
    (400, Trouble.BAD_REQUEST),
    (401, Trouble.AUTHENTICATION),
    (402, Trouble.QUOTA),
    (403, Trouble.FORBIDDEN),
    (404, Trouble.UNREACHABLE),
    (405, Trouble.UNREACHABLE),
    (307, Trouble.UNREACHABLE),
    (408, Trouble.TIMEOUT),
    (409, Trouble.OVERLOADED),
    (413, Trouble.CONTEXT_TOO_LONG),
    (422, Trouble.BAD_REQUEST),
    (429, Trouble.RATE_LIMITED),
    (498, Trouble.OVERLOADED),
    (500, Trouble.OVERLOADED),
    (501, Trouble.OVERLOADED),
    (502, Trouble.OVERLOADED),
    (503, Trouble.OVERLOADED),
    (504, Trouble.TIMEOUT),
    (520, Trouble.OVERLOADED),
    (524, Trouble.TIMEOUT),
    (529, Trouble.OVERLOADED),
    (200, Trouble.OVERLOADED),
    (None, Trouble.BAD_REQUEST),
]
BY_WORDS = [
    ("Error 429: Too many requests", Trouble.RATE_LIMITED),
    ("Invalid api_key", Trouble.AUTHENTICATION),
    ("invalid api key", Trouble.AUTHENTICATION),
    ("API key not valid. Please pass a valid API key.", Trouble.AUTHENTICATION),
    ("API key expired. Please renew the API key.", Trouble.AUTHENTICATION),
    ("Insufficient credits", Trouble.QUOTA),
    ("Your credit balance is too low to access the API", Trouble.QUOTA),
    ("Connection timed out", Trouble.TIMEOUT),
    ("Connection refused", Trouble.UNREACHABLE),
    ("[Errno -2] Name or service not known", Trouble.UNREACHABLE),
    ("500 Internal Server Error", Trouble.OVERLOADED),
    ("Model gpt-5 not found", Trouble.NOT_AVAILABLE),
    ("The model `gpt-9` does not exist or you do not have access to it.", Trouble.NOT_AVAILABLE),
    ("model 'llama3.3' not found (status code: 404)", Trouble.NOT_AVAILABLE),
    ("this model requires a subscription, upgrade for access", Trouble.NOT_AVAILABLE),
    ("model not available", Trouble.NOT_AVAILABLE),
    ("The model does not exist", Trouble.NOT_AVAILABLE),
    ("no access to model", Trouble.NOT_AVAILABLE),
    ("The model `gpt-4-32k` has been deprecated, learn more here", Trouble.NOT_AVAILABLE),
    ("Model x/y is no longer available.", Trouble.NOT_AVAILABLE),
    ("This model models/gemini-2.5-flash is no longer available to new users.", Trouble.NOT_AVAILABLE),
    ("nothing/nowhere is not a valid model ID", Trouble.NOT_AVAILABLE),
    ("No endpoints found for some/model.", Trouble.NOT_AVAILABLE),
    ("Your organization must be verified to use the model `o3`.", Trouble.NOT_AVAILABLE),
    ("This is not a chat model and thus not supported in the v1/chat/completions endpoint.", Trouble.NOT_AVAILABLE),
    ("Content blocked by safety filter", Trouble.REFUSED),
    ("The response was filtered due to Azure's content management policy", Trouble.REFUSED),
    ("prompt is too long: 210000 tokens > 200000 maximum", Trouble.CONTEXT_TOO_LONG),
    ("This model's maximum context length is 8192 tokens", Trouble.CONTEXT_TOO_LONG),
    (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        Trouble.CONTEXT_TOO_LONG,
    ),
    ("registry.ollama.ai/library/gemma:2b does not support tools", Trouble.NO_TOOLS),
    ("`tool calling` is not supported with this model", Trouble.NO_TOOLS),
    ("No endpoints found that support tool use.", Trouble.NO_TOOLS),
    ("Unsupported parameter: 'tools' is not supported with this model.", Trouble.NO_TOOLS),
    ('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', Trouble.NO_TOOLS),
    ("tool call validation failed: parameters for tool x did not match schema", Trouble.MALFORMED),
    ("User location is not supported for the API use.", Trouble.FORBIDDEN),
    ("max_tokens 4290 is too large", Trouble.BAD_REQUEST),
    ("Port 5000 in use", Trouble.BAD_REQUEST),
    ("15000 tokens were asked for, and a 401k plan", Trouble.BAD_REQUEST),
    ("'temperature' does not support 0.5 with this model", Trouble.BAD_REQUEST),
    ("`temperature` is deprecated for this model.", Trouble.BAD_REQUEST),
    (
        "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions.",
        Trouble.BAD_REQUEST,
    ),
    ("1 validation error for ChatCompletionRequest: messages", Trouble.BAD_REQUEST),
    ("The embedding model text-embedding-004 has been retired", Trouble.BAD_REQUEST),
    ("This model models/text-embedding-004 is no longer available to new users.", Trouble.BAD_REQUEST),
    ("The tool web_search is no longer available", Trouble.BAD_REQUEST),
    ("components are no longer available to new users", Trouble.BAD_REQUEST),
    ("unlimited rates of immodel things", Trouble.BAD_REQUEST),
    ("reauthentications and rebillings, overloadedly", Trouble.BAD_REQUEST),
    ("The embedding model ada-002 has been retired", Trouble.BAD_REQUEST),
]


@pytest.mark.parametrize(("status", "code", "text", "trouble"), BY_CODE)
def test_the_providers_code_decides_first(status: int, code: str, text: str, trouble: Trouble) -> None:
    assert Fault(text, status, (code,)).trouble() is trouble


@pytest.mark.parametrize(("status", "trouble"), BY_STATUS)
def test_then_the_status(status: int | None, trouble: Trouble) -> None:
    assert Fault("no words that say more", status).trouble() is trouble


@pytest.mark.parametrize(("text", "trouble"), BY_WORDS)
def test_then_words_where_the_status_can_mean_anything(text: str, trouble: Trouble) -> None:
    assert Fault(text, 400, ("invalid_request_error",)).trouble() is trouble


@pytest.mark.parametrize(
    ("status", "text", "trouble"),
    [
        (503, "model gpt-5 not found", Trouble.OVERLOADED),
        (401, "The model `x` does not exist", Trouble.AUTHENTICATION),
        (429, "You exceeded your current quota", Trouble.RATE_LIMITED),
        (404, "404 page not found", Trouble.UNREACHABLE),
        (500, "Rate limit service: invalid api key", Trouble.OVERLOADED),
        (502, "error parsing tool call", Trouble.OVERLOADED),
    ],
)
def test_words_do_not_overrule_a_clear_status(status: int, text: str, trouble: Trouble) -> None:
    assert Fault(text, status).trouble() is trouble


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("error parsing tool call: raw='{\"a\": ', err=unexpected end of JSON input", Trouble.MALFORMED),
        ("tools param requires --jinja flag", Trouble.NO_TOOLS),
        ("model requires more system memory (40 GiB) than is available (8 GiB)", Trouble.NOT_AVAILABLE),
        ("something broke", Trouble.OVERLOADED),
    ],
)
def test_a_local_server_tells_with_500_what_its_model_cannot_do(text: str, trouble: Trouble) -> None:
    assert Fault(text, 500, ("server_error",)).trouble() is trouble


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("Your account does not have access to the model claude-opus-5.", Trouble.NOT_AVAILABLE),
        ("You do not have access to this organization.", Trouble.FORBIDDEN),
        ("Your API key does not have permission to use the specified resource", Trouble.FORBIDDEN),
        ("<html>…", Trouble.FORBIDDEN),
    ],
)
def test_403_is_about_the_model_only_if_it_says_so(text: str, trouble: Trouble) -> None:
    assert Fault(text, 403, ("permission_error",)).trouble() is trouble


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_broad_code_of_a_404_leaves_it_a_wrong_address(status: int) -> None:
    expected = Trouble.UNREACHABLE if status == 404 else Trouble.BAD_REQUEST
    assert Fault("Invalid URL (POST /v1/v1/chat)", status, ("invalid_request_error",)).trouble() is expected


@pytest.mark.parametrize("body", [None, [], "", 7, [7], {"error": None}, {"error": []}])
def test_a_body_that_says_nothing_leaves_the_sdks_text(body: object) -> None:
    fault = fault_in(body, 500, "Error code: 500")
    assert (fault.text, fault.said) == ("Error code: 500", "")


def test_a_status_inside_a_stream_counts() -> None:
    body = {"error": {"code": 429, "message": "slow down"}}
    assert (fault_in(body, 200).status, fault_in(body, 200).trouble()) == (429, Trouble.RATE_LIMITED)
    assert fault_in(body, 400).status == 400


def test_what_the_provider_said_is_kept_and_a_page_is_none_of_it() -> None:
    told = fault_in({"error": {"message": "bad", "code": "x", "param": "messages"}}, 400, "Error code: 400").error(KEY)
    assert (str(told), told.said, told.code, told.param) == ("bad", "bad", "x", "messages")
    page = fault_in("<html><title>502 Bad Gateway</title></html>", 502, "Error code: 502").error(KEY)
    assert (str(page), page.said, page.trouble) == ("502 Bad Gateway", "", Trouble.OVERLOADED)


def test_the_key_is_never_told() -> None:
    echoed = {"error": {"message": "no", "code": "sk-very-secret", "param": "key sk-very-secret"}}
    told = fault_in(echoed, 401).error(KEY)
    assert "secret" not in f"{told.code} {told.param}"
    error = fault_in({"error": "Incorrect API key: sk-very-secret."}, 401).error(KEY, Usage())
    assert (str(error), error.said) == ("Incorrect API key: ***.", "Incorrect API key: ***.")
    assert "sk-very-secret" not in repr(faults.unsent(OSError("sk-very-secret"), KEY))
    assert "sk-very-secret" not in repr(faults.cut(OSError("sk-very-secret"), KEY))


def test_long_texts_are_cut() -> None:
    error = Fault("<html>" * 1000, 502, said="x" * 1000).error(KEY)
    assert (len(str(error)), len(error.said)) == (faults.MAX_TEXT, faults.MAX_TEXT)


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (Fault("try again in 9s", 429, headers={"retry-after": "3"}, wait=17.0), 3.0),
        (Fault("try again in 9s", 429, headers={"retry-after": "0"}, wait=17.0), 0.0),
        (Fault("try again in 9s", 429, wait=17.0), 17.0),
        (Fault("try again in 9s", 429), 9.0),
        (Fault("try again in 9s", 503), 9.0),
        (Fault("try again in 9s", 400), None),
        (Fault("no", 429), None),
    ],
)
def test_the_provider_says_how_long_to_wait(fault: Fault, seconds: float | None) -> None:
    assert fault.error(KEY).retry_after == seconds


def behind(*causes: BaseException) -> BaseException:
    """The first of `causes`, caused by the second, and so on."""
    for outer, inner in pairwise(causes):
        outer.__cause__ = inner
    return causes[0]


class ConnectError(Exception):
    """Named as both HTTP clients name theirs."""


class ReadTimeout(Exception):
    """Named as both HTTP clients name theirs."""


class ReadError(Exception):
    """Named as both HTTP clients name theirs."""


UNSENT: dict[str, tuple[BaseException, str, Trouble, Usage]] = {
    "no such name": (
        behind(ConnectError("no"), OSError("no"), socket.gaierror(-2, "Name or service not known")),
        "the address's host name is not known: ConnectError: no",
        Trouble.UNREACHABLE,
        Usage(),
    ),
    "TLS": (
        behind(ConnectError("no"), ssl.SSLError(1, "wrong version number")),
        "no TLS connection could be made: ConnectError: no",
        Trouble.UNREACHABLE,
        Usage(),
    ),
    "an unknown certificate": (
        behind(ConnectError("no"), ssl.SSLCertVerificationError(1, "self-signed certificate")),
        "the server's certificate is not trusted: ConnectError: no",
        Trouble.UNREACHABLE,
        Usage(),
    ),
    "refused": (behind(ConnectError("no")), "ConnectError: no", Trouble.UNREACHABLE, Usage()),
    "reset": (behind(ReadError("no")), "ReadError: no", Trouble.UNREACHABLE, faults.UNKNOWN),
    "late": (behind(ReadTimeout("no")), "ReadTimeout: no", Trouble.TIMEOUT, faults.UNKNOWN),
}


@pytest.mark.parametrize(("cause", "text", "trouble", "usage"), UNSENT.values(), ids=UNSENT)
def test_a_connection_that_gave_no_answer(cause: BaseException, text: str, trouble: Trouble, usage: Usage) -> None:
    error: ModelError = faults.unsent(cause, KEY)
    assert (str(error), error.trouble, error.usage) == (text, trouble, usage)


def test_a_circle_of_causes_ends() -> None:
    one, two = ConnectError("no"), OSError("no")
    one.__cause__, two.__cause__ = two, one
    assert str(faults.unsent(one, KEY)) == "ConnectError: no"


@pytest.mark.parametrize("module", [openai, anthropic])
@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (certificate.shown, "the server's certificate is not trusted: "),
        (lambda: None, "no TLS connection could be made: "),
    ],
)
async def test_what_failed_below_http_is_named(
    module: Any, shown: Callable[[], ssl.SSLContext | None], text: str
) -> None:
    """A server whose certificate nobody vouches for, and one that speaks no TLS."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=shown())
    address = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    place = module.WIRE.endpoint(Access("owner", address, KEY), Patience())
    with pytest.raises(ModelError) as caught:
        await module.WIRE.model(place, "some-model").reply(CALL)
    await place.aclose()
    server.close()
    assert str(caught.value).startswith(text)
    assert (caught.value.trouble, caught.value.usage, caught.value.said) == (Trouble.UNREACHABLE, Usage(), "")


@pytest.mark.parametrize(
    "piece", ["models/", "model: x ", "invalid ", "api_key ", "does not have access ", "tool call "]
)
def test_long_texts_are_read_in_time(piece: str) -> None:
    began = time.perf_counter()
    Fault(piece * 10_000, 400).trouble()
    assert time.perf_counter() - began < 0.2
