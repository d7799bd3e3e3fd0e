"""The security scan: what it must refuse, what it must let pass, and that it names the capability."""

import pytest

from flowassist.components.reading import read
from flowassist.components.report import Finding
from flowassist.components.scan import scan
from tests.components.samples import UPPERCASE, component


def found(code: str) -> tuple[Finding, ...]:
    return scan(read(code))


def capabilities(code: str) -> set[str]:
    return {finding.rule.removeprefix("security-") for finding in found(code) if not finding.warning}


@pytest.mark.parametrize(
    "code",
    [
        "",
        "this is no Python (",
        UPPERCASE,
        "import os",
        "import os\nx = os.path.join('a', 'b')",
        "import os.path\nx = os.path.join('a', 'b')",
        "import os\nx = os.getcwd()",
        "from os import path\nx = path.exists('a')",
        "import os\nx = getattr(os, 'path')",
        "import os as o\no = object()\no.remove('x')",
        "import os\n\ndef f(os):\n    return os.system('x')",
        "import os\n\ndef f():\n    os = make()\n    return os.system('x')",
        "import os\nx = [os.remove('x') for os in things]",
        "f = lambda os: os.system('x')",
        "import requests\nx = requests.get('https://example.com')",
        "import httpx, aiohttp, urllib3",
        "import json, math, re, csv, hashlib, datetime, collections, itertools, statistics, random, base64",
        "import io\nx = io.StringIO('a'), io.BytesIO(b'a')",
        "from urllib.parse import urlparse, quote",
        "from urllib.error import HTTPError",
        "from http import HTTPStatus",
        "import asyncio\n\nasync def f():\n    await asyncio.sleep(1)\n    await asyncio.gather()",
        "import threading\nx = threading.Lock()",
        "from concurrent.futures import ThreadPoolExecutor",
        "import logging\nlogger = logging.getLogger(__name__)",
        "def f(self):\n    return getattr(self, 'field', None)",
        "def f(self):\n    return [getattr(self, name) for name in self.names]",
        "x = type(1).__name__",
        "def f(self):\n    return self.__class__.__name__",
        "class A(B):\n    def __init__(self, **kw):\n        super().__init__(**kw)",
        "def f(x):\n    return x.__dict__, x.__doc__, x.__module__, x.__len__()",
        "x = 1\ny = f'{x!r:>10}'",
        "x = '{} and {name}'.format(1, name=2)",
        "TEMPLATE = '{0.name}'\nx = TEMPLATE.format(y)",
        "import yaml\nx = yaml.safe_load('a: 1')",
        "import yaml\nx = yaml.load('a: 1', Loader=yaml.SafeLoader)",
        "import numpy as np\nx = np.load(buffer), np.load(buffer, allow_pickle=False)",
        "import sys\nx = sys.version_info, sys.maxsize",
        "import inspect\nx = inspect.isawaitable(y)",
        "import re\nx = re.compile('a')",
        "def compile(x):\n    return x\n\ny = compile('a')",
        "def f(open):\n    return open('x')",
        "def f(self):\n    input = self.text\n    return input.upper()",
        "def f(self):\n    return self.open('x'), self.exec('y'), self.compile()",
        "import pandas as pd\nfrom io import StringIO\nx = pd.read_csv(StringIO('a,b'))",
        "import pandas as pd\nx = pd.read_csv('https://example.com/a.csv')",
        "import pandas as pd\ndef f(self):\n    return pd.read_csv(self.path)",
        "import ast\nx = ast.literal_eval('[1]')",
        "import gzip\nx = gzip.compress(b'a')",
        "from lfx.custom import Component\nfrom lfx.schema.message import Message",
        "import importlib_metadata",
        "osprey = 1\nx = osprey.system",
        "def f(self):\n    return self.read_text()",
        "from sqlalchemy import inspect, select\nfrom scipy import signal",
        "from pathlib import PurePosixPath, PurePath\nx = PurePosixPath('a/b').suffix",
        "df.to_csv(index=False), df.to_csv(), df.to_json(orient='records'), df.query('a > 1'), df.eval('a + b')",
        "def f(self):\n    return self.to_csv('x')",
        "import logging\nlogging.basicConfig(level=logging.INFO)",
        "name = 'title'\nx = getattr(y, name), getattr(y, 'a' + name)",
        "import xml.etree.ElementTree as ET\nx = ET.fromstring('<a/>'), ET.parse(buffer)",
        "import sys\nprint('x', file=sys.stderr)",
        "import traceback\nx = traceback.format_exc()",
        "import types\nx = types.SimpleNamespace(a=1)",
        "import secrets, uuid, time, platform, locale, mimetypes, queue, copy, hmac",
        "def f(self):\n    self.log('x')\n    self.stop('a')\n    self.ctx['a'] = self.graph.session_id",
        "from lfx.base.models.model import LCModelComponent\nfrom lfx.field_typing import LanguageModel",
        "from lfx.log.logger import logger\nfrom lfx.schema.dotdict import dotdict",
        "import openai, boto3, bs4, tiktoken\nx = openai.OpenAI(api_key='x')",
        "NAME = 'os.environ'\nx = NAME.upper()",
        "x = ', '.join(['os', 'system'])",
    ],
)
def test_accepted(code: str) -> None:
    assert found(code) == ()


