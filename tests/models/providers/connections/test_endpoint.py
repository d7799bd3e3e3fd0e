import asyncio
import math
import subprocess
import sys
import threading
from contextlib import suppress

import pytest

from flowassist.models.access import Access
from flowassist.models.model import ModelError, Trouble, Usage
from flowassist.models.providers import openai
from flowassist.models.providers.connections.endpoint import MODELS_REMEMBERED, Endpoint, Patience
from flowassist.secret import Secret


class Client:
    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1


def place(built: list[Client]) -> Endpoint[Client]:
    def build(_: Endpoint[Client]) -> Client:
        built.append(Client())
        return built[-1]

    return Endpoint(Access("", "http://127.0.0.1:1", Secret("k")), build, Patience())


async def test_calls_share_one_client() -> None:
    built: list[Client] = []
    company = threading.Barrier(2)

    def build(_: Endpoint[Client]) -> Client:
        with suppress(threading.BrokenBarrierError):
            company.wait(timeout=0.2)
        built.append(Client())
        return built[-1]

    shared = Endpoint(Access("", "http://127.0.0.1:1", Secret("k")), build, Patience())
    clients = await asyncio.gather(*(shared.client() for _ in range(4)))
    assert (set(clients), len(built)) == ({built[0]}, 1)


async def test_closing_closes_it_once_and_the_next_call_builds_another() -> None:
    built: list[Client] = []
    shared = place(built)
    await shared.aclose()
    await shared.client()
    await shared.aclose()
    await shared.aclose()
    assert await shared.client() is built[1]
    assert [client.closed for client in built] == [1, 0]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:80", True),
        ("https://api.openai.com/v1", False),
        ("http://127.0.0.1.example.com", False),
    ],
)
def test_this_machine_is_asked_directly(url: str, local: bool) -> None:
    assert openai.endpoint(Access("", url, Secret("k")), Patience()).is_local is local


def test_no_sdk_is_loaded_before_it_is_needed() -> None:
    program = (
        "import asyncio, sys; from flowassist.models.registry import Providers\n"
        "async def main():\n"
        "    keys = {f'{name}_API_KEY': 'k' for name in ('OPENAI', 'ANTHROPIC', 'GOOGLE', 'GROQ')}\n"
        "    offer = await Providers(keys | {'OLLAMA_BASE_URL': 'http://127.0.0.1:1'}).of('local')\n"
        "    for name in ('openai', 'anthropic', 'google', 'groq'):\n"
        "        await offer.lineups(name)\n"
        "asyncio.run(main())\n"
        "print(sorted({'openai', 'anthropic', 'ollama', 'httpx', 'httpx2', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_calls_taught_is_kept_for_the_models_that_were_used_last() -> None:
    one = place([])
    first = one.lessons("first", frozenset())
    for number in range(MODELS_REMEMBERED - 1):
        one.lessons(f"model {number}", frozenset())
    assert one.lessons("first", frozenset()) is first
    one.lessons("one more", frozenset())
    assert one.lessons("first", frozenset()) is first
    assert len(one._lessons) == MODELS_REMEMBERED


@pytest.mark.parametrize("cause", [FileNotFoundError(2, "No such file"), ImportError("socksio"), ValueError("sk-key")])
async def test_a_client_that_cannot_be_built_is_an_address_that_cannot_be_reached(cause: Exception) -> None:
    """As with a proxy or a certificate file that is wrong: asking again does not help."""

    def build(_: Endpoint[Client]) -> Client:
        raise cause

    with pytest.raises(ModelError) as caught:
        await Endpoint(Access("", "http://x", Secret("sk-key")), build, Patience()).client()
    error = caught.value
    assert (error.trouble, error.retry_after, error.usage) == (Trouble.UNREACHABLE, math.inf, Usage())
    assert str(error).startswith("no client could be built (look at ALL_PROXY, HTTPS_PROXY and SSL_CERT_FILE): ")
    assert "sk-key" not in str(error)
