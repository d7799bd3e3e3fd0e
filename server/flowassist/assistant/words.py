"""The words by which requests are told apart: patterns over lower-case English, a few over other languages."""

import re

COMPONENT = r"(?:components?|nodes?)"
FLOW = (
    r"(?:(?:work)?flows?|pipelines?|chat ?bots?|(?:ro)?bots?|agents?|assistants?|chains?|graphs?"
    r"|(?:rag|q&a|qa) (?:system|app|application)s?|apps?|applications?)"
)
MAKE = (
    r"(?:create|build|make|generate|write|develop|design|implement|set ?up|construct|code|produce|program|draft"
    r"|assemble|compose|prepare|put together|come up with|give me|get me|add)"
)
_WANT = r"(?:(?:i|we)(?: would|'d)? (?:want|need|like|require)|(?:i am|i'm|we are|we're) looking for)"
_USE = r"(?:use|wire|connect|plug|put|add|place|include|integrate|insert|embed|hook)"
_RUN = r"(?:run|execute|launch|start|trigger|play|test)"

_COURTESY = r"(?:please|hi|hello|hey|ok|okay|great|perfect|thanks|thank you|well|so|now|then|and|also|next)\b[ ,.!]*"
COURTESY = re.compile(rf"^(?:{_COURTESY})+")
"""What may stand before any sentence."""

POLITE = re.compile(
    rf"^(?:{_COURTESY}"
    r"|(?:can|could|would|will) you(?: please)?(?: be able to)? "
    r"|(?:i was wondering|i wonder) if you (?:can|could) "
    r"|(?:i|we)(?: would|'d)? (?:want|need|like|wish) (?:you )?to "
    r"|(?:let's|let us|go ahead and|help me(?: to)?) )"
)
"""What may stand before the sentence proper."""

ASKS = re.compile(
    r"^(?:how|what|which|why|when|where|who|whom|whose|is|are|am|was|were|does|do|did|has|have|can|could|should|would"
    r"|will|may|explain|describe|compare|clarify|tell|teach|show me (?:how|what|why|where|which)|guide|know|learn"
    r"|understand|i (?:do not|don't) (?:know|understand)|any idea)(?:'s|'re)?\b"
)
HOW_TO = re.compile(r"^how (?:do|can|could|should|would) (?:i|we|you) |^how to ")
ASKS_IN_CHINESE = re.compile(r"[?？吗呢哪谁]|如何|怎|什么|为何|为什么|多少|几个|是否|能否|能不能|可不可以")
HAN = re.compile(r"[\u4e00-\u9fff]")

CLAUSES = re.compile(
    r"[.;!?\n]+(?:\s|$)|,? (?:and |& )?(?:then|after that|afterwards|afterward|finally|later|next)\b,?"
    rf"|,? (?:and|&) (?=(?:{MAKE}|{_USE}|{_RUN})s?\b)|, (?=(?:{MAKE}|{_USE}|{_RUN})\b)"
)
MAKES = re.compile(rf"^(?:{MAKE}|{_WANT})\b (?P<object>.*)|^(?:an? )?(?P<named>(?:new|custom) .*)")
SUBORDINATE = re.compile(
    r"\b(?:that|which|who|whose|where|when|so|to|for|with|without|using|from|over|of|on|in|into|based|able|capable"
    r"|called|named|and returns?|taking|receiving|returning)\b|[,:(]"
)
NOUN = re.compile(rf"\b(?:(?P<component>{COMPONENT})|(?P<flow>{FLOW}))\b")
JOINED = re.compile(rf"\b{COMPONENT} (?:and|plus|&) (?:an? |the )?(?:\w+ ){{0,2}}{FLOW}\b")
NEW_INSIDE = re.compile(rf"\b(?:custom|new|own) (?:\w+ ){{0,2}}{COMPONENT}\b")
OLD = re.compile(rf"^(?:the|this|that|my|our|it|its)\b.*\b{COMPONENT}\b")
LINKS = re.compile(
    rf"^(?:{_USE})s? (?:it|this|that|them|the (?:\w+ )?{COMPONENT}|the result)\b.*\b(?:{FLOW}|chat (?:in|out)put)\b"
)
RUNS = re.compile(
    rf"^{_RUN}(?: again)? (?:(?:the|this|that|my|our|your|current|a)\b.{{0,40}}?\b{FLOW}|it|this)\b(?! component)"
)
RUNS_ELSEWHERE = re.compile(
    r"^(?:por favor,? )?(?:rod[ea]r?|execut[ea]r?|ejecut[ae]r?|corre|inicia|inicie) (?:\w+ ){0,2}(?:fluxo|flujo|flow)\b"
    r"|^请?(?:运行|执行|启动)(?!.*(?:吗|如何|怎)).*(?:流程|工作流|flow)",
    re.IGNORECASE,
)
"""The short command to run, which a small model may mistranslate."""

