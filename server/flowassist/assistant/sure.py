"""Messages whose intent is plain from their words, so that no model need be asked.

A message is sure if all of it has one of a few English forms, and nothing in it allows another reading. A wrong
certainty costs a user more than a call: whatever is doubtful is left to a model, and off-topic is never sure.
"""

from flowassist.assistant import guard, words
from flowassist.assistant.doubts import DOUBTFUL, ELSEWHERE
from flowassist.assistant.forms import RULES, Rule

_LONGEST = 400


def sure(text: str) -> Rule | None:
    """The rule that tells the intent of `text` beyond doubt; None where a model has to be asked."""
    said = _plain(text)
    if _is_doubtful(text, said):
        return None
    return next((rule for rule in RULES if _fits(rule, said)), None)


def _is_doubtful(text: str, said: str) -> bool:
    return (
        len(text) > _LONGEST
        or not said.isascii()
        or guard.tries_to_override(text)
        or any(doubt.search(text) for doubt in (words.MODEL, ELSEWHERE))
        or bool(DOUBTFUL.search(said))
    )


def _plain(text: str) -> str:
    """In lower case and without courtesies; lines stay lines."""
    said = text.strip().lower().replace("\u2019", "'")
    return words.COURTESY.sub("", said).strip()


def _fits(rule: Rule, said: str) -> bool:
    found = rule.form.fullmatch(said)
    if not found:
        return False
    own = found.groupdict().get("rest") or said.rstrip(" ?.!")
    return not rule.doubt.search(own)
