"""Rules that tell a wish from a question, on English text.

Small models classify poorly, but they translate and describe well: they say what a message is in English and what it
is about (`features.py`), and these rules decide by its grammar: a question, something to be made, a change.
"""

from enum import Enum

from flowassist.assistant import words
from flowassist.assistant.intended import Kind


class Topic(Enum):
    """What a message is about, in the model's reading."""

    LANGFLOW = "langflow"
    AI_BUILDING = "ai building"
    OTHER_PRODUCT = "other product"
    GENERAL_KNOWLEDGE = "general knowledge"
    SMALL_TALK = "small talk"
    CREATIVE_WRITING = "creative writing"


_OURS = {Topic.LANGFLOW, Topic.AI_BUILDING}
_NOUNS = {"component": Kind.GENERATE_COMPONENT, "flow": Kind.BUILD_FLOW}


def kind_of(text: str, english: str, topic: Topic, context: str = "") -> Kind:
    """The intent of the message `text`, whose translation is `english`.

    `context` is what was said before, newest last, in lines that begin with "User: " and "Assistant: ".
    """
    if words.RUNS_ELSEWHERE.match(text.strip()):
        return Kind.RUN_FLOW
    said = _as_meant(text, _plain(english))
    before = _made_before(context)
    if words.ASKS.match(said):
        return Kind.QUESTION if _is_our_question(said, topic, before) else Kind.OFF_TOPIC
    clauses = [_plain(clause) for clause in words.CLAUSES.split(said) if clause and clause.strip()]
    if clauses and words.RUNS.match(clauses[0]):
        return Kind.RUN_FLOW
    return _wish(clauses) or _follow_up(said, topic, before) or _loose(said, clauses, topic)


def makes_anew(english: str) -> bool:
    """Whether a request asks for a component of its own, and not for a change of the one before."""
    clauses = [_plain(clause) for clause in words.CLAUSES.split(_plain(english)) if clause and clause.strip()]
    return _wish(clauses) is not None and not any(words.OLD.search(_thing(clause)) for clause in clauses)


def named_model(text: str) -> str:
    """The model that a message names ("use gpt-4o"), or an empty string."""
    found = words.MODEL.search(text)
    return found.group() if found else ""


def _plain(text: str) -> str:
    said = " ".join(text.lower().replace("\u2019", "'").split())
    while polite := words.POLITE.match(said):
        said = said[polite.end() :]
    return said.strip()


def _as_meant(text: str, said: str) -> str:
    """Chinese marks no imperative, and a small model may translate one as "How do I …"."""
    if words.HAN.search(text) and not words.ASKS_IN_CHINESE.search(text):
        return words.HOW_TO.sub("", said)
    return said


def _is_ours(said: str, topic: Topic) -> bool:
    if words.RIVALS.search(said):
        return "langflow" in said
    return topic in _OURS or bool(words.LANGFLOW.search(said))


def _is_our_question(said: str, topic: Topic, before: Kind | None) -> bool:
    """A small model takes many a question for one of the trade: it has to bear its words, or follow a component."""
    if topic is Topic.AI_BUILDING and before is None:
        return _is_ours(said, topic) and bool(words.TRADE.search(said) or words.LANGFLOW.search(said))
    return _is_ours(said, topic)


def _wish(clauses: list[str]) -> Kind | None:
    """What is to be made, where the message calls it a component or a flow."""
    wanted: set[Kind] = set()
    for clause in clauses:
        wanted |= _made_by(clause)
    if len(wanted) > 1:
        return Kind.COMPONENT_THEN_FLOW
    return wanted.pop() if wanted else None


def _made_by(clause: str) -> set[Kind]:
    if words.LINKS.match(clause):
        return {Kind.BUILD_FLOW}
    thing = _thing(clause)
    if words.JOINED.search(thing):
        return {Kind.GENERATE_COMPONENT, Kind.BUILD_FLOW}
    head = _head(thing)
    if head == {Kind.BUILD_FLOW} and words.NEW_INSIDE.search(clause):
        return head | {Kind.GENERATE_COMPONENT}
    return head


def _thing(clause: str) -> str:
    """What a clause wants made, as a phrase; empty where it wants nothing made."""
    made = words.MAKES.match(clause)
    return (made["object"] or made["named"]) if made else ""


def _head(thing: str) -> set[Kind]:
    """The noun that a phrase is about: its last one before anything subordinate ("a chatbot component to …")."""
    phrase = words.SUBORDINATE.split(thing, maxsplit=1)[0]
    nouns = [_NOUNS[str(noun.lastgroup)] for noun in words.NOUN.finditer(phrase)]
    return set(nouns[-1:])


def _made_before(context: str) -> Kind | None:
    """What the last turn that made something made: only what users wished and what was written counts."""
    made = None
    for who, said in _turns(context):
        if who == "Assistant":
            made = Kind.GENERATE_COMPONENT if words.WROTE in said else made
        elif not said.rstrip().endswith(("?", "？")):
            nouns = [_NOUNS[str(noun.lastgroup)] for noun in words.MADE.finditer(said)]
            made = nouns[0] if nouns else made
    return made


def _turns(context: str) -> list[tuple[str, str]]:
    parts = words.SPOKEN.split(context)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def _follow_up(said: str, topic: Topic, before: Kind | None) -> Kind | None:
    """A change of what was made before: it says what to change, or at least stays with the subject."""
    if words.CHANGES.match(said) or topic in _OURS:
        return before
    return None


def _loose(said: str, clauses: list[str], topic: Topic) -> Kind:
    """Neither a question nor a word for what is wanted: "I need a CSV parser", "connect the prompt to the model"."""
    things = [thing for thing in map(_thing, clauses) if thing]
    if not said or not _is_ours(said, topic) or (things and words.PROSE.match(things[0])):
        return Kind.OFF_TOPIC
    if words.EDITS.match(said):
        return Kind.BUILD_FLOW
    if things and not words.NO_THING.match(things[0]):
        return Kind.GENERATE_COMPONENT
    return Kind.QUESTION
