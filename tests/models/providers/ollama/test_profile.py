import pytest
from ollama import ShowResponse

from flowassist.models.model import Call, Message, Tool, ToolCall
from flowassist.models.providers.ollama.profile import (
    STEP,
    Need,
    Profile,
    need_of,
    parameters_in,
    profile_of,
    window_for,
)
from tests.vendors.ollama import Served


def told(**served: object) -> Profile:
    return profile_of(ShowResponse(**Served(**served).show()))  # type: ignore[arg-type]


def test_what_a_server_tells_of_a_model() -> None:
    shown = told(family="gemma3", size="4.3B", context=131072, parameters="temperature 1\nnum_ctx 16384")
    assert shown == Profile(frozenset({"completion", "tools"}), 131072, 16384, 4.3e9, "gemma3")


def test_what_it_leaves_open() -> None:
    assert told(capabilities=None).can("tools")
    assert not told(capabilities=("completion",)).can("tools")


@pytest.mark.parametrize(
    ("text", "size"), [("7.6B", 7.6e9), ("494.03M", 494.03e6), ("1t", 1e12), ("8030261248", 8030261248.0), ("big", 0.0)]
)
def test_numbers_of_parameters(text: str, size: float) -> None:
    assert parameters_in(text) == pytest.approx(size)


def needed(text: str) -> Need:
    empty, whole = (need_of(Call("", (Message("user", said),), 100)) for said in ("", text))
    return Need(whole.most - empty.most, whole.fewest - empty.fewest)


PROSE = "Langflow is a visual framework for building applications with language models and agents. "
CODE = 'def run(self) -> Message:\n    return Message(text=self.items[0]["name"].strip()[1:-1])\n'


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (PROSE * 10, 151),
        (CODE * 10, 240),
        ("语言模型可以编写组件" * 10, 50),
        ("Языковая модель может писать компоненты для потоков данных. " * 10, 191),
        ("भाषा मॉडल घटक लिख सकता है। " * 10, 260),
        ("1234567890" * 10, 100),
        ("550e8400-e29b-41d4-a716-446655440000\n" * 10, 350),
        ("QmFzZTY0IGVuY29kZWQgc3RyaW5n" * 10, 220),
        ("😀" * 10, 10),
        (" " * 400, 4),
    ],
)
def test_the_true_number_of_tokens_lies_between_the_estimates(text: str, tokens: int) -> None:
    """`tokens` as Qwen2.5's tokenizer counts them."""
    need = needed(text)
    assert need.fewest <= tokens <= need.most


def test_tools_and_their_calls_count() -> None:
    tool = Tool("search", "Searches. " * 50, {"type": "object", "properties": {}})
    bare = Call("", (Message("user", "x"),), 100)
    used = Message("assistant", "", (ToolCall("c", "search", '{"query": "' + "word " * 50 + '"}'),))
    assert need_of(Call("", bare.messages, 100, tools=(tool,))).most > need_of(bare).most + 150
    assert need_of(Call("", (*bare.messages, used), 100)).most > need_of(bare).most + 80


@pytest.mark.parametrize(
    ("tokens", "profile", "before", "window"),
    [
        (1, Profile(), 0, STEP),
        (STEP, Profile(), 0, STEP),
        (STEP + 1, Profile(), 0, 2 * STEP),
        (1, Profile(), 3 * STEP, 3 * STEP),
        (1, Profile(window=20_000), 0, 20_000),
        (1, Profile(context=2048), 0, 2048),
        (50_000, Profile(context=40_960), 0, 40_960),
    ],
)
def test_windows(tokens: int, profile: Profile, before: int, window: int) -> None:
    assert window_for(tokens, profile, before) == window
