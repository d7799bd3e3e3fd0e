"""What outputs are run on, and what is said of those that could not be."""

import json

import pytest

from flowassist.sandbox.claims import Blame, Job, Stage
from flowassist.sandbox.supervisor import Sandbox
from tests.sandbox.code import TEXT, component

pytestmark = pytest.mark.asyncio(loop_scope="session")

EVERY_KIND = ", ".join(
    (
        TEXT,
        'MultilineInput(name="long", display_name="Long")',
        'StrInput(name="words", display_name="Words", is_list=True)',
        'IntInput(name="count", display_name="Count")',
        'FloatInput(name="share", display_name="Share")',
        'BoolInput(name="loud", display_name="Loud", value=True)',
        'DropdownInput(name="mode", display_name="Mode", options=["upper", "lower"])',
        'DictInput(name="pairs", display_name="Pairs")',
        'NestedDictInput(name="tree", display_name="Tree")',
        'DataInput(name="record", display_name="Record")',
        'DataInput(name="records", display_name="Records", is_list=True)',
        'DataFrameInput(name="table", display_name="Table")',
        'TableInput(name="grid", display_name="Grid")',
        'MessageInput(name="message", display_name="Message")',
        'SecretStrInput(name="api_key", display_name="Key")',
        'MultiselectInput(name="tags", display_name="Tags", options=["x", "y"])',
        'SliderInput(name="heat", display_name="Heat", value=0.3)',
    )
)
WORDS = "text long words count share loud mode pairs tree record records table grid message api_key tags heat"
NAMES = WORDS.split()


async def test_every_kind_of_input_gets_a_value_of_its_type(sandbox: Sandbox) -> None:
    body = "return Data(data={n: type(getattr(self, n)).__name__ for n in " + repr(NAMES) + "})"
    claim = await sandbox.validate(Job(component(body, returns=" -> Data", inputs=EVERY_KIND), "Sample"))
    assert claim.fault is None
    assert json.loads(claim.runs[0].result) == {
        "text": "str",
        "long": "str",
        "words": "list",
        "count": "int",
        "share": "float",
        "loud": "bool",
        "mode": "str",
        "pairs": "dict",
        "tree": "dict",
        "record": "JSON",
        "records": "list",
        "table": "Table",
        "grid": "list",
        "message": "Message",
        "api_key": "str",
        "tags": "list",
        "heat": "float",
    }
    assert len(claim.inputs) == len(NAMES)


async def seen(sandbox: Sandbox, inputs: str, expression: str, sample: str = "plain") -> object:
    code = component(f"return Data(data={{'seen': {expression}}})", returns=" -> Data", inputs=inputs)
    claim = await sandbox.validate(Job(code, "Sample"))
    assert claim.fault is None
    return json.loads(next(r.result for r in claim.runs if r.sample == sample))["seen"]


@pytest.mark.parametrize(
    ("inputs", "expression", "value"),
    [
        ('IntInput(name="n", display_name="N", value=7)', "self.n", 7),
        ('MessageTextInput(name="sep", display_name="S", value=";")', "self.sep", ";"),
        ('MessageTextInput(name="separator", display_name="S")', "self.separator", ","),
        ('MessageTextInput(name="start_date", display_name="S")', "self.start_date", "2024-05-17"),
        ('MessageTextInput(name="x", display_name="Email")', "self.x", "ada@example.com"),
        ('DropdownInput(name="mode", display_name="M", options=["a", "b"])', "self.mode", "a"),
        ('DropdownInput(name="mode", display_name="M", options=["a", "b"], value="b")', "self.mode", "b"),
        ('MessageTextInput(name="items", display_name="I", is_list=True)', "len(self.items)", 2),
        ('DataInput(name="record", display_name="R")', "self.record.data['name']", "Ada"),
        ('DataFrameInput(name="table", display_name="T")', "list(self.table['value'])", [3, 5]),
    ],
)
async def test_plain_values_follow_defaults_names_and_options(
    sandbox: Sandbox, inputs: str, expression: str, value: object
) -> None:
    assert await seen(sandbox, inputs, expression) == value


