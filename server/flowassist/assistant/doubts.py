"""What makes a message doubtful though it has a form that is sure: patterns over lower-case English."""

import re

from flowassist.assistant import words

_OTHER_TRADES = (
    r"react\S*|vue\S*|angular|svelte|next\.?js|node\.?js|javascript|typescript|jsx|tsx|css|tailwind|bootstrap|jquery"
    r"|unity|unreal|godot|flutter|swift\w*|kotlin|android|ios|xcode|wordpress|shopify|figma|excel|powerpoint|blender"
    r"|electr\w+|arduino|raspberry|circuits?|breadboards?|resistors?|solder\w*|batter(?:y|ies)|motors?|engines?|cars?"
    r"|gpus?|cpus?|motherboards?|kubernetes|k8s|clusters?|ros2?|blockchains?|ethereum|bitcoin|linked lists?"
    r"|binary trees?|jenkins|github actions?|gitlab|devops|ci/cd|langchain|langgraph|llamaindex|salesforce|servicenow"
    r"|sharepoint|jira|hubspot|airtable|dynamics|sap|notion|minecraft|roblox"
    r"|discord\.py|dialogflow|manychat|streamlit|flask|django|fastapi|sdks?|rust|java|golang|c\+\+|c#|php|ruby"
)
_MODELS = (
    r"gpt\S*|chatgpt\S*|o[134](?:-\w+)?|claude\S*|sonnet|opus|haiku|gemini\S*|gemma\S*|llama\S*|mi[sx]tral\S*|qwen\S*"
    r"|deepseek\S*|phi-?\d\S*|granite\S*|command-\w+|grok\S*|kimi\S*|nova|nemotron|falcon|glm\S*|minimax|hermes"
    r"|codestral|devstral|magistral|ministral|pixtral|sonar|jamba|titan|olmo\S*|turbo|\S+-\d+b"
)
_FOREIGN = r"que|para|com|con|los|las|una|uma|und|der|das|mit|les|des|avec|che|della|pour|por|het|een|dla|jest"
DOUBTFUL = re.compile(
    rf"{words.RIVALS.pattern}|\b(?:{_FOREIGN})\b|(?<![\w.])(?:{_OTHER_TRADES})(?![\w])|[\n`<>|{{}}]"
    rf"|\b(?:langflow|assistant|bot) ?[,:]|, ?langflow\b|\bjust kidding\b"
)
"""Another tool, another language, code, the assistant called by name."""

ELSEWHERE = re.compile(
    r"\b(?:in|inside|within) (?!Langflow|Python|English|Spanish|French|German|Portuguese|Italian|Chinese|Japanese)"
    r"[A-Z][a-z]+"
)
"""A name after "in", as it was written: most likely a program that is not ours."""

_DOUBTS = (
    rf"[?]|\b(?:i|i'm|i'd|you|your|he|she|her|him|they|mine|{_MODELS}|models?)\b"
    r"|\b(?:not|never|no|don't|\w+n't|nothing|cannot|instead|rather|unless|actually|wait|forget|ignore|joking|already)\b"
    r"|\b(?:how|what|why|whether|which one|is there|exists?|possible|best|recommend\w*|suggest\w*|hypothetical\w*)\b"
    r"|\b(?:ideas?|tips?|advice|thoughts?|hints?|examples?|tutorials?|docs|documentation|guides?|built[ -]in)\b"
    r"|\b(?:is|are|was|were|seems?|sounds?|looks?(?! up)|appears?|requires?|costs?|needs?|comes?|came|feels?)\b"
    r"|\b(?:means?|meant)\b"
    r"|\bor\b|\bbut\b|\bversus\b|\bvs\b|, which\b|\b(?:better|faster|cheaper|quicker|smarter|easier|nicer)\b"
    r"|\bto (?:stop|start|be|work|show|understand|see|know|learn|appear|have|do|run|finish|end|accept|go|get)\b"
    r"|\b(?:fast|quick(?:ly)?|properly|correctly|reliably|again)\b"
    r"|\b(?:fails?|failed|failing|failure|errors?|crash\w*|broken|bugs?|works?|worked|takes (?:too|so|very) long)\b"
    r"|\b(?:keeps?|kept|stays|stuck|hangs?|hanging|freez\w+|froze|slow\w*|forever|tim(?:es|ing|ed) out|timeouts?|gave"
    r"|wrong|missing|weird|strange\w*|odd\w*|useless|disappear\w*|vanish\w*|greyed|grayed|confus\w+)\b"
)
_SECOND_PREDICATE = (
    r"(?<!and )(?<!, )(?<!that )(?<!which )(?<!it )(?<!then )(?<!simply )(?<!only )(?<!automatically )"
    r"\b(?:returns|gives|says|shows|throws|does|has|makes|takes|goes|loses|raises|produces|converts|creates|removes|ends"
    r"|reads|sends|writes|fetches|gets|keeps|saves)\b"
    r"|\b\w+ed(?:$| (?:an?|the|my|its|by|no|with|in|at|on|me|us|for|to|out|up|down)\b)"
    r"|\b(?:lost|took|got|went|said|did|had|made|broke|ran|threw|became|began|came|left|fell|grew|shown|let)\b"
)
"""What follows where the command was only a subject: "Create a component that adds numbers took long"."""