@pytest.mark.parametrize(
    ("code", "capability"),
    [
        ("exec('x')", "dynamic-code"),
        ("eval('x')", "dynamic-code"),
        ("compile('x', '', 'exec')", "dynamic-code"),
        ("__import__('os')", "dynamic-code"),
        ("import importlib", "dynamic-code"),
        ("import importlib.util", "dynamic-code"),
        ("from importlib import import_module", "dynamic-code"),
        ("import runpy", "dynamic-code"),
        ("import timeit\ntimeit.timeit('x')", "dynamic-code"),
        ("import types\nx = types.FunctionType(c, {})", "dynamic-code"),
        ("import pandas as pd\nx = pd.eval('1+1')", "dynamic-code"),
        ("from langchain_experimental.utilities import PythonREPL", "dynamic-code"),
        ("globals()", "internals"),
        ("locals()", "internals"),
        ("import builtins", "internals"),
        ("import builtins as b\nb.exec('x')", "internals"),
        ("import inspect\nx = inspect.currentframe()", "internals"),
        ("import gc", "internals"),
        ("import sys\nx = sys.modules['os']", "internals"),
        ("import sys\nx = sys._getframe()", "internals"),
        ("x = ().__class__.__bases__[0].__subclasses__()", "internals"),
        ("x = type(1).mro()", "internals"),
        ("def f(): pass\nx = f.__globals__", "internals"),
        ("def f(): pass\nx = f.__builtins__", "internals"),
        ("def f(): pass\nf.__code__ = None", "internals"),
        ("x = print.__self__", "internals"),
        ("x = getattr(f, '__globals__')", "internals"),
        ("x = getattr(f, '__glo' + 'bals__')", "internals"),
        ("import operator\nx = operator.attrgetter('f.__globals__')", "internals"),
        ("x = '{0.__class__.__init__}'.format(1)", "internals"),
        ("try:\n    f()\nexcept Exception as e:\n    x = e.__traceback__.tb_frame.f_back", "internals"),
        ("breakpoint()", "process"),
        ("exit()", "process"),
        ("quit()", "process"),
        ("input()", "process"),
        ("raise SystemExit", "process"),
        ("import sys\nsys.exit()", "process"),
        ("import os\nos.system('ls')", "process"),
        ("import os\nos.popen('ls')", "process"),
        ("import os\nos._exit(0)", "process"),
        ("import subprocess", "process"),
        ("import subprocess as s\ns.run('ls')", "process"),
        ("from subprocess import run", "process"),
        ("import pty", "process"),
        ("import multiprocessing", "process"),
        ("from concurrent.futures import ProcessPoolExecutor", "process"),
        ("import concurrent.futures\nx = concurrent.futures.ProcessPoolExecutor()", "process"),
        ("import asyncio\nx = asyncio.create_subprocess_exec('ls')", "process"),
        ("import docker", "process"),
        ("open('x')", "filesystem"),
        ("def f(self):\n    return open(self.path)", "filesystem"),
        ("import io\nio.open('x')", "filesystem"),
        ("import codecs\ncodecs.open('x')", "filesystem"),
        ("import os\nos.remove('x')", "filesystem"),
        ("import os\nos.dup2(1, 2)", "filesystem"),
        ("import os\nos.listdir('/')", "filesystem"),
        ("import os\nfor x in os.walk('/'): pass", "filesystem"),
        ("import os\nos.makedirs('x')", "filesystem"),
        ("import os\nos.chmod('x', 0)", "filesystem"),
        ("import shutil", "filesystem"),
        ("import pathlib", "filesystem"),
        ("from pathlib import Path", "filesystem"),
        ("import tempfile", "filesystem"),
        ("import glob", "filesystem"),
        ("import fileinput", "filesystem"),
        ("import mmap", "filesystem"),
        ("import linecache\nlinecache.getline('x', 1)", "filesystem"),
        ("import sqlite3", "filesystem"),
        ("import tarfile, zipfile", "filesystem"),
        ("import logging\nx = logging.FileHandler('x')", "filesystem"),
        ("import pandas as pd\nx = pd.read_csv('/etc/passwd')", "filesystem"),
        ("import os\nx = os.environ['KEY']", "environment"),
        ("import os\nx = os.environ.get('KEY')", "environment"),
        ("import os\nx = os.getenv('KEY')", "environment"),
        ("import os\nos.putenv('KEY', 'x')", "environment"),
        ("from os import environ", "environment"),
        ("from dotenv import load_dotenv", "environment"),
        ("def f(self):\n    return self.get_variables('KEY', 'x')", "environment"),
        ("import os\nx = os.path.expandvars('$KEY')", "environment"),
        ("import socket", "network"),
        ("import socketserver", "network"),
        ("import urllib.request", "network"),
        ("from urllib import request", "network"),
        ("import urllib\nurllib.request.urlopen('x')", "network"),
        ("import http.client", "network"),
        ("from http.server import HTTPServer", "network"),
        ("import ftplib", "network"),
        ("import smtplib", "network"),
        ("import telnetlib", "network"),
        ("import poplib", "network"),
        ("import imaplib", "network"),
        ("import xmlrpc.client", "network"),
        ("import asyncio\nx = asyncio.open_connection('x', 1)", "network"),
        ("import paramiko", "network"),
        ("import ctypes", "native-code"),
        ("import _ctypes", "native-code"),
        ("import cffi", "native-code"),
        ("from numpy import ctypeslib", "native-code"),
        ("import pickle", "deserialisation"),
        ("from pickle import loads", "deserialisation"),
        ("import dill", "deserialisation"),
        ("import marshal", "deserialisation"),
        ("import yaml\nx = yaml.load('a')", "deserialisation"),
        ("import yaml\nx = yaml.unsafe_load('a')", "deserialisation"),
        ("import yaml\nx = yaml.load('a', Loader=yaml.Loader)", "deserialisation"),
        ("import torch\nx = torch.load('a')", "deserialisation"),
        ("import pandas as pd\nx = pd.read_pickle('a')", "deserialisation"),
        ("import numpy as np\nx = np.load(y, allow_pickle=True)", "deserialisation"),
        ("import numpy as np\nx = np.load(y, allow_pickle=flag)", "deserialisation"),
        ("from lfx.services.deps import get_settings_service", "langflow-internals"),
        ("from langflow.services.deps import session_scope", "langflow-internals"),
        ("import lfx.services.deps as d", "langflow-internals"),
        ("from langflow.api.utils import x", "langflow-internals"),
        ("from lfx.custom.eval import eval_custom_component_code", "langflow-internals"),
        ("from lfx.helpers.flow import run_flow", "langflow-internals"),
        ("def f(self):\n    return self.list_flows()", "langflow-internals"),
        ("x = __builtins__['eval']", "internals"),
        ("x = __loader__", "internals"),
        ("x = __spec__.loader", "internals"),
        ("name = '__subclasses__'\nx = getattr(y, name)", "internals"),
        ("x = getattr(y, ''.join(['__sub', 'classes__']))", "internals"),
        ("x = getattr(y, f'__sub{\"classes\"}__')", "internals"),
        ("TEMPLATE = '{0.__class__}'\nx = TEMPLATE.format(y)", "internals"),
        ("from unittest.mock import patch", "dynamic-code"),
        ("import IPython", "dynamic-code"),
        ('df.query(\'@__import__("os").system("x")\')', "dynamic-code"),
        ("import logging\nlogging.basicConfig(filename='x')", "filesystem"),
        ("import logging.config", "filesystem"),
        ("df.to_csv('/tmp/x')", "filesystem"),
        ("PATH = '/etc/passwd'\nimport pandas as pd\nx = pd.read_csv(PATH)", "filesystem"),
        ("from PIL import Image\nx = Image.open('/etc/x')", "filesystem"),
        ("import fcntl", "filesystem"),
        ("import _io\nx = _io.open('x')", "filesystem"),
        ("import anyio\nx = anyio.Path('x')", "filesystem"),
        ("import anyio\nx = anyio.run_process('x')", "process"),
        ("import _posixsubprocess", "process"),
        ("import anyio\nx = anyio.connect_tcp('x', 1)", "network"),
        ("import httpx\nx = httpx.HTTPTransport(uds='/run/docker.sock')", "network"),
        ("from pydantic_settings import BaseSettings", "environment"),
    ],
)
def test_refused(code: str, capability: str) -> None:
    assert capabilities(code) == {capability}