@pytest.mark.parametrize(
    ("inputs", "expression", "value"),
    [
        (TEXT, "self.text", ""),
        ('IntInput(name="n", display_name="N", value=7)', "self.n", 0),
        ('MessageTextInput(name="items", display_name="I", is_list=True)', "self.items", []),
        ('DataInput(name="record", display_name="R")', "self.record.data", {}),
        ('DataFrameInput(name="table", display_name="T")', "len(self.table)", 0),
    ],
)
async def test_the_empty_sample_is_empty(sandbox: Sandbox, inputs: str, expression: str, value: object) -> None:
    assert await seen(sandbox, inputs, expression, "empty") == value


async def test_a_range_is_kept(sandbox: Sandbox) -> None:
    code = component(
        "return Data(data={'seen': self.n})",
        returns=" -> Data",
        inputs='IntInput(name="n", display_name="N", range_spec=RangeSpec(min=10, max=20))',
        before="from lfx.field_typing.range_spec import RangeSpec",
    )
    claim = await sandbox.validate(Job(code, "Sample"))
    assert [json.loads(r.result)["seen"] for r in claim.runs] == [10, 10]


async def test_an_error_on_the_empty_sample_is_told_but_no_fault(sandbox: Sandbox) -> None:
    claim = await sandbox.validate(Job(component("return Message(text=self.text[0])"), "Sample"))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    empty = claim.runs[1]
    assert (empty.sample, empty.fault, empty.observed) == ("empty", None, "")
    assert empty.preview == "raises IndexError: string index out of range"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("import json\nreturn Message(text=json.loads(self.text)['name'])", "JSON text"),
        ("return Message(text=str(int(self.text) + 1))", "a number as text"),
        ("from datetime import date\nreturn Message(text=str(date.fromisoformat(self.text)))", "a date as text"),
        ("import json\nreturn Message(text=json.loads(self.text)[0]['name'])", "a JSON list as text"),
    ],
)
async def test_code_that_asks_for_another_kind_of_text_gets_it(sandbox: Sandbox, body: str, title: str) -> None:
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    assert [r.sample for r in claim.runs] == [title, "plain"]
    assert claim.runs[0].observed == "Message"
    assert "Error" in claim.runs[1].preview


async def test_given_values_are_run_once_and_their_result_is_whole(sandbox: Sandbox) -> None:
    text = "wörds 🙂 " * 100
    job = Job(component("return Message(text=self.text[::-1])"), "Sample", {"text": text})
    claim = await sandbox.validate(job)
    (run,) = claim.runs
    assert (run.sample, run.fault) == ("the given values", None)
    assert json.loads(run.result) == text[::-1]
    assert len(run.preview) == 200


async def test_given_values_leave_other_inputs_at_their_defaults(sandbox: Sandbox) -> None:
    inputs = (
        TEXT
        + ', MessageTextInput(name="sep", display_name="Sep", value="+")'
        + ', MessageTextInput(name="extra", display_name="Extra"), IntInput(name="n", display_name="N", value=0)'
    )
    body = "return Data(data={'seen': [self.text, self.sep, self.extra, self.n]})"
    job = Job(component(body, returns=" -> Data", inputs=inputs), "Sample", {"text": "a", "n": "5"})
    assert json.loads((await sandbox.validate(job)).runs[0].result) == {"seen": ["a", "+", "", 5]}


