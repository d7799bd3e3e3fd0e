"""The component is found in whatever a model wraps it in, and a cut one is never called whole."""

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowassist.components.extract import Extracted, extract
from tests.components.samples import UPPERCASE

WHOLE = Extracted(UPPERCASE, complete=True)
CUT = Extracted(UPPERCASE, complete=False)
PROMPTED = UPPERCASE.replace(
    "class Upper", 'PROMPT = """\nAnswer with\n```json\n{}\n```\nor\n```python\nx\n```\n"""\n\n\nclass Upper'
)


@pytest.mark.parametrize(
    "opening",
    ["```python", "```Python", "```PY", "```py", "```python3", "``` python", "~~~python", "~~~", "```", "````python",
     "```python title=uppercase.py", "```{.python}", "  ```python"],
)  # fmt: skip
def test_fences(opening: str) -> None:
    closing = opening.lstrip()[0] * (opening.count("`") or opening.count("~"))
    assert extract(f"Here it is:\n\n{opening}\n{UPPERCASE}{closing}\n\nEnjoy.") == WHOLE


def test_a_fence_after_text_on_its_line() -> None:
    assert extract(f"Sure! ```python\n{UPPERCASE}```") == WHOLE


def test_crlf() -> None:
    assert extract(f"```python\n{UPPERCASE}```\n".replace("\n", "\r\n")) == WHOLE


def test_an_indented_block_in_a_list() -> None:
    block = f"```python\n{UPPERCASE}```"
    assert extract("1. First:\n" + "\n".join(f"   {line}".rstrip() for line in block.splitlines())) == WHOLE


def test_code_that_is_indented_more_than_its_fence() -> None:
    code = "".join(f"    {line}".rstrip() + "\n" for line in UPPERCASE.splitlines())
    assert extract(f"```python\n{code}```") == WHOLE


@pytest.mark.parametrize("tail", ["", "``", "\n\nThat is all."])
def test_an_unclosed_fence(tail: str) -> None:
    found = extract(f"```python\n{UPPERCASE}{tail}")
    assert found
    assert not found.complete
    assert found.code.startswith(UPPERCASE.rstrip())


def test_a_shorter_fence_closes_nothing() -> None:
    found = extract(f"````python\n{UPPERCASE}```")
    assert found
    assert not found.complete


def test_fences_inside_a_string_belong_to_the_code() -> None:
    assert extract(f"```python\n{PROMPTED}```\nDone.") == Extracted(PROMPTED, complete=True)


def test_code_cut_after_a_fence_inside_a_string_is_not_whole() -> None:
    cut = PROMPTED[: PROMPTED.index("or\n")]
    assert extract(f"```python\n{cut}") == Extracted(cut, complete=False)


def test_the_component_is_preferred_to_other_blocks() -> None:
    usage = "```python\nUppercaseComponent(text='x').build_result()\n```"
    install = "```bash\npip install lfx\n```"
    helper = "```python\nclass Helper:\n    pass\n```"
    assert extract(f"{install}\n```python\n{UPPERCASE}```\n{usage}\n{helper}\n") == WHOLE


def test_the_last_of_several_components() -> None:
    better = UPPERCASE.replace("UppercaseComponent", "Better")
    assert extract(f"```python\n{UPPERCASE}```\nBetter:\n```python\n{better}```") == Extracted(better, complete=True)


def test_a_whole_component_is_preferred_to_a_later_cut_one() -> None:
    assert extract(f"```python\n{UPPERCASE}```\nBetter:\n```python\n{UPPERCASE[:200]}") == WHOLE


def test_a_block_that_was_never_closed_ends_where_the_next_begins() -> None:
    assert extract(f"```python\nimport math\n\n```python\n{UPPERCASE}```") == WHOLE


def test_a_block_inside_a_markdown_block() -> None:
    assert extract(f"````markdown\n# Component\n```python\n{UPPERCASE}```\n````") == WHOLE


DRAFT = UPPERCASE.replace("UppercaseComponent", "DraftComponent")
QUOTED = "".join(f"> {line}" if line.strip() else ">\n" for line in UPPERCASE.splitlines(keepends=True))


@pytest.mark.parametrize(
    "answer",
    [
        f"<think>\nFirst:\n```python\n{DRAFT}```\n</think>\n```python\n{UPPERCASE}```",
        f"```python\n{UPPERCASE}```\n<thinking>Or\n```python\n{DRAFT}```\n</thinking>",
        f"<reasoning>\n{DRAFT}</reasoning>\n{UPPERCASE}",
        f"Well:\n```python\n{DRAFT}```\n</think>\n\n```python\n{UPPERCASE}```",
        f"Here:\n\n> ```python\n{QUOTED}> ```\n",
        f"```text\n{UPPERCASE}```",
        f"```python:uppercase.py\n{UPPERCASE}```",
        f"```python {UPPERCASE}```",
        f"```python\n{UPPERCASE.rstrip()}```\n",
        f"\ufeff```python\n{UPPERCASE}```",
        f"```python\u00a0\n{UPPERCASE}```",
        json.dumps({"name": "x", "code": UPPERCASE}),
        json.dumps({"code": f"```python\r\n{UPPERCASE}```"}),
        f"```json\n{json.dumps({'code': UPPERCASE})}\n```",
        f"<details><summary>Code</summary>\n\n```python\n{UPPERCASE}```\n</details>",
        f"```diff\n{DRAFT}```\n```python\n{UPPERCASE}```",
    ],
    ids=["thoughts", "thoughts behind", "unfenced", "thoughts without a beginning", "quoted", "another label",
         "a file's name", "code behind the fence", "a fence behind the code", "a byte order mark", "odd space",
         "JSON", "fenced in JSON", "JSON in a fence", "HTML", "a diff"],
)  # fmt: skip
def test_what_models_wrap_code_in(answer: str) -> None:
    assert extract(answer) == WHOLE


