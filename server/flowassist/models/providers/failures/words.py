"""What the words of an error tell where its code and status leave it open, or where there is only text."""

import re
from collections.abc import Mapping

from flowassist.models.model import Trouble

_NAME = r"(?!\S{0,60}embed)[`'\"]?[\w./:@-]{1,100}?[`'\"]?"
_MODEL = rf"(?<!embedding )(?<!embeddings )model:? ?(?:{_NAME}[:,]? )?"
_IS = r"(?:is |was |has been |does )?"
_TOOLS = "(?:tools?|tool[ _](?:use|calls?|calling|choice)|function[ _](?:calls?|calling)|function tools)"

_PHRASES: Mapping[Trouble, tuple[str, ...]] = {
    Trouble.TOO_MANY_STEPS: (
        "recursion[_ ]limit",
        "graph_recursion_limit",
        "max(?:imum)? (?:number of )?(?:iterations|steps|turns) (?:was |were )?(?:reached|exceeded)",
        "agent stopped due to (?:max )?iteration",
    ),
    Trouble.MALFORMED: (
        "error parsing tool call",
        r"(?:malformed|invalid) (?:tool|function)[ _]calls?",
        r"tool call (?:\w+ )?validation failed",
        "failed to call a function",
        "failed to (?:generate|validate) json",
        "could not parse (?:llm output|tool)",
    ),
    Trouble.NO_TOOLS: (
        f"(?:does not|doesn't|do not|cannot) (?:support|use) (?:the use of )?{_TOOLS}",
        f"{_TOOLS}['`\"]? (?:is|are) (?:not (?:supported|enabled|available)|unsupported)",
        r"unsupported (?:parameter|value):? ['`\"]?tool(?:s|_choice)",
        "no endpoints found that support tool use",
        "tool choice requires --enable-auto-tool-choice",
        "tools param requires",
        "support function '?function_text_chat_tools",
    ),
    Trouble.NOT_AVAILABLE: (
        "model_(?:not_found|not_available|decommissioned)",
        rf"{_MODEL}{_IS}(?:not found|not available|unavailable|not exist|deprecated|decommissioned|retired|withdrawn)",
        rf"{_MODEL}{_IS}(?:not supported(?! (?:with|when|together|parameter))|no longer (?:available|supported))",
        rf"models/{_NAME} is (?:no longer available|not found)",
        r"(?:does|do) not have (?:access|permission)[^\n]{0,80}\bmodels?",
        r"no access to (?:the )?model",
        rf"{_MODEL}[^\n]{{0,80}}(?:does|do) not have (?:access|permission)",
        "requires a subscription",
        "(?:unsupported|unknown|no such) model",
        "not a valid model(?: id| name)?",
        "no endpoints found (?:for|matching)",
        "deployment for this resource does not exist",
        r"invalid model (?:name|id) passed",
        r"function '?[\w-]{2,}'?:? not found for account",
        "not a chat model",
        "only supported in v1/responses",
        "must be verified to (?:use|stream) (?:the|this) model",
        "requires terms acceptance",
        "model requires more system memory",
    ),
    Trouble.CONTEXT_TOO_LONG: (
        r"context[_ ](?:length|size|limit)",
        r"(?<!less than the `)context[_ ]window",
        "context_length_exceeded",
        "maximum context",
        "(?:prompt|input) is too long",
        r"too many (?:input )?tokens",
        r"input tokens? (?:count )?(?:\(?\d+\)? )?(?:cannot exceed|exceeds?)",
        "request (?:entity )?too large",
    ),
    Trouble.QUOTA: (
        "credit balance",
        "(?:insufficient|out of|no)[ _](?:credits?|funds|balance|quota)",
        "credits? (?:are |have been )?(?:depleted|exhausted)",
        "billing",
        "spend(?:ing)? limit",
        "payment required",
        "reached your specified (?:api )?usage limits?",
        "budget (?:has been |was )?exceeded",
        "exceeded your current quota",
    ),
    Trouble.RATE_LIMITED: (
        "rate[ _-]?limit(?:s|ed|ing|_exceeded|_error)?",
        "too many requests",
        "consumption_limit(?:_reached)?",
        "(?:requests|tokens) per (?:minute|second)",
    ),
    Trouble.AUTHENTICATION: (
        r"(?:invalid|incorrect|missing|expired|wrong) (?:x-)?(?:\w+ )?(?:api[ _-]?key|subscription key|credentials)",
        r"api[ _-]?key (?:\w+ )?(?:is |was |has )?(?:not valid|invalid|expired|not found|missing|not set)",
        r"api key could not be found",
        r"\w*api_key\b.{0,60}\b(?:is not set|must be set|is missing|is required)",
        "(?:access|bearer|auth|authentication) token (?:is |has )?(?:invalid|expired|not valid)",
        "no auth credentials",
        r"api[ _-]?key was reported as leaked",
        "unauthorized",
        "unauthenticated",
        "authentication(?! is currently not allowed)",
    ),
    Trouble.FORBIDDEN: (
        "(?:location|country|region)[^\n]{0,40} (?:is )?not supported",
        "not (?:available|supported) in (?:your|this) (?:country|region|location)",
        "permission denied",
        "insufficient permissions?",
        "access (?:is |was )?denied",
        r"(?:does|do) not have (?:access|permission)",
        "forbidden",
        "is currently not allowed",
    ),
    Trouble.REFUSED: (
        r"content[ _](?:filter(?:ed|ing)?|policy|management policy|safety)",
        "your input was flagged",
        "safety (?:filters?|system|policy|settings)",
        r"(?:usage|responsible ai) polic(?:y|ies)",
    ),
    Trouble.OVERLOADED: (
        "overloaded",
        "internal[ _]server[ _]error",
        "bad gateway",
        "service (?:is )?(?:temporarily )?unavailable",
        "(?:at|over|out of|exceeded) capacity",
        "high demand",
    ),
    Trouble.TIMEOUT: ("timed out", "time-?out", "deadline exceeded"),
    Trouble.UNREACHABLE: (
        "connection (?:was )?(?:refused|reset|error|aborted|closed)",
        "(?:cannot|could not|failed to|unable to) connect",
        "connection attempts failed",
        "network (?:is unreachable|error)",
        "name or service not known",
        "name resolution",
        "getaddrinfo failed",
        "no route to host",
        "certificate[ _]verify[ _]failed",
    ),
}
WORDS = {
    trouble: re.compile(rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)", re.IGNORECASE)
    for trouble, phrases in _PHRASES.items()
}

OF_AN_INPUT = re.compile(
    r"(?<!\w)(?:validation errors? for (?!\w*request\b)\w+|input should be a valid)", re.IGNORECASE
)
"""pydantic's words on a tool's input; in the body of a refusal they are about the request."""

OF_THE_MODEL = frozenset({Trouble.MALFORMED, Trouble.NO_TOOLS, Trouble.NOT_AVAILABLE, Trouble.CONTEXT_TOO_LONG})
"""What endpoints tell with a status of 500, though it is no fault of the server."""

LOOSE = re.compile(
    r"(?<!\w)(?:authentication|billing|time-?out|rate[ _-]limit|unauthorized|forbidden)(?!\w)", re.IGNORECASE
)
"""Words that a refused request may hold in a name or a value of its own."""

ALL = frozenset(WORDS)
MAX_TEXT = 2000


def by_words(text: str, among: frozenset[Trouble] = ALL) -> Trouble | None:
    """The first kind, in the table's order, of which a phrase is in `text` between word borders."""
    text = text[:MAX_TEXT]
    return next((trouble for trouble in WORDS if trouble in among and WORDS[trouble].search(text)), None)