@pytest.mark.parametrize(
    ("body", "returns", "result"),
    [
        ("return Data(data={'a': [1, {'b': None}]})", "Data", {"a": [1, {"b": None}]}),
        ("return DataFrame([{'a': 1}, {'a': 2}])", "DataFrame", [{"a": 1}, {"a": 2}]),
        ("return [Data(data={'a': 1}), Data(data={'a': 2})]", "list[Data]", [{"a": 1}, {"a": 2}]),
        ("return DataFrame([Data(data={'a': 1})])", "DataFrame", [{"a": 1}]),
        ("import datetime\nreturn Data(data={'d': datetime.date(2024, 5, 17)})", "Data", {"d": "2024-05-17"}),
    ],
)
async def test_results_are_plain_json(sandbox: Sandbox, body: str, returns: str, result: object) -> None:
    claim = await sandbox.validate(Job(component(body, returns=f" -> {returns}"), "Sample", {"text": "x"}))
    assert json.loads(claim.runs[0].result) == result


async def test_a_result_is_cut_at_its_limit(sandbox: Sandbox) -> None:
    claim = await sandbox.validate(Job(component("return Message(text='x' * 1000000)"), "Sample"))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    assert len(claim.runs[0].result) == 64 << 10


async def test_rows_and_objects_are_given_as_tables_and_data(sandbox: Sandbox) -> None:
    inputs = 'DataFrameInput(name="table", display_name="T"), DataInput(name="record", display_name="R")'
    body = "return Data(data={'rows': len(self.table), 'name': self.record.data['name']})"
    values = {"table": [{"a": 1}, {"a": 2}], "record": {"name": "Bo"}}
    claim = await sandbox.validate(Job(component(body, returns=" -> Data", inputs=inputs), "Sample", values))
    assert json.loads(claim.runs[0].result) == {"rows": 2, "name": "Bo"}


async def test_values_that_do_not_fit_are_not_the_codes_fault(sandbox: Sandbox) -> None:
    code = component("return Message(text=str(self.n))", inputs='IntInput(name="n", display_name="N")')
    claim = await sandbox.validate(Job(code, "Sample", {"n": "many"}))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    assert claim.runs[0].fault
    assert claim.runs[0].fault.blame is Blame.BOUNDARY


LLM = 'HandleInput(name="llm", display_name="Model", input_types=["LanguageModel"])'


@pytest.mark.parametrize(
    ("inputs", "body", "need"),
    [
        (LLM, "return Message(text=self.llm.invoke('x').content)", "a language model (llm)"),
        (LLM, "return Message(text='a' if self.llm else 'b')", "a language model (llm)"),
        (LLM, "if not self.llm:\n    raise ValueError('connect one')", "a language model (llm)"),
        ('FileInput(name="file", display_name="File")', "return Message(text=open(self.file).read())", "a file (file)"),
        (
            'ModelInput(name="model", display_name="M")',
            "return Message(text=self.model[0]['name'])",
            "a language model",
        ),
        (
            'HandleInput(name="store", display_name="S", input_types=["VectorStore"])',
            "return Message(text=str(self.store.search('x')))",
            "a vector store (store)",
        ),
    ],
)
async def test_what_needs_something_from_outside_is_not_checked(
    sandbox: Sandbox, inputs: str, body: str, need: str
) -> None:
    claim = await sandbox.validate(Job(component(body, inputs=inputs), "Sample"))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    fault = claim.runs[0].fault
    assert fault
    assert fault.blame is Blame.BOUNDARY
    assert need in fault.message


async def test_a_missing_model_does_not_hide_a_plain_mistake(sandbox: Sandbox) -> None:
    code = component("prompt = self.llm and prmopt\nreturn Message(text=prmopt)", inputs=LLM)
    claim = await sandbox.validate(Job(code, "Sample"))
    assert claim.stage is Stage.RUN
    assert claim.fault
    assert claim.fault.message == "NameError: name 'prmopt' is not defined"


@pytest.mark.parametrize(
    "body",
    [
        "import urllib.request\nreturn Message(text=str(urllib.request.urlopen('http://example.com')))",
        "import httpx\nreturn Message(text=httpx.get('https://example.com').text)",
        "import requests\nreturn Message(text=requests.get('https://example.com').text)",
        "import socket\nreturn Message(text=str(socket.create_connection(('127.0.0.1', 80))))",
        "import httpx\ntry:\n    httpx.get('http://x.io')\nexcept Exception as e:\n    raise ValueError(f'x {e}')",
    ],
)
async def test_code_that_fails_for_want_of_a_network_is_not_checked(sandbox: Sandbox, body: str) -> None:
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    fault = claim.runs[0].fault
    assert fault
    assert (fault.blame, fault.message) == (Blame.BOUNDARY, "It needs the network, which the sandbox does not have.")


