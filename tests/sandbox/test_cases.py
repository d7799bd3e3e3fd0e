"""What lfx gives for each kind of component (and what it lets pass by mistake), with the right outcome for each."""

import json

import pytest

from flowassist.sandbox.claims import Blame, Claim, Job, Stage
from flowassist.sandbox.supervisor import Sandbox
from tests.sandbox.code import RESULT, TEXT, component, line_of

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def checked(sandbox: Sandbox, code: str, name: str = "Sample") -> Claim:
    return await sandbox.validate(Job(code, name, wall_seconds=5.0))


async def test_a_correct_component_is_run_on_a_plain_and_an_empty_sample(sandbox: Sandbox) -> None:
    claim = await checked(sandbox, component())
    assert (claim.stage, claim.fault) == (Stage.DONE, None)
    assert (claim.class_name, claim.display_name, claim.description) == ("Sample", "Sample", "A sample.")
    assert claim.inputs == ("text",)
    assert [(o.name, o.method, o.types) for o in claim.outputs] == [("result", "build_result", ("Message",))]
    assert [(r.sample, r.observed, r.fault) for r in claim.runs] == [
        ("plain", "Message", None),
        ("empty", "Message", None),
    ]
    assert json.loads(claim.runs[0].result).isupper()
    assert claim.runs[1].result == '""'
    assert claim.milliseconds > 0


async def test_async_data_and_dataframe_outputs_all_run(sandbox: Sandbox) -> None:
    more = """
        def keep(self) -> Data:
            return Data(data={"text": self.text})

        async def rows(self) -> DataFrame:
            return DataFrame([{"text": self.text}])
    """
    outputs = RESULT + "".join(f', Output(name="{m}_out", display_name="O", method="{m}")' for m in ("keep", "rows"))
    claim = await checked(sandbox, component(outputs=outputs, more=more))
    assert claim.fault is None
    assert [o.types for o in claim.outputs] == [("Message",), ("JSON",), ("Table",)]
    assert [r.observed for r in claim.runs if r.sample == "plain"] == ["Message", "Data", "DataFrame"]


async def test_langflow_imports_work(sandbox: Sandbox) -> None:
    code = component().replace("from lfx.custom", "from langflow.custom").replace("from lfx.io", "from langflow.io")
    assert (await checked(sandbox, code)).stage is Stage.DONE


CREATE, INSTANTIATE, TEMPLATE, RUN = Stage.CREATE, Stage.INSTANTIATE, Stage.TEMPLATE, Stage.RUN
GOOD = component()