def test_a_mark_for_thoughts_inside_the_code_is_code() -> None:
    code = UPPERCASE.replace("self.text.upper()", 'self.text.split("</think>")[-1]')
    assert extract(f"```python\n{code}```") == Extracted(code, complete=True)


def test_every_cut_of_every_kind_of_answer() -> None:
    """At every character: nothing but the whole component is called whole."""
    fenced = [f"Sure.\n\n```python\n{PROMPTED}```\n\nEnjoy.\n", f"~~~py\r\n{UPPERCASE}~~~\r\n",
              f"> ```python\n{QUOTED}> ```\n", f"1. So:\n   ```python\n{UPPERCASE}   ```\n",
              f"<think>\n```python\n{DRAFT}```\n</think>\n```python\n{UPPERCASE}```\n",
              f"```python {UPPERCASE}```", f"```python\n{UPPERCASE.rstrip()}```",
              json.dumps({"code": UPPERCASE})]  # fmt: skip
    for answer in fenced:
        for cut in range(len(answer)):
            found = extract(answer[:cut])
            assert not (found and found.complete) or found.code in {PROMPTED, UPPERCASE, DRAFT}, answer[:cut]


@pytest.mark.parametrize(
    "piece",
    ["<think>\n", "> ```python\n", "```python\n", "</think>\n", '"""\n```\n', "class A(Component):\n",
     "```python x```\n", "{", "``` `", "class A(LC", "class A(LC\n"],
)  # fmt: skip
def test_long_answers_take_steps_in_proportion(piece: str) -> None:
    """A megabyte of anything: the limit is that of the test run."""
    extract(piece * (1_000_000 // len(piece)))


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Components are nodes of a flow.",
        "```json\n{\"class\": \"X(Component):\"}\n```",
        "```json\nclass X(Component):\n    pass\n```",
        "```bash\nimport x\n```",
        "```\nHELLO WORLD\n```",
        "```python\n```",
        "```",
        "A class is a blueprint; import it from lfx.",
    ],
)  # fmt: skip
def test_no_code(answer: str) -> None:
    assert extract(answer) is None


def test_python_without_a_component_is_still_the_code() -> None:
    assert extract("```python\nprint('hi')\n```") == Extracted("print('hi')\n", complete=True)


def test_a_syntax_error_in_a_closed_block_is_whole_and_wrong() -> None:
    broken = UPPERCASE.replace("Message:", "Message")
    assert extract(f"```python\n{broken}```") == Extracted(broken, complete=True)


@pytest.mark.parametrize(
    "around", ["{}", "Here is the component.\n\n{}\nIt turns text into capitals.", "{}\nUse it well!"]
)
def test_unfenced(around: str) -> None:
    assert extract(around.format(UPPERCASE)) == WHOLE


def test_unfenced_code_that_breaks_off_inside_a_statement() -> None:
    cut = UPPERCASE[: UPPERCASE.index('display_name="Result"')]
    found = extract(cut)
    assert found
    assert not found.complete


@given(st.integers(0, len(PROMPTED) + 40))
@settings(max_examples=300, deadline=None)
def test_a_cut_answer_is_never_whole(cut: int) -> None:
    answer = f"Here you are:\n\n```python\n{PROMPTED}```\n"
    found = extract(answer[:cut])
    if found and found.complete:
        assert found.code == PROMPTED


@given(st.integers(0, len(UPPERCASE)), st.sampled_from(["```py\n", "~~~\n", "````python\n", "1. ```python\n"]))
@settings(max_examples=200, deadline=None)
def test_a_cut_block_is_never_whole(cut: int, opening: str) -> None:
    found = extract(opening + UPPERCASE[:cut])
    assert found is None or not found.complete


_PIECES = st.sampled_from(
    ["```python\n", "```\n", "~~~\n", "```json\n", "````\n", UPPERCASE, "text ", "\n", '"""', "class A(Component):\n",
     "    x = '```'\n", "\x00", "\ud800", "\r", "(" * 50, "import os\n"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=12))
@settings(max_examples=300, deadline=None)
def test_anything_is_read_without_a_crash(pieces: list[str]) -> None:
    found = extract("".join(pieces))
    if found:
        assert found.code.strip()
        assert found.code.endswith("\n")


@given(
    st.lists(st.sampled_from(["```json\n{}\n```\n", "```bash\nls\n```\n", "prose\n", "```\noutput\n```\n"]), max_size=6)
)
@settings(deadline=None)
def test_blocks_around_it_do_not_hide_the_component(around: list[str]) -> None:
    answer = "".join(around) + f"```python\n{UPPERCASE}```\n" + "".join(reversed(around))
    found = extract(answer)
    assert found == WHOLE
    ast.parse(found.code)