async def test_async_code_without_a_network_is_not_checked(sandbox: Sandbox) -> None:
    body = (
        "import httpx\nasync with httpx.AsyncClient() as c:\n    return Message(text=(await c.get('http://x.io')).text)"
    )
    code = component(body).replace("    def build_result", "    async def build_result")
    claim = await sandbox.validate(Job(code, "Sample"))
    assert claim.runs[0].fault
    assert claim.runs[0].fault.message == "It needs the network, which the sandbox does not have."


@pytest.mark.parametrize(
    "body",
    [
        (
            "import httpx\ntry:\n    return Message(text=httpx.get('http://x.io').text)\nexcept Exception as e:\n"
            "    return Message(text=f'Error: {e}')"
        ),
        (
            "import requests\ntry:\n    found = requests.get('http://127.0.0.1:9/').json()\nexcept Exception:\n"
            "    found = {}\nreturn Message(text=str(found.get('a', '')))"
        ),
        (
            "import asyncio, httpx\nasync def get():\n    async with httpx.AsyncClient() as s:\n"
            "        return (await s.get('http://x.io')).text\n"
            "try:\n    text = asyncio.run(get())\nexcept httpx.HTTPError:\n    text = ''\nreturn Message(text=text)"
        ),
        (
            "import threading, socket\nfound = []\ndef work():\n    try:\n        socket.getaddrinfo('x.io', 80)\n"
            "    except OSError as e:\n        found.append(e)\n"
            "t = threading.Thread(target=work)\nt.start()\nt.join()\nreturn Message(text=str(found))"
        ),
    ],
    ids=["httpx", "requests", "httpx in a loop", "a thread"],
)
async def test_a_swallowed_network_error_is_no_proof_that_it_works(sandbox: Sandbox, body: str) -> None:
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    assert claim.runs[0].fault
    assert claim.runs[0].fault.message == "It needs the network, which the sandbox does not have."
    assert claim.runs[0].observed == "Message"


async def test_a_text_that_was_not_awaited_is_a_fault(sandbox: Sandbox) -> None:
    body = "async def find():\n    return 'x'\nreturn Message(text=find())"
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert claim.fault
    assert claim.fault.message == "The text of the Message is a coroutine: what makes it must be awaited."


async def test_the_place_of_a_module_is_not_told(sandbox: Sandbox) -> None:
    claim = await sandbox.validate(Job(component("from json import nothing\nreturn Message(text='a')"), "Sample"))
    assert claim.fault
    assert claim.fault.message == "ImportError: cannot import name 'nothing' from 'json'"


async def test_a_wrong_type_is_a_fault_without_a_network_too(sandbox: Sandbox) -> None:
    body = (
        "import httpx\ntry:\n    return Message(text=httpx.get('http://x.io').text)\nexcept Exception:\n    return 'x'"
    )
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert claim.fault
    assert claim.fault.message == "build_result declares Message but returned str."


async def test_an_event_loop_of_its_own_is_no_network(sandbox: Sandbox) -> None:
    body = "import asyncio\nasync def work():\n    return self.text\nreturn Message(text=asyncio.run(work()))"
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert [run.fault for run in claim.runs] == [None, None]


async def test_an_error_while_handling_a_network_error_is_the_codes(sandbox: Sandbox) -> None:
    body = "import httpx\ntry:\n    httpx.get('http://x.io')\nexcept Exception:\n    return Mesage(text='x')"
    claim = await sandbox.validate(Job(component(body), "Sample"))
    assert claim.fault
    assert claim.fault.message == "NameError: name 'Mesage' is not defined"