EDITS = re.compile(
    rf"^(?:add|connect|wire|link|attach|remove|delete|replace|swap|insert|plug)\b"
    rf".*\b(?:{COMPONENT}|{FLOW}|model|llm|prompt|memory|input|output|edge|canvas|store|tool)\b"
)
CHANGES = re.compile(
    r"^(?:use|rename|change|make|add|remove|drop|delete|replace|switch|convert|set|return|output|turn|let|allow|keep"
    r"|handle|support|include|ignore|trim|strip|fix|improve|extend|update|modify|adjust|rewrite|simplify|call|name"
    r"|give|do|try|put|move|split|limit|sort|accept|mark|translate|instead"
    r"|it (?:should|must)|the \w+ (?:should|must))\b"
)
NO_THING = re.compile(
    r"^(?:some |any |more |an? |the |your )?(?:\w+ )?(?:help|information|info|documentation|docs|explanation|advice"
    r"|overview|tips?|ideas?|summary|details?|examples?|guide|tutorial|answers?|sure)\b"
)
PROSE = re.compile(
    r"^(?:me |us )?(?:an? |the |some )?(?:\w+ ){0,2}(?:e-?mails?|letters?|poems?|stor(?:y|ies)|songs?|essays?|haikus?"
    r"|jokes?|tweets?|blog posts?|speech(?:es)?|novels?|lyrics|recipes?|cover letters?)\b"
    r"(?! (?:parser|extractor|validator|splitter|reader|writer|generator|counter|classifier|cleaner))"
)
"""Things to write that no component is."""

LANGFLOW = re.compile(
    rf"\b(?:langflow|{COMPONENT}|chat (?:in|out)puts?|(?:my|the|this|a|your|our) (?:work)?flow|flows|canvas|playground"
    r"|vector stores?|embeddings?|prompt templates?|rag|llms?|mcp)\b"
)
TRADE = re.compile(
    rf"\b(?:{COMPONENT}|{FLOW}|models?|llms?|prompts?|templates?|tools?|toolsets?|memor(?:y|ies)|vectors?|embeddings?"
    r"|rag|retriev\w+|apis?|keys?|tokens?|chats?|inputs?|outputs?|openai|gpt\S*|chatgpt|claude|anthropic|gemini|ollama"
    r"|groq|llama\S*|mistral|hugging ?face|watsonx|chroma|pinecone|qdrant|milvus|faiss|astra|python|code|json|csv|yaml"
    r"|xml|html|sql|regex\w*|dataframes?|tables?|docker|kubernetes|deploy\w*|install\w*|servers?|endpoints?|webhooks?"
    r"|databases?|chunks?|chunking|documents?|pdfs?|files?|variables?|environment|errors?|exceptions?|fail\w*|bugs?"
    r"|custom|playground|mcp|sessions?|history|export\w*|import\w*|upgrade\w*|versions?|settings?|temperature|connect\w*"
    r"|class|method|functions?|package|librar(?:y|ies)|text|strings?|data|fine-?tun\w+|hallucinat\w+|inference|ai"
    r"|langchain|langgraph|loops?|routers?|streaming|structured|schema|canvas|edges?|ports?|fields?|parameters?)\b"
)
RIVALS = re.compile(
    r"\b(?:n8n|zapier|make\.com|integromat|flowise|dify|node-?red|power automate|ifttt|pipedream|airflow|uipath"
    r"|botpress|voiceflow|rasa|copilot studio|coze|autogen|crewai|haystack)\b"
)

SPOKEN = re.compile(r"^(?P<who>User|Assistant): ", re.MULTILINE)
WROTE = "(wrote a component)"
MADE = re.compile(
    r"(?P<component>component[ea]?s?\b|\bnodo?s?\b|\bnodes?\b|组件|元件|节点|コンポーネント)"
    r"|(?P<flow>\b(?:work)?flows?\b|\bfluxos?\b|\bflujos?\b|工作流|流程|フロー|chat ?bot|\bagent[ea]?\b)",
    re.IGNORECASE,
)

MODEL = re.compile(
    r"\b(?:gpt-[\w.:-]*\w|o[134](?:-(?:mini|pro|preview))?|chatgpt-[\w.-]*\w|claude-[\w.-]*\w|gemini-[\w.-]*\w"
    r"|(?:llama|mistral|mixtral|qwen|deepseek|gemma|phi|granite|command)[-\d][\w.:-]*\w)\b",
    re.IGNORECASE,
)
