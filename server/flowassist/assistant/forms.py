"""The forms of messages that can be read in one way only.

Patterns over lower-case English without courtesies, matched against whole messages.
"""

import re
from dataclasses import dataclass

from flowassist.assistant import deeds, doubts
from flowassist.assistant.intended import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """`form` has to match the whole message; its group `rest`, where it has one, holds what users put in their own
    words, and there must be no `doubt` in it, or else in the whole message."""

    name: str
    kind: Kind
    form: re.Pattern[str]
    doubt: re.Pattern[str]


_BIDS = r"(?:(?:i|we)(?: would|'d)? (?:want|like|need) you to |(?P<asks>(?:can|could|would|will) you please )|please )?"
_END = r"(?(asks)[.!?]*|[.!]*)"
"""A question mark may end what was bidden as a question."""

_WANTS = r"(?:(?:i|we)(?: would|'d)? (?:want|need|like))"
_WRITE = r"(?:create|build|make|generate|write|develop|implement|code)(?: me| us)?"
_BUILD = r"(?:create|build|make|generate|design|set up|assemble|construct)(?: me| us)?"
_TRAITS = (
    r"(?:(?:new|custom|simple|small|basic|tiny|reusable|langflow|python|text|string|data|number|math|date|time|json|csv"
    r"|xml|yaml|url|email|file|pdf|html|markdown|regex|sentiment|validation|parsing|conversion|cleaning|utility|helper"
    r"|processing|formatting|filtering|splitting|counter|converter|parser|validator|formatter|splitter|cleaner)[ -])*"
)
_FLOW_TRAITS = (
    r"(?:(?:new|simple|small|basic|langflow|rag|chat|agent|agentic|ai|llm|q&a|document|pdf|support|research|customer"
    r"|customer support|summarization|retrieval|conversational|multi-agent|question answering|complete)[ -])*"
)
_COMPONENT = rf"an? {_TRAITS}(?:component|node)"
_FLOW = rf"an? {_FLOW_TRAITS}(?:flow|workflow|chat ?bot|rag pipeline)"
_AGENT = rf"an? {_FLOW_TRAITS}agent"
_DOES = rf"(?:(?:that|which) (?:simply |only |automatically )?{deeds.DOES}|to {deeds.DO}|for {deeds.DOING})\b"
_HAS = (
    r"with (?:an? |the )?(?:\w+ )?(?:memory|chat (?:in|out)puts?|prompts?|web ?search(?: tool)?|tools?|vector stores?"
    r"|webhooks?|loops?|parsers?|calculators?(?: tool)?|retrieval|rag|agents?|llms?|embeddings?|chat history)\b"
)
_SERVES = rf"(?:(?:that|which) {deeds.DOES}\b|for {deeds.DOING}\b|{_HAS})"
_COMPONENTS_OURS = r"(?:custom |langflow |python )*components?"
_FLOWS_OURS = r"(?:langflow |rag |chat |agent )*flows?"
_HOW_TO = r"(?:(?:please )?(?:tell me|explain|explain to me|describe) )?how (?:(?:do|can|should) (?:i|we)|to) "
_PART = (
    r"(?:chat (?:in|out)put|text (?:in|out)put|prompt(?: template)?|agent|language model|file|url|api request"
    r"|split text|parser|vector store|webhook|if-else|loop|memory|message history|mcp tools|calculator"
    r"|structured output|smart router|directory|embedding model|type convert)"
)
_OPERATE = (
    r"(?:create|build|make|write|add|connect|run|execute|export|import|share|delete|rename|duplicate|debug|deploy|save"
    r"|call|trigger|publish|embed|update|edit|install)"
)
_TAIL = (
    r"(?: in langflow| on the canvas| from (?:the api|python|scratch|a file|json)| (?:through|via|with|over) the api"
    r"| as (?:json|an? (?:api|mcp server|tool))| to (?:production|a file|json|the canvas|an? agent|(?:my|a|the) flow)"
    r"| with (?:a colleague|memory|tools|two (?:in|out)puts|several (?:in|out)puts)| together| programmatically"
    r"| that [^?,]*)?"
)
_INSTALL = r"(?:install|deploy|upgrade|update|start|run|configure|set up|self-host|uninstall|back up|secure|restart)"

