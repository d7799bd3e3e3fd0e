"""What the rest of the code knows of a model: one call, one reply, one error."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens; None where a provider did not report a number. Unknown and n is unknown."""

    input: int | None = 0
    output: int | None = 0
    total: int | None = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(_plus(self.input, other.input), _plus(self.output, other.output), _plus(self.total, other.total))


NOTHING = Usage()
UNKNOWN = Usage(None, None, None)


def _plus(one: int | None, two: int | None) -> int | None:
    return None if one is None or two is None else one + two


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` is JSON text as the model wrote it. `signature` is what its provider wants back with the call."""

    id: str
    name: str
    arguments: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a conversation. A `tool` message answers the call `tool_call_id`."""

    role: Literal["user", "assistant", "tool"]
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Schema:
    """The answer must be JSON of this shape; every object needs `required` and `additionalProperties: false`."""

    name: str
    shape: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model. `slot` names the prompt's fixed beginning, for models that can keep it warm."""

    system: str
    messages: tuple[Message, ...]
    max_tokens: int
    schema: Schema | None = None
    tools: tuple[Tool, ...] = ()
    temperature: float | None = None
    slot: str = ""


class Finish(Enum):
    """Why the model stopped."""

    STOP = "stop"
    LENGTH = "length"
    TOOL = "tool"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    finish: Finish
    usage: Usage
    tool_calls: tuple[ToolCall, ...] = ()


class Trouble(Enum):
    """Kinds of failure of a model call, judged by exception type, status and error code before any text."""

    AUTHENTICATION = "authentication"
    RATE_LIMITED = "rate limited"
    QUOTA = "quota"
    NOT_AVAILABLE = "not available"
    OVERLOADED = "overloaded"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    CONTEXT_TOO_LONG = "context too long"
    BAD_REQUEST = "bad request"
    BROKEN_OFF = "broken off"
    FORBIDDEN = "forbidden"
    NO_TOOLS = "no tools"
    MALFORMED = "malformed"
    TOO_MANY_STEPS = "too many steps"


class ModelError(Exception):
    """A model call failed. str() is the whole text: for the log, never for a prompt.

    `said` is the message of the provider's own error body, empty where there is none; `param` the parameter that it
    complains of. `retry_after` is in seconds; `heard` tells whether text was passed on before it failed; `usage` is
    what was reported until then.
    """

    def __init__(  # noqa: PLR0913 - all that can be known of a failure
        self,
        trouble: Trouble,
        text: str,
        *,
        status: int | None = None,
        code: str = "",
        param: str = "",
        said: str = "",
        retry_after: float | None = None,
        usage: Usage = UNKNOWN,
        heard: bool = False,
    ) -> None:
        super().__init__(text)
        self.trouble, self.status, self.code = trouble, status, code
        self.param, self.said = param, said
        self.retry_after, self.usage, self.heard = retry_after, usage, heard


class Strength(Enum):
    """WEAK models fill a typed spec and write one function; STRONG ones write the whole class."""

    WEAK = "weak"
    STRONG = "strong"


Hear = Callable[[str], None]
Spent = Callable[[Usage], None]


def nobody(_chunk: str) -> None:
    """Hears nothing."""


def uncounted(_usage: Usage) -> None:
    """Counts nothing."""


class Remedy(Enum):
    """Other ways of asking a model that refused a parameter."""

    NO_TEMPERATURE = "no temperature"
    NEW_LIMIT = "max_completion_tokens"
    OLD_LIMIT = "max_tokens"
    RESPONSES = "the Responses API"
    NO_SCHEMA = "no schema"
    NO_USAGE = "no stream_options"


AS_IT_IS: frozenset[Remedy] = frozenset()


@dataclass(slots=True)
class Lessons:
    """What calls of one model taught, for one owner at one endpoint with one key.

    `possible` are the remedies that its wire can follow; `worked` those without which a call failed and with which
    it worked.
    """

    possible: frozenset[Remedy] = AS_IT_IS
    worked: frozenset[Remedy] = AS_IT_IS


class Model(Protocol):
    """One model of one provider. Cancelling `reply` closes its socket."""

    provider: str
    name: str
    strength: Strength
    lessons: Lessons

    async def ready(self) -> None:
        """Load or look up what the first call would need; `strength` is certain only after it. Raises ModelError."""
        ...

    async def reply(
        self, call: Call, hear: Hear = nobody, *, remedies: frozenset[Remedy] = AS_IT_IS, spent: Spent = uncounted
    ) -> Reply:
        """Ask, pass every piece of text to `hear` as it comes, and return the whole.

        `remedies` say how to ask otherwise than usual. `spent` is told what the provider reported so far, each time
        it reports: what a cancelled call still knows.
        Raises ModelError; a stream that ends without a finish reason is one (BROKEN_OFF).
        """
        ...


class Ask(Protocol):
    """How a story asks its turn's model: metered under `phase`, with retries, as one plain call."""

    async def __call__(self, phase: str, call: Call, hear: Hear = nobody) -> Reply: ...
