"""Which setting is told to be wrong where the server cannot have its address."""

import socket
from pathlib import Path

from flowassist.rpc.server import why_not_bound
from flowassist.settings import Settings


def test_a_port_that_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = why_not_bound(Settings(port=port))
    advice = "set FLOWASSIST_PORT to a port that is free and allowed; 0 finds one."
    assert told == f"127.0.0.1:{port} cannot be bound: {advice}"


def test_a_host_that_is_not_this_machine() -> None:
    for host in ("rubbish.invalid", "192.0.2.1", "a..b", "2001:db8::1"):
        told = why_not_bound(Settings(host=host, port=0))
        advice = "let it name one, such as 127.0.0.1."
        assert told == f"FLOWASSIST_HOST={host} is no address of this machine: {advice}"


def test_a_socket_file_that_cannot_be_made(tmp_path: Path) -> None:
    host = f"unix:{tmp_path}/nowhere/socket"
    told = why_not_bound(Settings(host=host))
    assert told == f"FLOWASSIST_HOST={host} cannot be bound: let it name a new file in a folder that is writable."
