"""Rules that tell a wish from a question, on English text.

Small models classify poorly, but they translate and describe well: they say what a message is in English and what it
is about (`features.py`), and these rules decide. Source: the grammar of requests, not a list of sentences.
"""

import re
from enum import Enum

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

_COMPONENT = r"(?:components?|nodes?)"
_FLOW = (
    r"(?:(?:work)?flows?|pipelines?|chat ?bots?|bots?|agents?|assistants?|chains?|graphs?"
    r"|(?:rag|q&a|qa) (?:system|app|application)s?|apps?|applications?)"
)
_MAKE = (
    r"(?:create|build|make|generate|write|develop|design|implement|set ?up|construct|code|produce|program|draft"
    r"|assemble|compose|prepare|put together|come up with|give me|get me|add)"
)
_WANT = r"(?:(?:i|we)(?: would|'d)? (?:want|need|like|require)|i am looking for|i'm looking for)"
_USE = r"(?:use|wire|connect|plug|put|add|place|include|integrate|insert|embed|hook)"
_CHANGE = (
    r"(?:use|rename|change|make|add|remove|drop|delete|replace|switch|convert|set|return|output|turn|let|allow|keep"
    r"|handle|support|include|ignore|trim|strip|fix|improve|extend|update|modify|adjust|rewrite|simplify|call|name"
    r"|give|do|try|put|move|split|limit|sort|accept|mark|translate|also|instead|now|it should|it must|the \w+ should)"
)
_RUN = r"(?:run|execute|launch|start|trigger|play|test)"

_POLITE = re.compile(
    r"^(?:(?:please|hi|hello|hey|ok|okay|great|perfect|thanks|thank you|well|so|now|then|and|also|next)\b[ ,.!]*"
    r"|(?:can|could|would|will) you(?: please)?(?: be able to)? "
    r"|(?:i was wondering|i wonder) if you (?:can|could) "
    r"|(?:i|we)(?: would|'d)? (?:want|need|like|wish) (?:you )?to "
    r"|(?:let's|let us|go ahead and|help me(?: to)?) )"
)
_ASKS = re.compile(
    r"^(?:how|what|which|why|when|where|who|whom|whose|is|are|am|was|were|does|do|did|has|have|can|could|should|would"
    r"|will|may|explain|describe|compare|clarify|tell|teach|show me (?:how|what|why|where|which)|guide|know|learn"
    r"|understand|i (?:do not|don't) (?:know|understand)|any idea)(?:'s|'re)?\b"
)
_CLAUSES = re.compile(
    r"[.;!?\n]+(?:\s|$)|,? (?:and |& )?(?:then|after that|afterwards|afterward|finally|later|next)\b,?"
    rf"|,? (?:and|&) (?=(?:{_MAKE}|{_USE}|{_RUN})s?\b)|, (?=(?:{_MAKE}|{_USE}|{_RUN})\b)"
)
_MAKES = re.compile(rf"^(?:{_MAKE}|{_WANT})\b (?P<object>.*)")
_SUBORDINATE = re.compile(
    r"\b(?:that|which|who|whose|where|when|so|to|for|with|without|using|from|over|of|on|in|into|based|able|capable"
    r"|called|named|and returns?|taking|receiving|returning)\b|[,:(]"
)
_JOINED = re.compile(rf"\b{_COMPONENT} (?:and|plus|&) (?:an? |the )?(?:\w+ ){{0,2}}{_FLOW}\b")
_NEW_INSIDE = re.compile(rf"\b(?:custom|new|own) (?:\w+ ){{0,2}}{_COMPONENT}\b")
_NO_THING = re.compile(
    r"^(?:some |any |more |an? |the |your )?(?:\w+ )?(?:help|information|info|documentation|docs|explanation|advice"
    r"|overview|tips?|ideas?|summary|details?|examples?|guide|tutorial|answers?|sure)\b"
)
_LINKS = re.compile(
    rf"^(?:{_USE})s? (?:it|this|that|them|the (?:\w+ )?{_COMPONENT}|the result)\b.*\b(?:{_FLOW}|chat (?:in|out)put)\b"
)
_RUNS = re.compile(
    rf"^{_RUN}(?:s| again)? (?:(?:the|this|that|my|our|your|current|a)\b.{{0,40}}?\b{_FLOW}|it|this)\b(?! component)"
)
_EDITS = re.compile(
    rf"^(?:add|connect|wire|link|attach|remove|delete|replace|swap|insert|plug)\b"
    rf".*\b(?:{_COMPONENT}|{_FLOW}|model|llm|prompt|memory|input|output|edge|canvas|store|tool)\b"
)
_CHANGES = re.compile(rf"^{_CHANGE}\b")
_LANGFLOW = re.compile(
    rf"\b(?:langflow|{_COMPONENT}|chat (?:in|out)puts?|(?:my|the|this|a|your|our) flow|flows|canvas|playground"
    r"|vector stores?|embeddings?|prompt templates?|rag|llms?|mcp)\b"
)
_RIVALS = re.compile(
    r"\b(?:n8n|zapier|make\.com|integromat|flowise|dify|node-?red|power automate|ifttt|pipedream|airflow|uipath"
    r"|botpress|voiceflow|rasa|copilot studio|coze|langgraph|autogen|crewai|haystack)\b"
)
_MADE = re.compile(
    r"(?P<component>\(Component\)|component[ea]?s?\b|\bnodo?s?\b|\bnodes?\b|组件|元件|节点|コンポーネント)"
    r"|(?P<flow>\b(?:work)?flows?\b|\bfluxos?\b|\bflujos?\b|\bflux\b|工作流|流程|フロー)",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"\b(?:gpt-[\w.:-]*\w|o[134](?:-(?:mini|pro|preview))?|chatgpt-[\w.-]*\w|claude-[\w.-]*\w|gemini-[\w.-]*\w"
    r"|(?:llama|mistral|mixtral|qwen|deepseek|gemma|phi|granite|command)[-\d][\w.:-]*\w)\b",
    re.IGNORECASE,
)


