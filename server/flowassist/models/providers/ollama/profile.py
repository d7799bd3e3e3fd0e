"""What Ollama tells of its models, and how long a context, and how much time, a call needs."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flowassist.models.model import Call, Strength

if TYPE_CHECKING:
    from ollama import ListResponse, ShowResponse

LOADING = 2.5
"""A first event may take this much longer than elsewhere: before it, a model of many gigabytes is read from disk."""
STRONG_FROM = 7e9
STEP = 8192
FRAME = 256
"""Tokens that a model's template may add to a prompt."""
PER_MESSAGE = 8
EMBEDDING = re.compile(r"embed|minilm|rerank|^(?:[\w.-]+/)*bge-", re.IGNORECASE)
_SCALE = {"": 1.0, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|\s+")
_RUNS = re.compile(r"(.)\1+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Profile:
    """One model. `capabilities` is None where its server does not tell; `context` and `size` are 0 then.

    `context` is the most tokens that it can hold, `window` how many its file asks for, `size` its parameters.
    """

    capabilities: frozenset[str] | None = None
    context: int = 0
    window: int = 0
    size: float = 0.0
    family: str = ""

    @property
    def strength(self) -> Strength:
        """A model of unknown size is taken for a strong one."""
        return Strength.WEAK if 0 < self.size < STRONG_FROM else Strength.STRONG

    def can(self, capability: str) -> bool:
        """Whether it may be asked for this; without its server's word it may."""
        return self.capabilities is None or capability in self.capabilities

    @property
    def cannot_stop_thinking(self) -> bool:
        """Only gpt-oss cannot; it takes how much instead."""
        return self.family in {"gptoss", "gpt-oss"}

    @property
    def thinking(self) -> Mapping[str, object]:
        """The part of a request that keeps it from thinking: the limit of a call's tokens is meant for its answer."""
        if self.cannot_stop_thinking:
            return {"think": "low"}
        return {"think": False} if "thinking" in (self.capabilities or ()) else {}


NOBODY_KNOWS = Profile()


def profile_of(shown: "ShowResponse") -> Profile:
    """Of an answer of /api/show."""
    info, details = shown.modelinfo or {}, shown.details
    family = (details and details.family) or ""
    context = info.get(f"{info.get('general.architecture', family)}.context_length")
    window = re.search(r"^num_ctx\s+(\d+)", shown.parameters or "", re.MULTILINE)
    return Profile(
        frozenset(shown.capabilities) if shown.capabilities else None,
        context if isinstance(context, int) else 0,
        int(window[1]) if window else 0,
        parameters_in((details and details.parameter_size) or str(info.get("general.parameter_count", ""))),
        family,
    )


def parameters_in(size: str) -> float:
    """The number in such texts as "7.6B" and "494.03M"; 0 if there is none."""
    number = re.fullmatch(r"(\d+(?:\.\d+)?)([KMBT]?)", size.strip().upper())
    return float(number[1]) * _SCALE[number[2]] if number else 0.0


def by_preference(models: "Iterable[ListResponse.Model]") -> list[str]:
    """Names of the models that can chat: those that need the cloud last, weak ones late, larger ones early."""
    chatting = [model for model in models if model.model and not _only_embeds(model)]
    return [model.model or "" for model in sorted(chatting, key=_rank)]


def _rank(model: "ListResponse.Model") -> tuple[bool, bool, float, str]:
    name = model.model or ""
    size = parameters_in((model.details and model.details.parameter_size) or "")
    return is_in_cloud(name), Profile(size=size).strength is Strength.WEAK, -size, name


def is_in_cloud(name: str) -> bool:
    return name.endswith((":cloud", "-cloud"))


def _only_embeds(model: "ListResponse.Model") -> bool:
    details = model.details
    families = [*((details and details.families) or ()), (details and details.family) or ""]
    return bool(EMBEDDING.search(model.model or "")) or any("bert" in family for family in families)


@dataclass(frozen=True, slots=True)
class Need:
    """Tokens of a prompt: surely not more than `most`, surely not fewer than `fewest`."""

    most: int
    fewest: int


def need_of(call: Call) -> Need:
    """An estimate from characters, whatever the tokenizer: about twice what Qwen2.5 counts in prose and code."""
    texts = list(_texts(call))
    most = sum(map(_most, texts)) + PER_MESSAGE * (len(call.messages) + 1) + FRAME
    return Need(most, sum(map(_fewest, texts)))


def _texts(call: Call) -> Iterable[str]:
    yield call.system
    for message in call.messages:
        yield message.text
        for used in message.tool_calls:
            yield used.name + used.arguments
    for tool in call.tools:
        yield _compact([tool.name, tool.description, tool.parameters])


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _most(text: str) -> int:
    """Words have three letters or more to a token; other signs may be one each, those of other scripts two."""
    words = sum(map(len, _WORDS.findall(text)))
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return words // 3 + (len(text) - words - foreign) + 2 * foreign


def _fewest(text: str) -> int:
    """No tokenizer makes more than eight bytes of text one token, but for runs of one character."""
    return len(_RUNS.sub(r"\1", text).encode(errors="replace")) // 8


def window_for(tokens: int, profile: Profile, before: int) -> int:
    """The context to ask for: a change makes the server load the model anew, so it grows in steps and never shrinks."""
    wanted = max(-(-tokens // STEP) * STEP, profile.window, before)
    return min(wanted, profile.context) if profile.context else wanted
