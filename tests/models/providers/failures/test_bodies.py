import json

import pytest

from flowassist.models.providers.failures.bodies import NOTHING, Body, read

RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}
REASON = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"}
SPENT = {"error_code": "enforced_spend_limit_reached"}
UPSTREAM = '{"error": {"message": "model x is overloaded", "type": "overloaded_error"}}'

FORMS: dict[str, tuple[object, Body]] = {
    "OpenAI": (
        {
            "error": {
                "message": "no",
                "type": "invalid_request_error",
                "param": "temperature",
                "code": "unsupported_value",
            }
        },
        Body("no", ("unsupported_value", "invalid_request_error"), "temperature"),
    ),
    "OpenAI, the inner object alone": (
        {"message": "no", "type": "invalid_request_error", "param": None, "code": None},
        Body("no", ("invalid_request_error",)),
    ),
    "Anthropic": (
        {"type": "error", "error": {"type": "rate_limit_error", "message": "no", "details": SPENT}, "request_id": "r"},
        Body("no", ("enforced_spend_limit_reached", "rate_limit_error")),
    ),
    "Google": (
        [{"error": {"code": 429, "message": "no", "status": "RESOURCE_EXHAUSTED", "details": [REASON, RETRY]}}],
        Body("no", ("API_KEY_INVALID", "RESOURCE_EXHAUSTED"), status=429, wait=17.0),
    ),
    "Azure": (
        {"error": {"code": "content_filter", "message": "no", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        Body("no", ("content_filter", "ResponsibleAIPolicyViolation")),
    ),
    "Azure's gateway": ({"statusCode": 401, "message": "no"}, Body("no", status=401)),
    "Azure, a status as the code": ({"error": {"code": "429", "message": "no"}}, Body("no", status=429)),
    "WatsonX": (
        {
            "errors": [{"code": "model_not_supported", "message": "no", "more_info": "…"}],
            "trace": "t",
            "status_code": 404,
        },
        Body("no", ("model_not_supported",), status=404),
    ),
    "IBM's token service": ({"errorCode": "BXNIM0415E", "errorMessage": "no"}, Body("no", ("BXNIM0415E",))),
    "OAuth": ({"error": "invalid_grant", "error_description": "no"}, Body("no", ("invalid_grant",))),
    "Ollama": ({"error": "no"}, Body("no")),
    "Ollama, what its runner said": ({"error": UPSTREAM}, Body("model x is overloaded", ("overloaded_error",))),
    "JSON that says nothing": ('{"a": 1}', Body('{"a": 1}')),
    "a gateway": (
        {"error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": UPSTREAM}}},
        Body("model x is overloaded", ("overloaded_error",), status=502),
    ),
    "a gateway, raw text": (
        {"error": {"code": 400, "message": "Provider returned error", "metadata": {"raw": "no such thing"}}},
        Body("no such thing", status=400),
    ),
    "an error inside a message": (
        {"error": {"message": UPSTREAM, "type": "server_error"}},
        Body("model x is overloaded", ("server_error", "overloaded_error")),
    ),
    "vLLM": (
        {"object": "error", "message": "no", "type": "NotFoundError", "param": None, "code": 404},
        Body("no", ("NotFoundError",), status=404),
    ),
    "FastAPI": ({"detail": "no"}, Body("no")),
    "FastAPI, a list": (
        {"detail": [{"loc": ["body", "stream_options", "include_usage"], "msg": "no", "type": "extra_forbidden"}]},
        Body("no", ("extra_forbidden",), "stream_options.include_usage"),
    ),
    "plain text": (" 404 page not found\n", Body("404 page not found")),
    "a page": (
        "<!DOCTYPE html>\n<html><head><title>502 Bad\n Gateway &amp; more</title></head><body>…</body></html>",
        Body(page="502 Bad Gateway & more"),
    ),
    "a page without a title": ("<html><body><p>Sign in</p></body></html>", Body(page="Sign in")),
}


@pytest.mark.parametrize(("body", "read_as"), FORMS.values(), ids=FORMS)
def test_every_form_of_an_error_is_read(body: object, read_as: Body) -> None:
    assert read(body) == read_as


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        "",
        7,
        [7],
        True,
        {"error": None},
        {"error": []},
        {"error": {}},
        {"error": 7},
        {"error": {"code": []}},
    ],
)
def test_some_bodies_say_nothing(body: object) -> None:
    assert read(body) == NOTHING


def test_no_depth_is_too_deep() -> None:
    body: object = {"message": "no"}
    for _ in range(900):
        body = {"error": body}
    assert read(body) == NOTHING
    assert read({"error": {"message": "no", "metadata": {"raw": "[" * 100_000}}}).said == "[" * 100_000
    assert read(json.loads('{"error": ' * 3 + '{"message": "no"}' + "}" * 3)).said == "no"


def test_a_large_page_is_not_read_to_its_end() -> None:
    assert len(read("<html><title" + "<title " * 200_000).page) <= 4_000