_IMPERATIVES = (
    rf"(?:{words.MAKE}|run|execute|start|launch|test|deploy|explain|tell|show|teach|describe|translate|send|help|say"
    r"|use|connect|wire|plug|put|place|include|integrate|insert|embed|save|delete|remove|rename|change|update|check"
    r"|answer|list|let|please|then)"
)
_SECOND_WISH = (
    r"(?:[.;:!,]|\bor|\band|\bbut) ?(?:who|when|where|is|are|does|do|can|should|would)\b"
    rf"|[.;:!,] ?(?:and |or |but |also )*{_IMPERATIVES}\b|\b(?:and|or|but|also|then) {_IMPERATIVES}\b"
)
_ON_SCREEN = (
    r"\b(?:websites?|web sites?|buttons?|navbars?|carousels?|modals?|popups?|sidebars?|render\w*|animat\w+|hover\w*"
    r"|screens?|frontend|hooks?|pointers?|child(?:ren)?|trees?|peers?|networks?|servers?)\b"
)
"""What components and nodes of other kinds do."""

_PROVIDERS = (
    r"openai|anthropic|google|groq|azure|watsonx|ibm|ollama|bedrock|amazon|cohere|hugging ?face|perplexity|xai|meta"
    r"|nvidia|vertex|openrouter|together ai|lm studio|vllm"
)
_OTHER_FLOWS = (
    r"deploys?|pull requests?|commits?|docker|yoga|stretch\w*|danc\w+|poses?|rhym\w+|rap|beats?|water|traffic|blood"
    r"|cash"
)
_NOUNS = rf"\b(?:{words.COMPONENT}|{words.FLOW})\b"
_LONG_QUOTE = r"\"[^\"]{25,}|(?<!\w)'[^']{25,}'(?!\w)"
IN_COMPONENT = re.compile(rf"{_DOUBTS}|{_SECOND_PREDICATE}|{_SECOND_WISH}|{_NOUNS}|{_ON_SCREEN}|{_LONG_QUOTE}")
IN_FLOW = re.compile(
    rf"{_DOUBTS}|{_SECOND_PREDICATE}|{_SECOND_WISH}|\b{words.COMPONENT}\b|{_LONG_QUOTE}"
    r"|\b(?:runs?|executes?|tests?|python|code|scripts?)\b"
    rf"|\b(?:{_PROVIDERS}|{_OTHER_FLOWS})\b|\b(?=\w*[a-z])(?=\w*\d)\w+\b"
)
IN_QUESTION = re.compile(
    r"\b(?:please|for me|you (?:can|could|would|will)|(?:can|could|would|will) you|what about|how about|what if|why not"
    rf"|why don't|instead|because|build it|create it|make (?:it|one)|do it|{_MODELS})\b"
    rf"|{_LONG_QUOTE}|[.!?;:]| - |\bis what\b"
)
NOTHING = re.compile(r"(?!)")
"""Where a form leaves no room for doubt."""