@pytest.mark.parametrize(
    "code",
    [
        "import os as o\no.system('x')",
        "from os import system",
        "from os import system as s\ns('x')",
        "from os import *",
        "import os\nf = os.system\nf('x')",
        "import os\no = os\no.system('x')",
        "import os\nif (o := os): o.system('x')",
        "import os\n(o := os).system('x')",
        "import os\na, b = os.system, 1",
        "import os\na, b = os, 1\na.system('x')",
        "import os\nfor f in [os.system]: f('x')",
        "import os\nfor m in [os]: m.system('x')",
        "import os\nx = [f('x') for f in (os.system,)]",
        "import os\nx = {'f': os.system}['f']('x')",
        "import os\ndef f(g=os.system): g('x')",
        "import os\ndef f(m=os): m.system('x')",
        "import os\ndef f(): return os\nf().system('x')",
        "import os\ndef f(): yield os.system",
        "import os\nf = lambda: os.system('x')",
        "import os\nx = (lambda m: m.system('x'))(os)",
        "import os\nx = getattr(os, 'system')",
        "import os\nx = getattr(os, 'sys' + 'tem')",
        "import os\ndef f(self): return getattr(os, self.x)",
        "import os\nx = vars(os)['system']",
        "import os\nx = os.__dict__['system']",
        "import logging\nlogging.os.system('x')",
        "def f():\n    import os\n    os.system('x')",
        "class A:\n    import os\n    os.system('x')",
        "import os\nclass A:\n    x = os.system('x')",
        "import os\n@os.system\ndef f(): pass",
        "import os\nif x:\n    os = 1\nos.system('x')",
        "import os\ndef f():\n    global g\n    g = os\n    g.system('x')",
        "e = eval\ne('x')",
        "def f(g=eval): g('x')",
        "x = [exec]",
        "import builtins\nvars(builtins)['eval']('x')",
    ],
)
def test_no_way_around(code: str) -> None:
    assert capabilities(code)