FAULTS = {
    "wrong import": (
        GOOD.replace("from lfx.custom import", "from lfx.base import"),
        CREATE,
        "ImportError: Cannot import name 'Component' from 'lfx.base'",
        "from lfx.base",
    ),
    "missing package": (
        component(before="import no_such_package"),
        CREATE,
        "ModuleNotFoundError: No module named 'no_such_package'",
        "import no_such_package",
    ),
    "missing package, imported late": (
        component("import no_such_package\nreturn Message(text=self.text)"),
        RUN,
        "ModuleNotFoundError: No module named 'no_such_package'",
        "import no_such_package",
    ),
    "missing module of an installed package": (
        component(before="import json.nothing"),
        CREATE,
        "ModuleNotFoundError: No module named 'json.nothing'",
        "import json.nothing",
    ),
    "syntax error": (
        GOOD.replace("(self) -> Message:", "(self) -> Message"),
        CREATE,
        "SyntaxError: expected ':'",
        "def build_result",
    ),
    "return outside a function": (
        component(before="def broken():\n    pass\nreturn 1"),
        CREATE,
        "SyntaxError: 'return' outside function",
        "return 1",
    ),
    "fence left in": ("```python\n" + GOOD + "```\n", CREATE, "SyntaxError: invalid syntax", "```python"),
    "no component": (GOOD.replace("(Component)", ""), INSTANTIATE, "TypeError: Sample() takes no arguments", None),
    "component not imported": (
        GOOD.replace("from lfx.custom import Component\n", ""),
        CREATE,
        "NameError: name 'Component' is not defined",
        "class Sample",
    ),
    "wrong input class": (
        GOOD.replace("[MessageTextInput(", "[MesageTextInput("),
        CREATE,
        "NameError: name 'MesageTextInput' is not defined",
        "MesageTextInput(",
    ),
    "unknown input argument": (
        GOOD.replace('display_name="Text"', 'display_name="Text", colour="red"'),
        CREATE,
        "ValidationError: Extra inputs are not permitted: colour (MessageTextInput)",
        "inputs = [",
    ),
    "bad input value": (
        component(inputs='BoolInput(name="text", display_name="Text", value="perhaps")'),
        CREATE,
        "ValidationError: Value must be a boolean: value (BoolInput)",
        "inputs = [",
    ),
    "overlapping names": (
        component(inputs=TEXT.replace('"text"', '"result"')),
        INSTANTIATE,
        "ValueError: Inputs and outputs have overlapping names: {'result'}",
        None,
    ),
    "output without method": (
        component(outputs='Output(name="result", display_name="Result")'),
        INSTANTIATE,
        "ValueError: Output result does not have a method",
        None,
    ),
    "output method does not exist": (
        component(outputs=RESULT.replace("build_result", "build_nothing")),
        TEMPLATE,
        "Output 'result' names the method 'build_nothing', which Sample lacks.",
        "build_nothing",
    ),
    "init without arguments": (
        component(inside="def __init__(self):\n    pass"),
        INSTANTIATE,
        "TypeError: Sample.__init__() got an unexpected keyword argument '_code'",
        None,
    ),
    "active return annotation": (
        component(returns=' -> __import__("os").PathLike'),
        CREATE,
        "ValueError: Return annotation for 'build_result' contains an active expression",
        None,
    ),
    "unknown return annotation": (
        component(returns=" -> Messag"),
        RUN,
        "NameError: the return annotation of build_result is unknown: name 'Messag' is not defined",
        "def build_result",
    ),
    "own attribute misspelt": (
        component("return Message(text=self.txet)"),
        RUN,
        "AttributeError: Attribute txet not found in Sample",
        "self.txet",
    ),
    "name error in a method": (
        component("return Message(text=upper(self.text))"),
        RUN,
        "NameError: name 'upper' is not defined",
        "upper(self.text)",
    ),
    "type error in a method": (
        component("return Message(text=self.text + 1)"),
        RUN,
        'TypeError: can only concatenate str (not "int") to str',
        "self.text + 1",
    ),
    "declares DataFrame, returns Message": (
        component(returns=" -> DataFrame"),
        RUN,
        "build_result declares DataFrame but returned Message.",
        "def build_result",
    ),
    "declares Message, returns str": (
        component("return self.text"),
        RUN,
        "build_result declares Message but returned str.",
        "def build_result",
    ),
    "returns nothing": (
        component("self.text.upper()"),
        RUN,
        "build_result declares Message but returned None.",
        "def build_result",
    ),
    "returns a tuple": (
        component("return Message(text=self.text), 1"),
        RUN,
        "build_result declares Message but returned tuple.",
        "def build_result",
    ),
    "returns rows that are no list of Data": (
        component('return [{"a": 1}]', returns=" -> list[Data]"),
        RUN,
        "build_result declares list[Data] but returned list[dict].",
        "def build_result",
    ),
    "returns a pandas table": (
        component("import pandas\nreturn pandas.DataFrame([{'a': 1}])", returns=" -> DataFrame"),
        RUN,
        "build_result declares DataFrame but returned pandas.DataFrame.",
        "def build_result",
    ),
    "Data of a list": (
        component("return Data(data=[self.text])", returns=" -> Data"),
        RUN,
        "valid dictionary",
        "Data(data=",
    ),
    "Data of a text": (
        component("return Data(data=self.text)", returns=" -> Data"),
        RUN,
        "valid dictionary",
        "Data(data=",
    ),
    "Message with a strange sender": (
        component("return Message(text=self.text, sender={'name': 'x'})"),
        RUN,
        "ValidationError: Input should be a valid string: sender (Message)",
        "Message(text=self.text, sender",
    ),
    "always refuses": (
        component('raise ValueError("not today")'),
        RUN,
        "ValueError: not today",
        "raise ValueError",
    ),
    "sys.exit in the class body": (
        component(before="import sys", inside="sys.exit(3)"),
        CREATE,
        "SystemExit: 3",
        "sys.exit",
    ),
    "sys.exit in a method": (
        component('import sys\nsys.exit("bye")'),
        RUN,
        "SystemExit: bye",
        'sys.exit("bye")',
    ),
    "endless recursion": (
        component(before="def f():\n    return f()\nx = f()"),
        CREATE,
        "RecursionError: maximum recursion depth exceeded",
        "return f()",
    ),
    "an exception that cannot be printed": (
        component(
            "raise Sly()",
            before="class Sly(Exception):\n    def __str__(self):\n        raise RuntimeError('no')",
        ),
        RUN,
        "Sly",
        "raise Sly()",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
async def test_what_is_wrong_is_found_named_and_placed(sandbox: Sandbox, case: str) -> None:
    code, stage, message, piece = FAULTS[case]
    claim = await checked(sandbox, code)
    assert claim.fault is not None
    assert message in claim.fault.message
    assert (claim.stage, claim.fault.blame) == (stage, Blame.CODE)
    assert claim.fault.line == (line_of(code, piece) if piece else None)
    assert "Error creating class" not in claim.fault.message
    assert "Traceback" not in claim.fault.message


async def test_the_name_of_a_pydantic_field_is_given_once(sandbox: Sandbox) -> None:
    claim = await checked(sandbox, component("return Message(text=self.text, sender={'name': 'x'})"))
    assert claim.fault
    assert claim.fault.message.count("sender") == 1


ACCEPTED = {
    "no return annotation": component(returns=""),
    "no display name": GOOD.replace('    display_name = "Sample"\n', ""),
    "two outputs of one name": component(outputs=f"{RESULT}, {RESULT}"),
    "optional": component(returns=" -> Message | None"),
    "union": component(returns=" -> Data | Message"),
    "list of data": component('return [Data(data={"a": 1})]', returns=" -> list[Data]"),
    "an empty list of data": component("return []", returns=" -> list[Data]"),
    "plain str": component("return self.text", returns=" -> str"),
    "plain dict": component('return {"a": self.text}', returns=" -> dict"),
    "an int where a float is declared": component("return 1", returns=" -> float"),
    "a Message is a Data": component(returns=" -> Data"),
    "super init": component(inside="def __init__(self, **kwargs):\n    super().__init__(**kwargs)"),
    "dict input to Data": component(
        "return Data(data=self.options)",
        returns=" -> Data",
        inputs='DictInput(name="options", display_name="Options")',
    ),
    "setup before the run": component(
        "return Message(text=self.prefix)", inside="def _pre_run_setup(self):\n    self.prefix = 'x'"
    ),
}


@pytest.mark.parametrize("case", ACCEPTED)
async def test_what_is_right_passes(sandbox: Sandbox, case: str) -> None:
    claim = await checked(sandbox, ACCEPTED[case])
    assert (claim.stage, claim.fault) == (Stage.DONE, None)


async def test_without_a_class_name_the_first_component_is_taken(sandbox: Sandbox) -> None:
    assert (await checked(sandbox, GOOD, "")).class_name == "Sample"


@pytest.mark.parametrize("code", ["", "x = 1\n", "def f():\n    pass\n"])
async def test_code_without_a_component_is_a_fault(sandbox: Sandbox, code: str) -> None:
    claim = await checked(sandbox, code, "")
    assert claim.stage is Stage.CREATE
    assert claim.fault
    assert claim.fault.message.startswith("TypeError: No Component subclass found in the code string")
