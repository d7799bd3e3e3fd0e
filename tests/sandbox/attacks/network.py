"""Every way to another machine, or to a program on this one."""

from functools import partial

from tests.sandbox.attacks.entry import HELD, NO_NETWORK, method, tries

NETWORK = "security-network"
SOCKET = "import socket\n"
reaches = partial(tries, comes=f"{HELD}|{NO_NETWORK}")

ATTACKS = (
    reaches("connects by TCP", NETWORK, "socket.create_connection(('127.0.0.1', @TCP@), 1)", before=SOCKET),
    reaches("connects by TCP over IPv6", NETWORK, "socket.create_connection(('::1', @TCP@), 1)", before=SOCKET),
    reaches(
        "sends by UDP",
        NETWORK,
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'leak', ('127.0.0.1', @UDP@))",
        "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'leak', ('::1', @UDP@))",
        before=SOCKET,
    ),
    reaches(
        "connects to Unix sockets",
        NETWORK,
        "socket.socket(socket.AF_UNIX).connect('@UNIX@')",
        "socket.socket(socket.AF_UNIX).connect('\\0@ABSTRACT@')",
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'leak', '@DGRAM@')",
        before=SOCKET,
    ),
    reaches(
        "sends from a pair to a socket of others",
        NETWORK,
        "datagram().sendto(b'leak', '@DGRAM@')",
        "datagram().sendto(b'leak', '\\0@ABSTRACT@-dgram')",
        "datagram().sendmsg([b'leak'], [], 0, '@DGRAM@')",
        "datagram().connect('@DGRAM@')",
        "socket.socketpair()[0].sendto(b'leak', '@DGRAM@')",
        "socket.socketpair()[0].connect('@UNIX@')",
        "socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)[0].sendto(b'leak', '@DGRAM@')",
        before="""
        import socket

        def datagram():
            return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]
        """,
    ),
    reaches(
        "passes descriptors and urgent bytes through a pair",
        NETWORK,
        "socket.send_fds(socket.socketpair()[0], [b'x'], [0])",
        "socket.socketpair()[0].send(b'x', socket.MSG_OOB)",
        "socket.socketpair()[0].recv(1, socket.MSG_OOB)",
        "socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, 26, b'x' * 16)",
        "socket.socketpair()[0].listen()",
        before=SOCKET,
    ),
    reaches(
        "opens sockets of other families",
        NETWORK,
        *(f"socket.socket({family}, {kind})" for family, kind in ((16, 3), (17, 3), (2, 3), (38, 5), (40, 1), (29, 3))),
        before=SOCKET,
    ),
    reaches(
        "serves", NETWORK, "socket.create_server(('', 0))", "socket.create_server(('::', 0), family=10)", before=SOCKET
    ),
    reaches(
        "looks up names",
        NETWORK,
        "socket.getaddrinfo('localhost', 80)",
        "socket.gethostbyname('secret.example.com')",
        "socket.if_nameindex()",
        before=SOCKET,
    ),
    method(
        "fetches by urllib",
        NETWORK,
        NO_NETWORK,
        "return Message(text=str(fetch()))",
        """
        import urllib.request

        def fetch():
            return urllib.request.urlopen("http://127.0.0.1:@TCP@/").read()
        """,
    ),
    reaches(
        "reads a file by a file address",
        NETWORK,
        "urllib.request.urlopen('file://@OPEN@').read()",
        before="import urllib.request",
    ),
    method(
        "fetches by http.client",
        NETWORK,
        NO_NETWORK,
        """
        line = http.client.HTTPConnection("127.0.0.1", @TCP@)
        line.request("GET", "/")
        return Message(text=str(line.getresponse().read()))
        """,
        "import http.client",
    ),
    method(
        "fetches by httpx",
        "",
        NO_NETWORK,
        "return Message(text=httpx.get('http://127.0.0.1:@TCP@/').text)",
        "import httpx",
    ),
    method(
        "fetches over a Unix socket",
        NETWORK,
        NO_NETWORK,
        """
        client = httpx.Client(transport=httpx.HTTPTransport(uds="@UNIX@"))
        return Message(text=client.get("http://x/").text)
        """,
        "import httpx",
    ),
    method(
        "fetches by requests",
        "",
        NO_NETWORK,
        "return Message(text=requests.get('http://127.0.0.1:@TCP@/').text)",
        "import requests",
    ),
    method(
        "asks the cloud for its keys",
        "",
        NO_NETWORK,
        """
        return Message(text=httpx.get("http://169.254.169.254/latest/meta-data/").text)
        """,
        "import httpx",
    ),
    method(
        "fetches by aiohttp",
        "",
        f"{NO_NETWORK}|code: ModuleNotFoundError",
        """
        async def fetch():
            async with aiohttp.ClientSession() as session, session.get("http://127.0.0.1:@TCP@/") as answer:
                return await answer.text()
        return Message(text=asyncio.run(fetch()))
        """,
        "import aiohttp\nimport asyncio",
    ),
    method(
        "connects by asyncio",
        NETWORK,
        "(boundary|code): ",
        """
        async def connect():
            _, writer = await asyncio.open_connection("127.0.0.1", @TCP@)
            writer.write(b"leak")
            await writer.drain()
        asyncio.run(connect())
        """,
        "import asyncio",
    ),
    reaches("sends mail", NETWORK, "smtplib.SMTP('127.0.0.1', @TCP@, timeout=1)", before="import smtplib"),
    reaches("transfers files", NETWORK, "ftplib.FTP('127.0.0.1', timeout=1)", before="import ftplib"),
    reaches(
        "logs to a socket",
        "security-filesystem",
        "send()",
        before="""
        import logging, logging.handlers

        def send():
            logging.handlers.SysLogHandler(("127.0.0.1", @UDP@))
        """,
    ),
    method(
        "writes to the system's log",
        "security-filesystem",
        "code: AttributeError",
        "return Message(text=str(told()))",
        """
        import logging.handlers

        def told():
            return logging.handlers.SysLogHandler("@DGRAM@").socket.send(b"leak")
        """,
    ),
    method(
        "talks to the network while the class is made",
        NETWORK,
        "(boundary|code): ",
        "return Message(text=str(LINE))",
        """
        import socket
        LINE = socket.create_connection(("127.0.0.1", @TCP@), 1)
        """,
    ),
)
