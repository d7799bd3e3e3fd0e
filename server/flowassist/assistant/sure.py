"""Messages whose intent is plain from their words, so that no model need be asked.

A message is sure if all of it has one of a few English forms, and every word of it is one that Langflow's users write
of Langflow. A wrong certainty costs a user more than a call: whatever is unknown is left to a model, and off-topic is
never sure.
"""

from flowassist.assistant import guard, words
from flowassist.assistant.forms import RULES, Rule

_LONGEST = 400


def sure(text: str) -> Rule | None:
    """The rule that tells the intent of `text` beyond doubt; None where a model has to be asked."""
    if len(text) > _LONGEST or not text.isascii() or guard.tries_to_override(text):
        return None
    said = _plain(text)
    return next((rule for rule in RULES if rule.fits(said)), None)


def _plain(text: str) -> str:
    """In lower case and without courtesies; lines stay lines."""
    return words.COURTESY.sub("", text.strip().lower()).strip()
