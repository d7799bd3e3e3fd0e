"""Every way in which a request or a turn can fail, in one table, and the two exceptions that carry one.

A request that cannot start a turn raises `Refused` and becomes a gRPC status. A turn that must end raises `Stop` and
becomes an `error` event. What a model should read and repair is neither: it is a value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Status(Enum):
    """How a reason shows: as the gRPC status of this name, or as an event inside the stream."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    NOT_FOUND = "NOT_FOUND"
    UNIMPLEMENTED = "UNIMPLEMENTED"
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL = "INTERNAL"
    EVENT = "EVENT"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a reason says. `text` may hold {names} that the metadata fills in."""

    status: Status
    text: str
    advice: str
    retryable: bool = False
    example: Mapping[str, str] = field(default_factory=dict)


_BAD, _NOT_READY, _EVENT = Status.INVALID_ARGUMENT, Status.FAILED_PRECONDITION, Status.EVENT
_CHECK_KEY = "Check the key in Settings > Model Providers."
_OTHER_MODEL = "Choose another model."
_LATER = "Try again in a moment."


class Reason(Enum):
    """The names are those of ErrorReason in the contract, without its prefix."""

    MESSAGE_MALFORMED = Meaning(_BAD, "The request message cannot be parsed.", "Send a valid protobuf message.")
    INPUT_EMPTY = Meaning(
        _BAD, "input_value is empty.", "Send the text of the request.", example={"field": "input_value"}
    )
    INPUT_TOO_LONG = Meaning(
        _BAD,
        "input_value has {length} characters; at most {limit} are accepted.",
        "Shorten the message.",
        example={"field": "input_value", "limit": "2000", "length": "2001"},
    )
    INPUT_HAS_NUL = Meaning(
        _BAD,
        "input_value has a NUL character at position {position}.",
        "Remove it.",
        example={"field": "input_value", "position": "7"},
    )
    FLOW_ID_INVALID = Meaning(_BAD, "flow_id is no UUID.", "Send the flow's UUID.", example={"field": "flow_id"})
    SESSION_ID_INVALID = Meaning(
        _BAD,
        "session_id must be 1 to 128 characters of A-Z a-z 0-9 _ -.",
        "Send such an id, or none for a new session.",
        example={"field": "session_id"},
    )
    LIMIT_OUT_OF_RANGE = Meaning(
        _BAD,
        "{field} must be between {min} and {max}.",
        "Send a value inside the range, or none for the default.",
        example={"field": "max_retries", "min": "1", "max": "5"},
    )
    UNKNOWN_PROVIDER = Meaning(
        _BAD,
        "Unknown provider: {provider}",
        "CheckConfig lists the providers.",
        example={"field": "provider", "provider": "opneai"},
    )
    MODEL_NAME_INVALID = Meaning(
        _BAD,
        "model_name must be at most {limit} printable characters.",
        "CheckConfig lists the models.",
        example={"field": "model_name", "limit": "200"},
    )
    VARIABLE_NAME_INVALID = Meaning(
        _BAD,
        "{field} must be 1 to 100 of A-Z a-z 0-9 _, not beginning with a digit.",
        "Send such a name, for example OPENAI_API_KEY.",
        example={"field": "name"},
    )
    VARIABLE_VALUE_INVALID = Meaning(
        _BAD,
        "{field} must be 1 to {limit} printable characters.",
        "Send the key or address itself, without line breaks.",
        example={"field": "value", "limit": "8192"},
    )
    CODE_EMPTY = Meaning(_BAD, "code is empty.", "Send the component's Python source.", example={"field": "code"})
    CODE_TOO_LONG = Meaning(
        _BAD,
        "code has {length} bytes; at most {limit} are accepted.",
        "Write a smaller component; data belongs into an input.",
        example={"field": "code", "limit": "200000", "length": "200001"},
    )
    COMPONENT_NAME_INVALID = Meaning(
        _BAD,
        "name must be 1 to {limit} printable characters.",
        "ListComponentTypes tells the names.",
        example={"field": "name", "limit": "200"},
    )
    ASSISTANT_DISABLED = Meaning(_NOT_READY, "The assistant is switched off.", "Ask the operator to switch it on.")
    NO_PROVIDER_CONFIGURED = Meaning(
        _NOT_READY,
        "No model provider is configured. Please configure at least one model provider in Settings.",
        "Set a provider's key, or fetch the embedded model with `flowassist model fetch`.",
    )
    PROVIDER_NOT_CONFIGURED = Meaning(
        _NOT_READY,
        "Provider '{provider}' is not configured. Available providers: [{available}]",
        "Configure it, or choose an available one.",
        example={"provider": "embedded", "available": "openai, anthropic"},
    )
    KEY_MISSING = Meaning(
        _NOT_READY,
        "{variable} is required for the Langflow Assistant with {provider}. "
        "Please configure it in Settings > Model Providers.",
        "Set the variable.",
        example={"provider": "openai", "variable": "OPENAI_API_KEY"},
    )
    MODEL_PROVIDER_MISSING = Meaning(
        _NOT_READY,
        "The selected model is missing a provider. Please reselect a model from the dropdown, or send its provider.",
        "Send provider together with model_name.",
        example={"model_name": "my-own-model"},
    )
    KEY_VARIABLE_UNRESOLVED = Meaning(
        _NOT_READY,
        "Configure '{variable}' (or the canonical '{canonical}') for the Langflow Assistant with {provider}.",
        "Set the variable, or leave key_variable out.",
        example={"variable": "MY_OPENAI_KEY", "canonical": "OPENAI_API_KEY", "provider": "openai"},
    )
    PROVIDER_INCOMPLETE = Meaning(
        _NOT_READY,
        "Provider '{provider}' is not completely configured: {missing}.",
        "Set what is missing in Settings > Model Providers.",
        example={"provider": "watsonx", "missing": "WATSONX_PROJECT_ID or WATSONX_SPACE_ID is not set"},
    )
    MODEL_NAME_MISSING = Meaning(
        _NOT_READY,
        "Provider '{provider}' has no default model, and lists none.",
        "Send model_name, or see that the provider answers.",
        example={"provider": "ollama"},
    )
    VARIABLES_UNREADABLE = Meaning(
        _NOT_READY,
        "Your variable {name} was encrypted with a key that this server does not have.",
        "Set it again, delete it, or have the operator give the server its former key.",
        example={"provider": "openai", "name": "OPENAI_API_KEY"},
    )
    VARIABLE_KEYS_UNUSABLE = Meaning(
        _NOT_READY,
        "This server cannot use the keys that encrypt variables.",
        "Ask the operator to run `flowassist doctor`.",
    )
    FLOW_NOT_FOUND = Meaning(
        Status.NOT_FOUND,
        "There is no flow {flow_id}.",
        "Save the flow first, or leave flow_id out.",
        example={"flow_id": "7f0c8f0e-…"},
    )
    FIELD_NOT_SERVED = Meaning(
        Status.UNIMPLEMENTED,
        "{field} is not served by this version.",
        "Leave the field out.",
        example={"field": "budget"},
    )
    TOO_MANY_TURNS = Meaning(
        Status.RESOURCE_EXHAUSTED,
        "{limit} turns are running, which is this server's limit.",
        _LATER,
        retryable=True,
        example={"limit": "256"},
    )
    TOKEN_INVALID = Meaning(
        Status.UNAUTHENTICATED, "A valid bearer token is required.", "Send 'authorization: Bearer …'."
    )
    DRAINING = Meaning(Status.UNAVAILABLE, "The server is shutting down.", "Ask again.", retryable=True)
    VARIABLE_NOT_FOUND = Meaning(
        Status.NOT_FOUND, "There is no variable {name}.", "ListVariables tells the names.", example={"name": "MY_KEY"}
    )
    TOO_MANY_VARIABLES = Meaning(
        Status.RESOURCE_EXHAUSTED,
        "At most {limit} variables are kept.",
        "Delete one that you do not need.",
        example={"limit": "200"},
    )
    STORE_UNAVAILABLE = Meaning(Status.UNAVAILABLE, "The database does not answer.", _LATER, retryable=True)
    COMPONENT_TYPE_NOT_FOUND = Meaning(
        Status.NOT_FOUND,
        "There is no component type {name}.",
        "ListComponentTypes tells the names.",
        example={"name": "UppercaseText"},
    )
    TOO_MANY_COMPONENTS = Meaning(
        Status.RESOURCE_EXHAUSTED,
        "At most {limit} component types are kept.",
        "Forget one that you do not need.",
        example={"limit": "500"},
    )
    SANDBOX_BUSY = Meaning(
        Status.RESOURCE_EXHAUSTED,
        "{limit} validations wait for the sandbox, which is this server's limit.",
        _LATER,
        retryable=True,
        example={"limit": "256"},
    )

    MODEL_AUTHENTICATION = Meaning(_EVENT, "The provider refused the API key.", _CHECK_KEY)
    MODEL_RATE_LIMITED = Meaning(
        _EVENT, "Rate limit exceeded. Please wait a moment and try again.", _LATER, retryable=True
    )
    MODEL_QUOTA = Meaning(_EVENT, "The account has no credit left.", "Check the provider's billing page.")
    MODEL_NOT_AVAILABLE = Meaning(_EVENT, "The model is not available to this account.", _OTHER_MODEL)
    MODEL_OVERLOADED = Meaning(_EVENT, "The provider has trouble answering right now.", _LATER, retryable=True)
    MODEL_UNREACHABLE = Meaning(
        _EVENT, "The provider cannot be reached.", "Check the network and the base URL.", retryable=True
    )
    MODEL_TIMEOUT = Meaning(_EVENT, "The provider did not answer in time.", _LATER, retryable=True)
    MODEL_REFUSED = Meaning(
        _EVENT, "The model, or its provider's content filter, refused this request.", "Put the request in other words."
    )
    CONTEXT_TOO_LONG = Meaning(
        _EVENT, "The conversation is longer than the model can read.", "Start a new session or shorten the request."
    )
    MODEL_BAD_REQUEST = Meaning(
        _EVENT,
        "The provider did not accept the request{said}",
        _OTHER_MODEL,
        example={"said": ": messages must not be empty"},
    )
    ANSWER_BROKEN_OFF = Meaning(_EVENT, "The model's answer broke off.", _LATER, retryable=True)
    ANSWER_CUT = Meaning(
        _EVENT,
        "The answer does not fit into the model's output limit.",
        "Ask for something smaller, or choose a model with a larger limit.",
    )
    ANSWER_TOO_LARGE = Meaning(_EVENT, "The answer grew over this server's limit.", "Ask for something smaller.")
    SANDBOX_UNAVAILABLE = Meaning(
        Status.UNAVAILABLE,
        "The sandbox that runs generated code is not available, so no component can be checked.",
        "Ask the operator to run `flowassist doctor`.",
    )
    MODEL_WITHOUT_TOOLS = Meaning(_EVENT, "The model cannot use tools, which this request needs.", _OTHER_MODEL)
    MODEL_MALFORMED = Meaning(
        _EVENT,
        "The model's tool call or structured answer did not have the form that it must have.",
        "Try again, or choose a more capable model.",
        retryable=True,
    )
    STEPS_EXHAUSTED = Meaning(
        _EVENT, "The agent took as many steps as it may.", "Ask for less at once, or allow more steps."
    )
    MODEL_FORBIDDEN = Meaning(
        _EVENT,
        "This account may not use the provider or the model.",
        "Check the account's region, organisation and permissions, or choose another provider.",
    )
    MODELS_EXHAUSTED = Meaning(
        _EVENT,
        "No accessible model on {provider}. Tried: {tried}. Configure access to one of them, "
        "or switch to a different provider in Settings → Model Providers.",
        "Choose a model that the account can use, or another provider.",
        example={"provider": "openai", "tried": "gpt-5.4, gpt-5.2"},
    )
    INTERNAL = Meaning(
        Status.INTERNAL,
        "Something went wrong on the server.",
        "Try again; if it stays, give the operator the id of the turn or incident.",
        retryable=True,
        example={"incident": "1f6b0c…"},
    )

    @property
    def meaning(self) -> Meaning:
        return self.value


class _Known(Exception):
    """A failure with a reason; `metadata` fills the reason's text. str() is what the user may read."""

    def __init__(self, reason: Reason, **metadata: str) -> None:
        self.reason = reason
        self.metadata = metadata
        super().__init__(reason.meaning.text.format(**metadata))


class Refused(_Known):
    """The turn does not begin."""


class Stop(_Known):
    """The turn ends here."""