_RUN = (
    rf"{_BIDS}(?:run|execute|start|test) (?:the|my|this|the current|my current|this current) (?:work)?flow"
    r"(?: (?:now|again|once|for me|please|on the canvas|right now|now please))?"
    r"(?: with (?:the )?(?:input|message|text) (?:'[^']{1,100}'|\"[^\"]{1,100}\"))?"
    rf"{_END}"
)
_WRITE_COMPONENT = rf"{_BIDS}{_WRITE} {_COMPONENT} (?P<rest>{_DOES} \S.*?){_END}"
_WANT_COMPONENT = rf"{_WANTS} {_COMPONENT} (?P<rest>{_DOES} [^\s,.;:!][^,.;:!]*?)[.!]*"
_WRITE_AND_BUILD = (
    rf"{_BIDS}{_WRITE} {_COMPONENT} (?P<rest>{_DOES} \S.*?),? (?:and then|then|and after that) "
    r"(?:build|create|make) an? (?:new |simple )?flow (?:with|using|that uses|around) "
    r"(?:it|that component|this component|the component|the new component)"
    rf"{_END}"
)
_BUILD_FLOW = rf"{_BIDS}{_BUILD} (?:{_FLOW}|{_AGENT}) (?P<rest>{_SERVES}(?: \S.*?)?){_END}"
_WANT_FLOW = rf"{_WANTS} {_FLOW} (?P<rest>{_SERVES}(?: [^,.;:!]*?)?)[.!]*"
_ASKS = (
    r"(?:(?:what|where|how|why)(?: is|'s| are| does| do| can| should| did| has| have| happens)|which|how (?:many|much))"
)
_ABOUT_LANGFLOW = (
    r"(?:(?:which|what) [^,]* (?:does|do) langflow (?:support|offer|have|provide|accept|need|require|use)\b[^,]*"
    r"|does langflow (?:support|have|offer|provide|include|need|require|store|work with|come with)\b[^,]+"
    r"|what(?: is|'s) langflow(?: used for| for)?"
    rf"|(?:(?:tell me|explain|describe) (?:what|where|how|which|why)|{_ASKS}) (?P<rest>[^,]+) in langflow"
    rf"|{_HOW_TO}{_INSTALL} langflow(?: (?:with|on|in|using|from|behind|locally|via|to) ?[^,]*)?)\??"
)
_ASK_HOW = (
    rf"{_HOW_TO}{_OPERATE} (?:an?|my|the|this|two|several|multiple|a new) "
    rf"(?:{_COMPONENTS_OURS}|{_FLOWS_OURS})(?P<rest>{_TAIL})\??"
)
_ASK_WHAT = (
    r"(?:what(?: is|'s| are) (?:(?:an? |the )?(?:langflow )?(?:custom )?(?:components?|flows?)"
    rf"|(?:an? |the )?{_PART} component)(?: used for| for)?"
    rf"|(?:what does|how does) the {_PART} component (?:do|work|return|output)"
    rf"|what (?:in|out)puts does the {_PART} component have)\??"
)


def _rule(name: str, kind: Kind, form: str, doubt: re.Pattern[str]) -> Rule:
    return Rule(name, kind, re.compile(form), doubt)


RULES = (
    _rule("command to run", Kind.RUN_FLOW, _RUN, doubts.NOTHING),
    _rule("wish for a component, then a flow", Kind.COMPONENT_THEN_FLOW, _WRITE_AND_BUILD, doubts.IN_COMPONENT),
    _rule("wish for a component", Kind.GENERATE_COMPONENT, _WRITE_COMPONENT, doubts.IN_COMPONENT),
    _rule("want of a component", Kind.GENERATE_COMPONENT, _WANT_COMPONENT, doubts.IN_COMPONENT),
    _rule("want of a flow", Kind.BUILD_FLOW, _WANT_FLOW, doubts.IN_FLOW),
    _rule("wish for a flow", Kind.BUILD_FLOW, _BUILD_FLOW, doubts.IN_FLOW),
    _rule("question about Langflow", Kind.QUESTION, _ABOUT_LANGFLOW, doubts.IN_QUESTION),
    _rule("question how", Kind.QUESTION, _ASK_HOW, doubts.IN_QUESTION),
    _rule("question what", Kind.QUESTION, _ASK_WHAT, doubts.IN_QUESTION),
)
