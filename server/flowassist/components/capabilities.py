"""The capabilities that a component must not have, as data: one group each, named by dotted paths.

A path covers everything below it; the longest one that fits decides. `langflow.` reads as `lfx.`, as lfx itself does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Capability:
    """`sentence` goes on after the path: "subprocess starts or controls processes"."""

    name: str
    sentence: str
    remedy: str
    paths: frozenset[str]
    attributes: frozenset[str] = field(default_factory=frozenset)


PROCESS = Capability(
    "process",
    "starts or controls processes",
    "Compute the result in Python; raise ValueError to report a problem.",
    _words(
        """
        subprocess multiprocessing pty signal concurrent.futures.process concurrent.futures.ProcessPoolExecutor posix
        pexpect psutil sh fabric docker resource atexit faulthandler webbrowser os.system os.popen os.abort os._exit
        os.kill os.killpg os.fork os.forkpty os.posix_spawn os.posix_spawnp os.wait os.waitpid os.nice os.setuid
        os.setgid os.setsid os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl
        os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe os.startfile
        asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.subprocess sys.exit
        exit quit breakpoint input SystemExit KeyboardInterrupt pip setuptools venv ensurepip _posixsubprocess
        anyio.run_process anyio.open_process anyio.to_process trio.run_process trio.lowlevel
        """
    ),
    _words("subprocess_exec subprocess_shell"),
)
FILESYSTEM = Capability(
    "filesystem",
    "reaches files of the server",
    "Take the content through an input, as text or as FileInput, whose file `open(self.<its name>)` may read.",
    _words(
        """
        open io.open io.open_code io.FileIO codecs.open shutil pathlib tempfile glob fileinput mmap linecache sqlite3
        tarfile zipfile dbm aiofiles gzip.open bz2.open lzma.open os logging.FileHandler logging.handlers
        numpy.memmap numpy.fromfile numpy.save numpy.savez numpy.savetxt logging.config anyio.open_file anyio.Path
        trio.open_file trio.Path fcntl termios readline curses syslog mailbox
        """
    ),
    _words("read_text write_text read_bytes write_bytes to_pickle"),
)
SECRETS = Capability(
    "environment",
    "reads the server's environment or secrets",
    "Ask for the value with an input, for a key with SecretStrInput.",
    _words(
        """
        os.environ os.environb os.getenv os.getenvb os.putenv os.unsetenv os.getlogin os.path.expandvars dotenv decouple
        environs keyring getpass pwd grp spwd netrc pydantic_settings self.get_variable self.get_variables
        self.variables
        """
    ),
)
NETWORK = Capability(
    "network",
    "uses the network below HTTP",
    "Use an HTTP client: httpx, requests or aiohttp.",
    _words(
        """
        socket _socket socketserver ssl select selectors ftplib smtplib telnetlib poplib imaplib nntplib xmlrpc
        http.client http.server urllib.request asyncio.open_connection asyncio.start_server
        asyncio.open_unix_connection asyncio.start_unix_server paramiko asyncssh scapy logging.SocketHandler
        anyio.connect_tcp anyio.connect_unix anyio.create_tcp_listener anyio.create_unix_listener
        anyio.create_udp_socket
        trio.open_tcp_stream trio.open_unix_socket trio.serve_tcp trio.socket requests_unixsocket socks
        """
    ),
    _words("create_datagram_endpoint create_unix_connection create_unix_server"),
)
INTERNALS = Capability(
    "internals",
    "reaches into the interpreter",
    "Work with the component's own inputs; type(x).__name__ and isinstance are fine.",
    _words(
        """
        globals locals builtins __builtins__ __loader__ __spec__ inspect gc sys types.FrameType traceback.walk_stack
        site sysconfig
        """
    ),
    _words(
        """
        __subclasses__ __bases__ __base__ __mro__ __globals__ __builtins__ __code__ __closure__ __self__ __loader__
        __spec__ __getattribute__ __reduce__ __reduce_ex__ __import__ mro f_globals f_locals f_builtins f_back f_code
        tb_frame gi_frame gi_code cr_frame cr_code ag_frame ag_code co_code
        """
    ),
)
NATIVE = Capability(
    "native-code",
    "runs native code",
    "Use pure Python.",
    _words("ctypes _ctypes cffi _cffi_backend numpy.ctypeslib numpy.distutils distutils pyximport cython"),
    _words("ctypes"),
)
DYNAMIC = Capability(
    "dynamic-code",
    "runs code that cannot be read beforehand",
    "Write the code out; ast.literal_eval and json.loads read values.",
    _words(
        """
        exec eval compile __import__ importlib imp runpy code codeop pkgutil zipimport timeit cProfile profile pdb bdb
        trace doctest pydoc unittest IPython ptpython numpy.f2py types.FunctionType types.CodeType pandas.eval
        langchain_experimental
        lfx.components.tools.python_repl lfx.utils.python_repl_security
        """
    ),
)
DESERIALISATION = Capability(
    "deserialisation",
    "loads data that can run code",
    "Use JSON; for YAML yaml.safe_load.",
    _words(
        """
        pickle cPickle _pickle dill cloudpickle joblib marshal shelve jsonpickle yaml.load yaml.load_all
        yaml.unsafe_load yaml.unsafe_load_all yaml.full_load yaml.full_load_all torch.load pandas.read_pickle
        """
    ),
)
LANGFLOW = Capability(
    "langflow-internals",
    "reaches Langflow's settings, variables or database",
    "Work with the component's inputs; lfx.custom, lfx.io and lfx.schema are what a component needs.",
    _words(
        """
        flowassist lfx.services lfx.settings lfx.api lfx.agentic lfx.main lfx.initial_setup lfx.alembic lfx.server
        lfx.cli lfx.utils.env_var_security lfx.custom.validate lfx.custom.eval lfx.custom.code_parser lfx.load
        lfx.interface lfx.helpers.flow lfx.base.tools.run_flow self.load_flow self.run_flow self.list_flows
        self.alist_flows self.alist_flows_by_flow_folder self.alist_flows_by_folder_id self.aget_flow_by_id_or_name
        self.list_key_names
        """
    ),
)
CAPABILITIES = (PROCESS, SECRETS, NETWORK, NATIVE, DYNAMIC, DESERIALISATION, LANGFLOW, INTERNALS, FILESYSTEM)

HARMLESS: Mapping[str, frozenset[str]] = {
    "os": _words(
        """
        path getcwd sep altsep linesep pathsep name curdir pardir extsep devnull cpu_count fspath PathLike urandom
        getpid strerror error fsencode fsdecode get_terminal_size times
        """
    ),
    "sys": _words(
        """
        version version_info platform maxsize maxunicode byteorder getsizeof float_info int_info hash_info hexversion
        implementation stdout stderr exc_info getrecursionlimit getdefaultencoding getfilesystemencoding intern
        copyright api_version
        """
    ),
    "inspect": _words(
        """
        signature Signature Parameter cleandoc getdoc isawaitable iscoroutine iscoroutinefunction isasyncgen
        isasyncgenfunction isgenerator isgeneratorfunction isfunction ismethod isclass isbuiltin isroutine
        """
    ),
}
"""Members that are fine although their module is not: such a module may be imported, but not be handed around."""

FINE = _words(
    """
    pathlib.PurePath pathlib.PurePosixPath pathlib.PureWindowsPath
    langchain_experimental.text_splitter.SemanticChunker lfx.services.cache.utils.CacheMiss
    """
)
"""Paths that are fine although what is above them is not."""

ESCAPES = _words("os sys io codecs builtins subprocess importlib shutil ctypes socket pathlib pickle posix")
"""Modules that other modules carry as an attribute: logging.os is os."""

BUILTINS = _words(
    "exec eval compile __import__ globals locals open breakpoint exit quit input SystemExit KeyboardInterrupt getattr "
    "__builtins__ __loader__ __spec__"
)
"""Names that mean something here without an import."""

READERS = _words(
    """
    pandas.read_csv pandas.read_json pandas.read_excel pandas.read_parquet pandas.read_table pandas.read_xml
    pandas.read_html pandas.read_fwf pandas.read_feather pandas.read_orc pandas.read_hdf numpy.load numpy.loadtxt
    numpy.genfromtxt PIL.Image.open wave.open tokenize.open xml.etree.ElementTree.parse
    """
)
"""They take a path, an address or an open file: only a path that is written out is refused."""

WRITERS = _words("to_csv to_excel to_json to_parquet to_feather to_hdf to_stata to_xml to_markdown to_latex")
"""Methods of data frames that write where their first argument is a path."""