def test_the_sentence_names_what_and_which_capability() -> None:
    (finding,) = found("import os\n\nx = os.environ['KEY']\n")
    assert finding.rule == "security-environment"
    assert finding.message == "os.environ reads the server's environment or secrets, which a component may not do."
    assert finding.line == 3
    assert "SecretStrInput" in finding.remedy
    assert not finding.warning


def test_every_violation_is_told_each_once() -> None:
    code = "import os\nimport subprocess\n\nsubprocess.run('x')\nos.system('a'); os.popen('b')\neval('c')\n"
    assert [(finding.rule, finding.line) for finding in found(code)] == [
        ("security-process", 2),
        ("security-process", 5),
        ("security-process", 5),
        ("security-dynamic-code", 6),
    ]


def test_one_finding_for_a_dotted_chain() -> None:
    assert len(found("x = ().__class__.__bases__[0].__subclasses__()")) == 1
    assert len(found("import os\nx = os.environ.copy().get('x')")) == 1


FILE = 'inputs = [FileInput(name="source"), MessageTextInput(name="text")]\n\ndef load(self):\n    {}\n'


@pytest.mark.parametrize(
    "statement",
    [
        "return open(self.source).read()",
        "return open(self.source, 'rb')",
        "p = self.resolve_path(self.source); open(p, mode='r')",
    ],
)
def test_files_of_a_file_input_may_be_read(statement: str) -> None:
    assert found(component(FILE.format(statement))) == ()


@pytest.mark.parametrize(
    "statement",
    ["open(self.source, 'w')", "open(self.source, 'r+')", "open(self.source, self.text)", "open(self.text)",
     "open(self.source + '/../x')", "open(file=self.text)"],
)  # fmt: skip
def test_other_files_may_not(statement: str) -> None:
    assert capabilities(component(FILE.format(statement))) == {"filesystem"}


def test_a_template_that_comes_from_an_input_is_a_warning() -> None:
    (finding,) = found("def f(self):\n    return self.template.format(data=self.data)\n")
    assert (finding.rule, finding.warning) == ("format-template", True)


def test_deep_code_is_a_finding() -> None:
    (finding,) = found("x = " + "+".join(["1"] * 900))
    assert finding.rule == "too-deep"


@pytest.mark.parametrize(
    "expression",
    [
        "random._os.system('id')",
        "random._os.environ",
        "threading._os",
        "collections._sys.modules",
        "json.codecs.open('x')",
    ],
)
def test_a_module_s_name_for_another_hides_nothing(expression: str) -> None:
    module = expression.partition(".")[0]
    assert found(f"import {module}\nx = {expression}")


def test_an_io_behind_another_module_is_io() -> None:
    assert found("import csv\nx = csv.io.open('x')")
