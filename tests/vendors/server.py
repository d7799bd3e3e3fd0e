"""A scripted model server over real HTTP/1.1, on plain asyncio, so that it sees when a client closes its socket."""

import asyncio
import json
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Protocol, cast
from urllib.parse import parse_qsl

from tests.vendors.script import (
    Answer,
    BreakOff,
    CallTool,
    Chooser,
    Drop,
    Fail,
    FailInStream,
    Hang,
    Idle,
    Raw,
    Request,
    Say,
    Script,
)

KEY = "sk-scripted-1234567890"
EVENTS = "text/event-stream; charset=utf-8"


class Wire(Protocol):
    """How one vendor writes. Every piece of a stream is whole events of type `media`, in bytes."""

    name: str
    base: str
    media: str

    @property
    def tls(self) -> ssl.SSLContext | None:
        """What its server shows to clients, None for plain HTTP."""
        ...

    def environment(self, url: str) -> dict[str, str]:
        """What a server needs in its environment to take the one at `url` for this vendor."""
        ...

    def aside(self, request: Request) -> tuple[int, Any] | None:
        """Status and JSON for a request that is no question to a model, such as for a list or a token."""
        ...

    def schema(self, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        """Name and shape of the JSON schema that a request asks for; empty if it asks for none."""
        ...

    def opening(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> bytes: ...

    def text(self, piece: str) -> bytes: ...

    def tools(self, answer: CallTool) -> Iterator[bytes]: ...

    def closing(self, answer: Say | CallTool) -> bytes: ...

    def failure(self, code: str, message: str) -> Any: ...

    def failure_event(self, code: str, message: str) -> bytes: ...


class Watched(asyncio.StreamReaderProtocol):
    """Knows the moment when its client is gone."""

    def __init__(self, vendor: "Vendor") -> None:
        super().__init__(asyncio.StreamReader(), vendor.serve)
        self.gone = asyncio.Event()
        self.gone_at: float | None = None

    def eof_received(self) -> bool:
        self._left()
        super().eof_received()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._left()
        super().connection_lost(exc)

    def _left(self) -> None:
        self.gone_at = self.gone_at or asyncio.get_running_loop().time()
        self.gone.set()


class Vendor:
    """Serves one wire on a free port of the loopback; `async with` starts and ends it, and checks the script then."""

    def __init__(self, wire: Wire, chooser: Chooser, port: int = 0) -> None:
        self.wire, self.chooser = wire, chooser
        self.requests: list[Request] = []
        self.asides: list[Request] = []
        self.arrivals: asyncio.Queue[Request] = asyncio.Queue()
        self.faults: list[Exception] = []
        self.connected = 0
        self._port = port
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """What a client takes as its base URL."""
        scheme = "https" if self.wire.tls else "http"
        return f"{scheme}://127.0.0.1:{self._port}{self.wire.base}"

    @property
    def environment(self) -> dict[str, str]:
        """What a server needs in its environment to take this for the vendor."""
        return self.wire.environment(self.url)

    @property
    def script(self) -> Script:
        return cast(Script, self.chooser)

    async def __aenter__(self) -> "Vendor":
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Watched(self), "127.0.0.1", self._port, backlog=1024, ssl=self.wire.tls
        )
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()
        if kind is None:
            assert not self.faults, self.faults
            self.chooser.check()

    @property
    def open_connections(self) -> int:
        return len(self._connections)

    async def left_with(self, count: int) -> None:
        """Returns when clients hold no more than `count` connections."""
        while len(self._connections) > count:
            await asyncio.wait(self._connections, return_when=asyncio.FIRST_COMPLETED)

    async def stop_listening(self) -> None:
        """Nobody is at the address any more, also not over a connection that was kept."""
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await self._server.wait_closed()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, for as many requests as the client sends over it."""
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._connections.add(task)
        self.connected += 1
        try:
            while True:
                await self._answer(await self._request(reader), writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # asyncio's callback would log a cancelled connection as an error; only __aexit__ cancels one
        finally:
            self._connections.discard(task)
            writer.close()

    async def _request(self, reader: asyncio.StreamReader) -> Request:
        head, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        method, path, _ = head.split()
        is_json = bool(raw) and "json" in headers.get("content-type", "")
        body = json.loads(raw) if is_json else dict(parse_qsl(raw.decode()))
        name, shape = self.wire.schema(body)
        now = asyncio.get_running_loop().time()
        return Request(method, path, headers, body, name, shape, now)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        """Writes until it is done or the client has left."""
        if aside := self.wire.aside(request):
            self.asides.append(request)
            writer.write(_json(*aside))
            return await writer.drain()
        self.requests.append(request)
        self.arrivals.put_nowait(request)
        client = cast(Watched, writer.transport.get_protocol())
        writing = asyncio.ensure_future(self._write(self.chooser.choose(request), writer))
        leaving = asyncio.ensure_future(client.gone.wait())
        try:
            await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if client.gone.is_set():
                request.closed_at = client.gone_at
                request.closed.set()
        finally:
            writing.cancel()
            leaving.cancel()
            await asyncio.gather(writing, leaving, return_exceptions=True)
            request.done.set()
        return None if writing.cancelled() else writing.result()

    async def _write(self, answer: Answer, writer: asyncio.StreamWriter) -> None:
        try:
            await self._respond(answer, writer)
        except ConnectionError:
            raise
        except Exception as fault:
            self.faults.append(fault)
            raise ConnectionAbortedError from fault

    async def _respond(self, answer: Answer, writer: asyncio.StreamWriter) -> None:
        match answer:
            case Fail():
                code = answer.code or ("server_error" if answer.status >= 500 else "")
                writer.write(_json(answer.status, self.wire.failure(code, answer.message), answer.headers))
            case Raw():
                size = answer.size or sum(map(len, answer.body))
                writer.write(_head(answer.status, answer.content_type, size, answer.headers))
                await _write_each(answer.body, writer)
                if size > sum(map(len, answer.body)):
                    await _end(answer.then or BreakOff(how="torn"), writer)
            case Drop(how=how):
                if how == "reset":
                    _reset(writer)
                raise ConnectionAbortedError
            case Hang(after="nothing"):
                await asyncio.Event().wait()
            case Idle():
                writer.write(_opening(self.wire.media))
                await _idle(self.wire.text(answer.text) if answer.text else b"", answer, writer)
            case _:
                writer.write(_opening(self.wire.media))
                async for event in self._events(answer):
                    writer.write(b"%x\r\n%b\r\n" % (len(event), event))
                    await writer.drain()
                await _end((answer.end if isinstance(answer, Say) else None) or answer, writer)
        await writer.drain()

    async def _events(self, answer: Say | CallTool | BreakOff | FailInStream | Hang) -> AsyncIterator[bytes]:
        if isinstance(answer, Hang) and answer.after == "headers":
            return
        yield self.wire.opening(answer)
        for position, piece in enumerate(_pieces(answer)):
            if isinstance(answer, Say):
                await asyncio.sleep(answer.delay)
                if answer.hold is not None and position == 1:
                    await answer.hold.wait()
            yield self.wire.text(piece)
        if isinstance(answer, CallTool):
            for event in self.wire.tools(answer):
                yield event
        if isinstance(answer, Say | CallTool):
            yield self.wire.closing(answer)
        if isinstance(answer, FailInStream):
            yield self.wire.failure_event(answer.code, answer.message)


def _pieces(answer: Say | CallTool | BreakOff | FailInStream | Hang) -> list[str]:
    if isinstance(answer, Say):
        return answer.pieces
    return [answer.text] if answer.text else []


async def _write_each(pieces: tuple[bytes, ...], writer: asyncio.StreamWriter) -> None:
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0)


async def _idle(first: bytes, answer: Idle, writer: asyncio.StreamWriter) -> None:
    signs = first + answer.sign
    while True:
        writer.write(b"%x\r\n%b\r\n" % (len(signs), signs))
        await writer.drain()
        await asyncio.sleep(answer.every)
        signs = answer.sign


async def _end(answer: Answer, writer: asyncio.StreamWriter) -> None:
    match answer:
        case Hang():
            await asyncio.Event().wait()
        case BreakOff(how="torn"):
            writer.write(b"ff\r\ndata: {")
            await writer.drain()
            raise ConnectionAbortedError
        case BreakOff(how="reset"):
            _reset(writer)
        case _:
            writer.write(b"0\r\n\r\n")


def _reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _json(status: int, body: Any, headers: Mapping[str, str] = MappingProxyType({})) -> bytes:
    raw = json.dumps(body).encode()
    return _head(status, "application/json", len(raw), headers) + raw


def _opening(media: str) -> bytes:
    fields = f"content-type: {media}\r\ncache-control: no-cache\r\ntransfer-encoding: chunked"
    return f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode()


def _head(status: int, content_type: str, size: int, headers: Mapping[str, str]) -> bytes:
    fields = {"content-type": content_type, "content-length": str(size), **headers}
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()
