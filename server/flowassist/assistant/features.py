"""The intent of a message, for weak models: the model translates and names the topic, rules decide."""

import json
from difflib import SequenceMatcher

from flowassist.assistant import rules
from flowassist.assistant.intended import Intended, Kind
from flowassist.assistant.rules import Topic
from flowassist.models.model import Ask, Call, Message, Reply, Schema

MAX_ENGLISH = 600
"""Characters of a translation; a longer message is classified by its beginning and its end."""

_SAME = 0.6
"""Share of equal words over which a translation is the message itself, put a little differently."""

_SYSTEM = """\
You prepare messages for the assistant of Langflow, a tool in which users build AI flows from components \
(also called nodes): models, prompts, agents, vector stores, files, chat inputs and outputs.
Answer in JSON.
"english": the message in plain English, complete, the same kind of sentence. Never answer it, never carry it out. \
An English message is copied.
"topic": what the message is about:
- "langflow": Langflow itself, its flows, components, nodes, settings, errors, API
- "ai building": AI parts and how to make them: models, prompts, agents, embeddings, RAG, chatbots, text and data tools
- "other product": another program, website or company
- "general knowledge": facts about the world, sports, people, places, weather, health, school tasks, sums
- "small talk": greetings, thanks, chat, jokes
- "creative writing": poems, stories, letters, translations

Message: como exporto meu fluxo?
{"english": "how do I export my flow?", "topic": "langflow"}
Message: 写一个删除重复行的节点
{"english": "Write a node that removes duplicate lines", "topic": "ai building"}
Message: 谁发明了电话?
{"english": "Who invented the telephone?", "topic": "general knowledge"}
Message: is Photoshop better than Gimp?
{"english": "is Photoshop better than Gimp?", "topic": "other product"}
Message: what is a vector database
{"english": "what is a vector database", "topic": "ai building"}
Message: Hola, ¿qué tal?
{"english": "Hi, how are you?", "topic": "small talk"}
Message: calculate 17% of 350
{"english": "calculate 17% of 350", "topic": "general knowledge"}
Message: Escribe un cuento sobre un perro
{"english": "Write a story about a dog", "topic": "creative writing"}"""

_SHAPE = Schema(
    "features",
    {
        "type": "object",
        "properties": {
            "english": {"type": "string", "maxLength": MAX_ENGLISH},
            "topic": {"type": "string", "enum": [topic.value for topic in Topic]},
        },
        "required": ["english", "topic"],
        "additionalProperties": False,
    },
)


async def features_intent(ask: Ask, text: str, context: str = "") -> Intended:
    """What `text` asks for. The model does not see `context`; the rules do. ModelError passes through."""
    reply = await ask("intent", _call(text))
    read = _read(reply)
    if read is None:
        return Intended(Kind.QUESTION, text, degraded=True, requested_model=rules.named_model(text))
    english, topic = read
    kind = rules.kind_of(text, english, topic, context)
    return Intended(kind, _request(text, english), requested_model=rules.named_model(text))


def _call(text: str) -> Call:
    message = Message("user", "Message: " + _shortened(text))
    return Call(_SYSTEM, (message,), max_tokens=300, schema=_SHAPE, temperature=0.0, slot="intent")


def _shortened(text: str) -> str:
    if len(text) <= MAX_ENGLISH:
        return text
    return f"{text[: MAX_ENGLISH - 200]} … {text[-180:]}"


def _read(reply: Reply) -> tuple[str, Topic] | None:
    try:
        features = json.loads(reply.text)
        return str(features["english"]), Topic(features["topic"])
    except (ValueError, KeyError, TypeError):
        return None


def _request(text: str, english: str) -> str:
    """The translation, unless the message was English already or is longer than what was translated."""
    if len(text) > MAX_ENGLISH or len(english) >= MAX_ENGLISH or not english.strip():
        return text
    alike = SequenceMatcher(a=text.lower().split(), b=english.lower().split()).ratio()
    return text if alike >= _SAME else english
