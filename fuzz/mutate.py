"""New inputs from old ones. Everything follows from the random generator that is given."""

from collections.abc import Callable, Sequence
from random import Random

WORDS = (
    "```python\n", "```\n", "~~~\n", "```json\n", "````\n", "> ", '"""', "'''", "\\", "\r\n", "\r", "\t", "\f", "\x00",
    "\ufeff", "\ud800", "\u2028", "é", "😀", "class A(Component):\n", "    def run(self) -> Message:\n", "import os\n",
    "from lfx.custom import Component\n", "(", ")", "[", "]", "{", "}", ":", "=", ":=", "*", "**", ",", "lambda: ",
    "async ", "await ", "yield ", "return ", "global os\n", "getattr(os, 'system')", "__import__('os')", "self.",
    "inputs = [", "outputs = (", "Output(name='a', method='run')", "match x:\n    case y:\n        1",
    "try:\n    1\nexcept* E as e:\n    2\n", "[x for x in ", "@os.system\n", "0xffffffffffffffffffffff", "1e999", "NaN",
    "-1", "null", "true", '"fault"', '"stage"', '{"a":', "<think>", "</think>",
)  # fmt: skip
_LONGEST = 20_000  # characters
_MOST_STEPS = 6

Mutation = Callable[[Random, str, Sequence[str]], str]


def mutated(random: Random, pool: Sequence[str]) -> str:
    """One of the pool, changed in a few places."""
    text = random.choice(pool)
    for _ in range(random.randint(1, _MOST_STEPS)):
        text = random.choice(_MUTATIONS)(random, text, pool)[:_LONGEST]
    return text


def _span(random: Random, text: str) -> tuple[int, int]:
    """Mostly short, at times anything."""
    start = random.randint(0, len(text))
    size = random.choice((1, 2, 8, 40, len(text)))
    return start, min(len(text), start + random.randint(0, size))


def _cut_out(random: Random, text: str, _pool: Sequence[str]) -> str:
    start, end = _span(random, text)
    return text[:start] + text[end:]


def _cut_off(random: Random, text: str, _pool: Sequence[str]) -> str:
    return text[: random.randint(0, len(text))]


def _repeat(random: Random, text: str, _pool: Sequence[str]) -> str:
    start, end = _span(random, text)
    return text[:start] + text[start:end] * random.choice((2, 3, 100)) + text[end:]


def _insert(random: Random, text: str, _pool: Sequence[str]) -> str:
    start, _ = _span(random, text)
    return text[:start] + random.choice(WORDS) * random.choice((1, 1, 1, 2, 200)) + text[start:]


def _replace(random: Random, text: str, _pool: Sequence[str]) -> str:
    start, end = _span(random, text)
    return text[:start] + chr(random.choice((random.randint(0, 127), random.randint(0, 0x10FFFF)))) + text[end:]


def _splice(random: Random, text: str, pool: Sequence[str]) -> str:
    other = random.choice(pool)
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


def _swap_lines(random: Random, text: str, _pool: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = random.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def _indent(random: Random, text: str, _pool: Sequence[str]) -> str:
    before = random.choice(("    ", "> ", "\t", " "))
    return "".join(before + line for line in text.splitlines(keepends=True))


_MUTATIONS: tuple[Mutation, ...] = (
    _cut_out,
    _cut_off,
    _repeat,
    _insert,
    _insert,
    _replace,
    _splice,
    _swap_lines,
    _indent,
)