def kind_of(english: str, topic: Topic, context: str = "") -> Kind:
    """The intent of a message; `context` is what was said before, newest last, in any language."""
    said = _plain(english)
    if _ASKS.match(said):
        return Kind.QUESTION if _is_ours(said, topic) else Kind.OFF_TOPIC
    clauses = [_plain(clause) for clause in _CLAUSES.split(said) if clause and clause.strip()]
    if clauses and _RUNS.match(clauses[0]):
        return Kind.RUN_FLOW
    return _wish(clauses) or _follow_up(said, topic, context) or _loose(said, clauses, topic)


def named_model(text: str) -> str:
    """The model that a message names ("use gpt-4o"), or an empty string."""
    found = _MODEL.search(text)
    return found.group() if found else ""


def _plain(text: str) -> str:
    said = " ".join(text.lower().replace("\u2019", "'").split())
    while polite := _POLITE.match(said):
        said = said[polite.end() :]
    return said.strip()


def _is_ours(said: str, topic: Topic) -> bool:
    if _RIVALS.search(said):
        return "langflow" in said
    return topic in _OURS or bool(_LANGFLOW.search(said))


def _wish(clauses: list[str]) -> Kind | None:
    """What is to be made, where the message names it as a component or a flow."""
    wanted: set[Kind] = set()
    for clause in clauses:
        wanted |= _made_by(clause)
    if {Kind.GENERATE_COMPONENT, Kind.BUILD_FLOW} <= wanted:
        return Kind.COMPONENT_THEN_FLOW
    return wanted.pop() if wanted else None


def _made_by(clause: str) -> set[Kind]:
    if _LINKS.match(clause):
        return {Kind.BUILD_FLOW}
    made = _MAKES.match(clause)
    if not made:
        return set()
    if _JOINED.search(clause):
        return {Kind.GENERATE_COMPONENT, Kind.BUILD_FLOW}
    head = _head(made["object"])
    if head == {Kind.BUILD_FLOW} and _NEW_INSIDE.search(clause):
        return head | {Kind.GENERATE_COMPONENT}
    return head


def _head(thing: str) -> set[Kind]:
    """The noun that a phrase is about: its last one before anything subordinate ("a chatbot component to …")."""
    phrase = _SUBORDINATE.split(thing, maxsplit=1)[0]
    nouns = re.findall(rf"\b(?:({_COMPONENT})|({_FLOW}))\b", phrase)
    if not nouns:
        return set()
    return {Kind.GENERATE_COMPONENT if nouns[-1][0] else Kind.BUILD_FLOW}


def _follow_up(said: str, topic: Topic, context: str) -> Kind | None:
    """A change of what was made before: it says what to change, or at least stays with the subject."""
    before = [found.lastgroup for found in _MADE.finditer(context)]
    if not before or not (_CHANGES.match(said) or topic in _OURS):
        return None
    return Kind.GENERATE_COMPONENT if before[-1] == "component" else Kind.BUILD_FLOW


def _loose(said: str, clauses: list[str], topic: Topic) -> Kind:
    """Neither a question nor the name of what is wanted: "I need a CSV parser", "connect the prompt to the model"."""
    if not _is_ours(said, topic):
        return Kind.OFF_TOPIC
    if _EDITS.match(said):
        return Kind.BUILD_FLOW
    things = [made["object"] for made in map(_MAKES.match, clauses) if made]
    if things and not _NO_THING.match(things[0]):
        return Kind.GENERATE_COMPONENT
    return Kind.QUESTION
