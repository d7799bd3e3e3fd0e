"""The providers' own error codes and the HTTP statuses, as kinds of trouble.

OpenAI, Anthropic (error types, and `error_code` of the details), Google (status, and reason of google.rpc.ErrorInfo),
Groq, Azure, IBM WatsonX with its token service (BXNIM…), llama.cpp, vLLM and gateways that speak OpenAI's protocol.
"""

from collections.abc import Mapping

from flowassist.models.model import Trouble

_BY_TROUBLE: Mapping[Trouble, str] = {
    Trouble.AUTHENTICATION: """
        invalid_api_key authentication_error account_deactivated access_terminated_error
        UNAUTHENTICATED API_KEY_INVALID API_KEY_EXPIRED ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_TYPE_UNSUPPORTED
        CREDENTIALS_MISSING AuthenticationError
        authentication_token_not_valid authentication_token_expired authentication_token_missing
        BXNIM0109E BXNIM0402E BXNIM0407E BXNIM0408E BXNIM0415E invalid_grant invalid_client
        """,
    Trouble.FORBIDDEN: """
        unsupported_country_region_territory ip_not_authorized data_residency_mismatch
        organization_restricted organization_on_hold organization_type_not_supported parent_organization_required
        SERVICE_DISABLED API_KEY_SERVICE_BLOCKED API_KEY_IP_ADDRESS_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED
        API_KEY_ANDROID_APP_BLOCKED API_KEY_IOS_APP_BLOCKED CONSUMER_INVALID CONSUMER_SUSPENDED USER_PROJECT_DENIED
        user_authorization_failed authorization_rejected no_associated_service_instance_error container_not_found
        """,
    Trouble.QUOTA: """
        insufficient_quota billing_error billing_not_active billing_hard_limit_reached credit_balance_exhausted
        exceeded_current_quota_error BILLING_DISABLED token_quota_reached
        enforced_spend_limit_reached contract_spend_limit_reached linked_organization_spend_limit_reached
        linked_organization_billing_unavailable budget_exceeded
        """,
    Trouble.RATE_LIMITED: """
        rate_limit_exceeded rate_limit_error rate_limit_reached rate_limit_reached_requests rate_limit_reached_tokens
        ramp_limit_exceeded consumption_limit_reached too_many_requests RESOURCE_EXHAUSTED RATE_LIMIT_EXCEEDED
        RateLimitReached
        """,
    Trouble.NOT_AVAILABLE: """
        model_not_found model_not_available model_not_supported unsupported_model model_decommissioned
        model_terms_required model_permission_blocked_org model_permission_blocked_project
        DeploymentNotFound OperationNotSupported invalid_model
        """,
    Trouble.OVERLOADED: """
        overloaded_error engine_overloaded engine_overloaded_error slow_down conflict_error capacity_exceeded
        unavailable_error UNAVAILABLE ABORTED downstream_request_failed
        """,
    Trouble.TIMEOUT: "timeout_error DEADLINE_EXCEEDED vector_store_timeout Timeout",
    Trouble.CONTEXT_TOO_LONG: """
        context_length_exceeded exceed_context_size_error request_too_large request_body_too_large_after_decoding
        string_above_max_length
        """,
    Trouble.REFUSED: """
        content_filter content_policy_violation image_content_policy_violation ResponsibleAIPolicyViolation
        bio_policy misalignment_policy_violation invalid_prompt data_inspection_failed
        """,
    Trouble.MALFORMED: "tool_use_failed json_validate_failed MALFORMED_FUNCTION_CALL",
    Trouble.TOO_MANY_STEPS: "GRAPH_RECURSION_LIMIT",
    Trouble.BAD_REQUEST: "invalid_function_parameters",
}
CODES: Mapping[str, Trouble] = {code: trouble for trouble, codes in _BY_TROUBLE.items() for code in codes.split()}
"""Codes that leave nothing open."""

TOGETHER: Mapping[tuple[int, str], Trouble] = {
    (413, "rate_limit_exceeded"): Trouble.CONTEXT_TOO_LONG,
    (404, "not_found_error"): Trouble.NOT_AVAILABLE,
    (404, "NOT_FOUND"): Trouble.NOT_AVAILABLE,
}
"""Codes that mean it with this status only: Groq's 413 is a request that is larger than a minute's tokens."""

BROAD: Mapping[str, Trouble] = {
    "model_no_support_for_function": Trouble.NOT_AVAILABLE,
    "permission_error": Trouble.FORBIDDEN,
    "PERMISSION_DENIED": Trouble.FORBIDDEN,
    "server_error": Trouble.OVERLOADED,
    "api_error": Trouble.OVERLOADED,
    "internal_error": Trouble.OVERLOADED,
    "internal_server_error": Trouble.OVERLOADED,
    "InternalServerError": Trouble.OVERLOADED,
    "INTERNAL": Trouble.OVERLOADED,
    "invalid_request_error": Trouble.BAD_REQUEST,
    "invalid_request_entity": Trouble.BAD_REQUEST,
    "invalid_input_argument": Trouble.BAD_REQUEST,
    "json_type_error": Trouble.BAD_REQUEST,
    "json_validation_error": Trouble.BAD_REQUEST,
    "not_supported_error": Trouble.BAD_REQUEST,
    "BadRequestError": Trouble.BAD_REQUEST,
    "INVALID_ARGUMENT": Trouble.BAD_REQUEST,
    "FAILED_PRECONDITION": Trouble.BAD_REQUEST,
}
"""Codes that are used for many things: words in the text may say more."""

STATUSES: Mapping[int, Trouble] = {
    401: Trouble.AUTHENTICATION,
    402: Trouble.QUOTA,
    408: Trouble.TIMEOUT,
    409: Trouble.OVERLOADED,
    413: Trouble.CONTEXT_TOO_LONG,
    429: Trouble.RATE_LIMITED,
    498: Trouble.OVERLOADED,
    502: Trouble.OVERLOADED,
    503: Trouble.OVERLOADED,
    504: Trouble.TIMEOUT,
    524: Trouble.TIMEOUT,
    529: Trouble.OVERLOADED,
}
"""Statuses that leave nothing open."""

OTHERWISE: Mapping[int, Trouble] = {
    200: Trouble.OVERLOADED,
    403: Trouble.FORBIDDEN,
    404: Trouble.UNREACHABLE,
    405: Trouble.UNREACHABLE,
}
"""Where nothing else says more: an error in a stream that began well is the provider's own, a bare 404 an address."""


def by_code(codes: tuple[str, ...], status: int | None) -> Trouble | None:
    """What the first code that leaves nothing open says."""
    for code in codes:
        if known := TOGETHER.get((status or 0, code)) or CODES.get(code):
            return known
    return None


def otherwise(codes: tuple[str, ...], status: int | None) -> Trouble:
    """What is left when neither a code nor the status nor a word is clear; a broad code says little of a bare 404."""
    broad = next((BROAD[code] for code in codes if code in BROAD), None)
    if status in {403, 404, 405} and broad is Trouble.BAD_REQUEST:
        broad = None
    return broad or OTHERWISE.get(status or 0) or _by_class(status or 0)


def _by_class(status: int) -> Trouble:
    """A redirect that was not followed is a wrong address."""
    if 300 <= status < 400:
        return Trouble.UNREACHABLE
    return Trouble.OVERLOADED if status >= 500 else Trouble.BAD_REQUEST
