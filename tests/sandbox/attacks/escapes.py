"""Ways around the static reading: code hidden in values, classes that change, and lfx's own doors."""

from tests.sandbox.attacks.entry import NOTHING_RAN, Attack, inside, method, tries
from tests.sandbox.code import component

INTERNALS, DYNAMIC, LANGFLOW = "security-internals", "security-dynamic-code", "security-langflow-internals"
PICKLE = "security-deserialisation"

ATTACKS = (
    method(
        "evaluates a text",
        DYNAMIC,
        NOTHING_RAN,
        "return Message(text=str(eval('os.system(\"touch @ROOM@/planted\")')))",
    ),
    method(
        "executes a text",
        DYNAMIC,
        NOTHING_RAN,
        """
        told = {}
        exec("import os\\nx = os.system('touch @ROOM@/planted')", told)
        return Message(text=str(told["x"]))
        """,
    ),
    method(
        "compiles a text",
        DYNAMIC,
        "boundary: ",
        "return Message(text=eval(compile(\"open('@OPEN@').read()\", 'x', 'eval')))",
    ),
    method("imports by name", DYNAMIC, NOTHING_RAN, "return Message(text=str(__import__('o' + 's').system('id')))"),
    method(
        "imports by importlib",
        DYNAMIC,
        NOTHING_RAN,
        "return Message(text=str(importlib.import_module('so'[::-1]).system('id')))",
        "import importlib",
    ),
    method(
        "goes through the builtins",
        INTERNALS,
        "boundary: ",
        "return Message(text=__builtins__['open']('@OPEN@').read())",
    ),
    method(
        "climbs from a tuple to every class",
        INTERNALS,
        "done: held",
        """
        for kind in ().__class__.__base__.__subclasses__():
            if kind.__name__ == "FileIO":
                return tried(lambda: kind("@OPEN@").read())
        return Message(text="held")
        """,
    ),
    method(
        "climbs by a function's globals",
        INTERNALS,
        NOTHING_RAN,
        "return Message(text=str(tried.__globals__['os'].system('id')))",
    ),
    method(
        "climbs by a format",
        INTERNALS,
        "done: ",
        "return Message(text='{0.__class__.__init__.__globals__}'.format(self)[:99])",
    ),
    method(
        "climbs by an exception's frame",
        INTERNALS,
        NOTHING_RAN,
        """
        try:
            raise ValueError
        except ValueError as error:
            names = error.__traceback__.tb_frame.f_globals
        return Message(text=str(names["os"].system("id")))
        """,
    ),
    method(
        "climbs by attributes that are spelt out",
        INTERNALS,
        "code: |done: ",
        """
        return Message(text=str(getattr(getattr((), "__cl" + "ass__"), "__ba" + "se__")))
        """,
    ),
    method(
        "borrows a module of a module",
        "security-process",
        NOTHING_RAN,
        "return Message(text=str(random._os.system('id')))",
        "import random",
    ),
    method(
        "unpickles a command",
        PICKLE,
        NOTHING_RAN,
        r"""
        return Message(text=str(pickle.loads(b"cposix\nsystem\n(S'touch @ROOM@/planted'\ntR.")))
        """,
        "import pickle",
    ),
    method(
        "unpickles it with pandas",
        PICKLE,
        NOTHING_RAN,
        r"""
        return Message(text=str(pandas.read_pickle(io.BytesIO(b"cposix\nsystem\n(S'id'\ntR."), compression=None)))
        """,
        "import io\nimport pandas",
    ),
    method(
        "unpickles it with numpy",
        PICKLE,
        NOTHING_RAN,
        r"""
        held = io.BytesIO(b"cposix\nsystem\n(S'id'\ntR.")
        return Message(text=str(numpy.load(held, allow_pickle=True)))
        """,
        "import io\nimport numpy",
    ),
    method(
        "loads a YAML object",
        PICKLE,
        NOTHING_RAN,
        """
        return Message(text=str(yaml.unsafe_load("!!python/object/apply:os.system [id]")))
        """,
        "import yaml",
    ),
    method(
        "loads marshalled code",
        PICKLE,
        "done: held",
        """
        code = marshal.loads(marshal.dumps((lambda: open("@OPEN@").read()).__code__))
        return tried(type(tried)(code, {"open": open}))
        """,
        "import marshal",
    ),
    method(
        "asks lfx for its settings",
        LANGFLOW,
        "done: |code: |boundary: ",
        """
        return Message(text=str(get_settings_service().settings.database_url))
        """,
        "from lfx.services.deps import get_settings_service\n",
    ),
    method(
        "asks lfx for variables",
        LANGFLOW,
        "code: |boundary: |done: ",
        """
        service = get_variable_service()
        return Message(text=str(service and service.get_variable("u", "@VARIABLE@", "", None)))
        """,
        "from lfx.services.deps import get_variable_service\n",
    ),
    method(
        "asks the component for variables",
        "security-environment",
        "code: |boundary: |done: ",
        """
        return Message(text=str(self.get_variables("@VARIABLE@", "text")))
        """,
    ),
    method(
        "opens lfx's database",
        LANGFLOW,
        "code: |boundary: |done: ",
        """
        async def read():
            async with session_scope() as session:
                return await session.exec("select * from variable")
        return Message(text=str(asyncio.run(read())))
        """,
        "import asyncio\nfrom lfx.services.deps import session_scope\n",
    ),
    method(
        "runs a flow of its own",
        LANGFLOW,
        "code: |boundary: ",
        """
        return Message(text=str(load_flow_from_json("@OPEN@")))
        """,
        "from lfx.load import load_flow_from_json\n",
    ),
    method(
        "makes another class with lfx",
        LANGFLOW,
        "done: |code: ",
        """
        return Message(text=str(create_class(self._code, "Sample")))
        """,
        "from lfx.custom.validate import create_class\n",
    ),
    method(
        "calls native code",
        "security-native-code",
        NOTHING_RAN,
        "return Message(text=str(ctypes.CDLL(None).system(b'id')))",
        "import ctypes",
    ),
    method(
        "brings a library of its own",
        "security-native-code",
        "boundary: |code: OSError",
        """
        with open("mine.so", "wb") as file:
            file.write(b"\\x7fELF" + bytes(99))
        ctypes.CDLL("./mine.so")
        """,
        "import ctypes",
    ),
    inside("changes its outputs in its body", "", "done: |code: ", "outputs.append(outputs[0])\noutputs = outputs * 2"),
    Attack(
        "changes its outputs when it is made",
        component(
            more="""
        def __init__(self, **kwargs):
            type(self).outputs = [Output(name="other", display_name="Other", method="build_result")]
            super().__init__(**kwargs)
        """
        ),
        "",
        "done: |code: ",
    ),
    Attack(
        "becomes another class",
        component(
            more="""
        def __new__(cls, **kwargs):
            other = type("Other", (Component,), {"outputs": [], "inputs": []})
            return Component.__new__(other)
        """
        ),
        "",
        "done|code: ",
    ),
    Attack(
        "is replaced behind its back",
        component() + "\n\nclass Other(Component):\n    outputs = []\n\n\nSample = Other\n",
        "",
        "done|code: ",
    ),
    tries(
        "opens by a name behind getattr",
        "security-filesystem",
        "getattr(io, 'op' + 'en')('@OPEN@').read()",
        before="import io",
    ),
)
