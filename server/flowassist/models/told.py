"""How a failed model call is told to the user: its reason and, for a refused request, what the provider said."""

import re
from collections.abc import Mapping

from flowassist.errors import Reason, Stop
from flowassist.models.model import ModelError, Trouble
from flowassist.text import clean

MAX_TEXT = 150

REASONS: Mapping[Trouble, Reason] = {
    Trouble.AUTHENTICATION: Reason.MODEL_AUTHENTICATION,
    Trouble.RATE_LIMITED: Reason.MODEL_RATE_LIMITED,
    Trouble.QUOTA: Reason.MODEL_QUOTA,
    Trouble.NOT_AVAILABLE: Reason.MODEL_NOT_AVAILABLE,
    Trouble.OVERLOADED: Reason.MODEL_OVERLOADED,
    Trouble.UNREACHABLE: Reason.MODEL_UNREACHABLE,
    Trouble.TIMEOUT: Reason.MODEL_TIMEOUT,
    Trouble.REFUSED: Reason.MODEL_REFUSED,
    Trouble.CONTEXT_TOO_LONG: Reason.CONTEXT_TOO_LONG,
    Trouble.BAD_REQUEST: Reason.MODEL_BAD_REQUEST,
    Trouble.BROKEN_OFF: Reason.ANSWER_BROKEN_OFF,
    Trouble.FORBIDDEN: Reason.MODEL_FORBIDDEN,
    Trouble.NO_TOOLS: Reason.MODEL_WITHOUT_TOOLS,
    Trouble.MALFORMED: Reason.MODEL_MALFORMED,
    Trouble.TOO_MANY_STEPS: Reason.STEPS_EXHAUSTED,
}

_HIDDEN = re.compile(
    r"""
      \b[a-z][a-z0-9+.-]{1,20}://\S+                                    # addresses: with a scheme,
    | \bwww\.\S+
    | \b[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}\.[a-z]{2,10}(?::\d+)?/\S*     # without one,
    | \b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):?\d*(?:/\S*)?             # of machines,
    | (?<!\S)\S{1,64}@[\w-]+(?:\.[\w-]+)+                              # of people
    | (?<![\w.~/])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,}/?                    # paths
    | \b[a-z]:\\\S+
    | \b(?:(?:sk|pk|rk|gsk|xai|hf|ghp|nvapi|AQ)[-_.]|AIza)[\w*.-]{6,}   # keys, also half hidden ones
    | \bBearer\s+\S+
    | (?<![\w-])[\w-]{0,64}\*{3,}[\w*-]*
    | \beyJ[\w-]+(?:\.[\w-]+){1,2}                                      # tokens and ids
    | \b(?:org|proj|req|user|acct|project|request|session)[-_](?=\w*\d)\w{6,}
    | \b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b
    | (?<![\w+/])(?=[A-Za-z+/_]*\d)(?=[\d+/_]*[A-Za-z])[\w+/]{20,}={0,2}
    """,
    re.VERBOSE | re.IGNORECASE,
)


def stop_of(error: ModelError) -> Stop:
    """The Stop that a turn ends with; its text has at most 150 characters.

    Only a refused request (MODEL_BAD_REQUEST) is told in the provider's own words, since they name what is wrong.
    """
    reason = REASONS[error.trouble]
    if reason is not Reason.MODEL_BAD_REQUEST:
        return Stop(reason)
    room = MAX_TEXT - len(str(Stop(reason, said=": ")))
    said = cut(shown(error.said), room)
    return Stop(reason, said=f": {said}" if said else ".")


def shown(said: str) -> str:
    """`said` on one line, without addresses, paths, keys and ids; empty if nothing is left to read."""
    printable = "".join(letter if letter.isprintable() else " " for letter in clean(said))
    text = " ".join(_HIDDEN.sub("…", printable).split())
    return text if re.search(r"[^\W\d_]{2}", text) else ""


def cut(text: str, length: int) -> str:
    """`text` in at most `length` characters, cut after a word."""
    if len(text) <= length:
        return text
    head = text[: length - 3]
    if not text[len(head)].isspace() and " " in head[length // 2 :]:
        head = head.rpartition(" ")[0]
    return head.rstrip(" ,;:.") + "..."
