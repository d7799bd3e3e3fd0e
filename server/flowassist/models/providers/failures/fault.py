"""What is known of one failed call, and the kind of trouble that it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from flowassist.models.model import UNKNOWN, ModelError, Trouble, Usage
from flowassist.models.providers.failures import bodies, codes, retry, words
from flowassist.secret import Hides

MAX_TEXT = 500

REFUSING = frozenset({400, 422})
WAITING = frozenset({Trouble.RATE_LIMITED, Trouble.OVERLOADED})
"""What a provider may say in words how long to wait for."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is known of a failed call: HTTP status (200 inside a stream), the provider's codes, its text.

    `said` is the message of the provider's body; `wait` the seconds that the body asks for.
    """

    text: str
    status: int | None = None
    codes: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    param: str = ""
    said: str = ""
    wait: float | None = None

    def trouble(self) -> Trouble:
        """A redirect is not followed: whatever its body says, this is not the provider's address."""
        if 300 <= (self.status or 0) < 400:
            return Trouble.UNREACHABLE
        clear = codes.by_code(self.codes, self.status) or codes.STATUSES.get(self.status or 0)
        return clear or self._by_words() or codes.otherwise(self.codes, self.status)

    def _by_words(self) -> Trouble | None:
        """A server that says that it failed is asked only what the model could not do."""
        status = self.status or 0
        if status > 500:
            return None
        if not status and words.OF_AN_INPUT.search(self.text[: words.MAX_TEXT]):
            return Trouble.MALFORMED
        text = words.LOOSE.sub("_", self.text[: words.MAX_TEXT]) if status in REFUSING else self.text
        failed = status == 500 or any(codes.BROAD.get(code) is Trouble.OVERLOADED for code in self.codes)
        return words.by_words(text, words.OF_THE_MODEL if failed else words.ALL)

    def retry_after(self, trouble: Trouble) -> float | None:
        """Seconds: of the headers, else of the body, else of its words."""
        told = retry.retry_after(self.headers)
        told = self.wait if told is None else told
        return retry.asked_for(self.text) if told is None and trouble in WAITING else told

    def error(self, key: Hides, usage: Usage = UNKNOWN) -> ModelError:
        trouble, text = self.trouble(), key.hidden_in(self.text)[:MAX_TEXT]
        return ModelError(
            trouble,
            text,
            status=self.status,
            code=key.hidden_in(next(iter(self.codes), "")),
            param=key.hidden_in(self.param),
            said=key.hidden_in(self.said)[:MAX_TEXT] or (text if self.codes else ""),
            retry_after=self.retry_after(trouble),
            usage=usage,
        )


def fault_of_body(body: object, status: int | None, text: str = "", headers: Mapping[str, str] | None = None) -> Fault:
    """Read an error body of any provider's form; `text` stands in for a message. A status inside a stream counts."""
    told = bodies.read(body)
    status = told.status if told.status and status in {None, 200} else status
    return Fault(told.said or told.page or text, status, told.codes, headers or {}, told.param, told.said, told.wait)
