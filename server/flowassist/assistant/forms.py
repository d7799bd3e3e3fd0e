"""The forms of messages that can be read in one way only.

Patterns over lower-case English without courtesies, matched against whole messages.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from flowassist.assistant import deeds
from flowassist.assistant.intended import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """`form` has to match the whole message; its group `own`, where it has one, holds what users put in their own
    words, and `admits` tells whether all of that is known."""

    name: str
    kind: Kind
    form: re.Pattern[str]
    admits: Callable[[str], bool]

    def fits(self, said: str) -> bool:
        found = self.form.fullmatch(said)
        return found is not None and self.admits(found.groupdict().get("own") or "")


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
_PART_OF_FLOW = (
    r"(?:(?:an? |the |two |three |several )?(?:simple |short-term |long-term )?(?:memory|chat (?:in|out)puts?|prompts?"
    r"|(?:web )?search(?: tools?)?|tools?|vector stores?|webhooks?|loops?|parsers?|calculators?(?: tools?)?|retrieval"
    r"|rag|agents?|llms?|embeddings?|chat history))"
)
_HAS = rf"(?:with|using|(?:that|which) uses) {_PART_OF_FLOW}(?:(?:,? and|,) {_PART_OF_FLOW})*"
_OVER = (
    r" over (?:the |all )?(?:rows|lines|items|pages|files|documents)"
    r"(?: (?:of|in) an? (?:csv |pdf )?(?:file|table|list))?"
)
_SERVES = rf"(?:{_HAS}(?:{_OVER})?(?=[.!?]*$)|(?:{_HAS} )?(?P<own>.+?))"
_SOME = r"(?:an?|my|the|this|two|several|multiple|a new) "
_HOW_TO = r"(?:(?:please )?(?:tell me|explain|explain to me|describe) )?how (?:(?:do|can|should) (?:i|we)|to) "
_PART = (
    r"(?:chat (?:in|out)put|text (?:in|out)put|prompt(?: template)?|agent|language model|file|url|api request"
    r"|split text|parser|vector store|webhook|if-else|loop|memory|message history|mcp tools|calculator"
    r"|structured output|smart router|directory|embedding model|type convert)"
)
_WORK_ON = r"(?:create|build|make|write|add|connect|delete|rename|duplicate|edit)"
_OPERATE = (
    r"(?:create|build|make|add|connect|run|execute|export|import|share|delete|rename|duplicate|debug|deploy|save"
    r"|call|trigger|publish|embed|update|edit)"
)
_PLACE = r"(?: in langflow| on the canvas| to (?:the canvas|(?:my|a|the) flow|an? agent)| together)?"
_TAIL = (
    r"(?: in langflow| from (?:the api|python|scratch|a file|json)| (?:through|via|with|over) the api"
    r"| as (?:json|an? (?:api|mcp server|tool))| to (?:production|a file|json|an? agent)"
    r"| with (?:a colleague|memory|tools)| programmatically)?"
)
_INSTALL = r"(?:install|deploy|upgrade|update|start|run|configure|set up|self-host|uninstall|back up|secure|restart)"

_RUN = (
    rf"{_BIDS}(?:run|execute|start|test) (?:the|my|this|the current|my current|this current) (?:work)?flow"
    r"(?: (?:now|again|once|for me|please|on the canvas|right now|now please))?"
    r"(?: with (?:the )?(?:input|message|text) (?:'[^'\n]{1,100}'|\"[^\"\n]{1,100}\"))?"
    rf"{_END}"
)
_WRITE_COMPONENT = rf"{_BIDS}{_WRITE} {_COMPONENT} (?P<own>.+?){_END}"
_WANT_COMPONENT = rf"{_WANTS} {_COMPONENT} (?P<own>.+?)[.!]*"
_WRITE_AND_BUILD = (
    rf"{_BIDS}{_WRITE} {_COMPONENT} (?P<own>.+?),? (?:and then|then|and after that) "
    r"(?:build|create|make) an? (?:new |simple )?flow (?:with|using|that uses|around) "
    r"(?:it|that component|this component|the component|the new component)"
    rf"{_END}"
)
_BUILD_FLOW = rf"{_BIDS}{_BUILD} (?:{_FLOW}|{_AGENT}) {_SERVES}{_END}"
_WANT_FLOW = rf"{_WANTS} {_FLOW} {_SERVES}[.!]*"
_SUBJECTS = """
agent agents api apis authentication bundle bundles canvas chat component components credential credentials csv data
database databases dataframe dataframes docker edge edges embedding embeddings endpoint endpoints file files flow
flows global guardrails input inputs json knowledge llm llms log logs loop loops mcp memory message messages mode
model models node nodes ollama output outputs pdf pdfs playground port ports postgres postgresql project projects
prompt prompts proxy python rag router session sessions setting settings sqlite sso streaming table tables template
templates tool tools tracing tweak tweaks variable variables vector webhook webhooks
"""
_AROUND_SUBJECTS = """
a an the my i this of for from to with between on by as its it own all other same custom new default
environment local different batch base bases id ids key keys kind kinds type types format formats name names field
fields error errors version versions provider providers server servers store stores language user users difference
structured request requests history parameter parameters number value values color colors red limit limits
is are be does do can should has have work works use uses used using find see set change add create make build
run runs connect connects connected delete remove rename export import share deploy save saved store stored keep
kept call calls pass passed return returns handle handles handled debug test publish edit update upload uploaded
download view access enable disable configure turn load loaded send read write show mean happens
"""
_ASKED = deeds.Grammar(
    "(?=.*<subject>)(?:<subject>|<around>|<and><owner>?<subject>)++",
    {"subject": _SUBJECTS, "around": _AROUND_SUBJECTS, "and": "and", "owner": "a an the my"},
)
"""A subject of Langflow, and around it only words with which one asks."""

_ASKS = r"(?:(?:what|where|how|why)(?: is|'s| are| does| do| can| should| has| have| happens)|which|how (?:many|much))"
_ASK_IN_LANGFLOW = rf"(?:(?:tell me|explain|describe) (?:what|where|how|which|why)|{_ASKS}) (?P<own>.+) in langflow\??"
_ASK_WHICH = (
    r"(?:which|what) (?P<own>.+) (?:does|do) langflow (?:support|offer|have|provide|accept|need|require|use)\??"
)
_DOES_LANGFLOW = r"does langflow (?:support|have|offer|provide|include|need|require|store|work with|come with)"
_ASK_WHETHER = rf"{_DOES_LANGFLOW} (?P<own>.+?)\??"
_ASK_FOR_COMPONENT = rf"{_DOES_LANGFLOW} {_COMPONENT} (?P<own>.+?)\??"
_SITE = (
    r"(?:(?:an? |the |my |another |a different )?(?:docker(?: compose)?|kubernetes|helm|pip|uv|conda"
    r"|python(?: 3\.[0-9]+)?|windows|mac(?:os)?|linux|ubuntu|debian|aws|azure|gcp|nginx|(?:reverse )?proxy"
    r"|postgres(?:ql)?|sqlite|redis|https|ssl|server|laptop|machine|computer|cloud|port(?: [0-9]+)?|source|production"
    r"|virtual environment|(?:latest|newest) version|command line|terminal|environment variables))"
)
_ASK_OF_LANGFLOW = (
    r"(?:what(?: is|'s) langflow(?: used for| for)?"
    rf"|{_HOW_TO}{_INSTALL} langflow(?: locally)?(?: (?:with|on|in|using|from|behind|via|to) {_SITE}){{0,2}})\??"
)
_ASK_HOW_COMPONENT = (
    rf"{_HOW_TO}{_WORK_ON} {_SOME}(?:custom |langflow |python )*components?"
    rf"(?:(?:{_PLACE}| with (?:two|several) (?:in|out)puts)(?=\??$)| (?P<own>.+?))\??"
)
_ASK_HOW_FLOW = rf"{_HOW_TO}{_OPERATE} {_SOME}(?:langflow |rag |chat |agent )*flows?(?:{_TAIL}(?=\??$)| {_SERVES})\??"
_ASK_WHAT = (
    r"(?:what(?: is|'s| are) (?:(?:an? |the )?(?:langflow )?(?:custom )?(?:components?|flows?)"
    rf"|(?:an? |the )?{_PART} component)(?: used for| for)?"
    rf"|(?:what does|how does) the {_PART} component (?:do|work|return|output)"
    rf"|what (?:in|out)puts does the {_PART} component have)\??"
)


def _nothing(own: str) -> bool:
    return not own


def _by_components(own: str) -> bool:
    return not own or deeds.OF_COMPONENTS.fits(own)


def _by_components_on_data(own: str) -> bool:
    return deeds.on_data(own) and deeds.OF_COMPONENTS.fits(own)


def _by_flows(own: str) -> bool:
    return not own or deeds.OF_FLOWS.fits(own)


def _rule(name: str, kind: Kind, form: str, admits: Callable[[str], bool]) -> Rule:
    return Rule(name, kind, re.compile(form), admits)


RULES = (
    _rule("command to run", Kind.RUN_FLOW, _RUN, _nothing),
    _rule("wish for a component, then a flow", Kind.COMPONENT_THEN_FLOW, _WRITE_AND_BUILD, _by_components),
    _rule("wish for a component", Kind.GENERATE_COMPONENT, _WRITE_COMPONENT, _by_components),
    _rule("want of a component", Kind.GENERATE_COMPONENT, _WANT_COMPONENT, _by_components_on_data),
    _rule("want of a flow", Kind.BUILD_FLOW, _WANT_FLOW, _by_flows),
    _rule("wish for a flow", Kind.BUILD_FLOW, _BUILD_FLOW, _by_flows),
    _rule("question about Langflow", Kind.QUESTION, _ASK_IN_LANGFLOW, _ASKED.fits),
    _rule("question about Langflow", Kind.QUESTION, _ASK_WHICH, _ASKED.fits),
    _rule("question about Langflow", Kind.QUESTION, _ASK_WHETHER, _ASKED.fits),
    _rule("question about Langflow", Kind.QUESTION, _ASK_FOR_COMPONENT, _by_components),
    _rule("question about Langflow", Kind.QUESTION, _ASK_OF_LANGFLOW, _nothing),
    _rule("question how", Kind.QUESTION, _ASK_HOW_COMPONENT, _by_components),
    _rule("question how", Kind.QUESTION, _ASK_HOW_FLOW, _by_flows),
    _rule("question what", Kind.QUESTION, _ASK_WHAT, _nothing),
)
