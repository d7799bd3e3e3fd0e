"""Which addresses a provider may have."""

import asyncio
import socket
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from time import monotonic
from urllib.parse import urlsplit

import idna

SECONDS = 2.0
KEPT_SECONDS, KEPT_HOSTS = 30.0, 1000
_NAT64 = IPv6Network("64:ff9b::/96")
_NOT_PUBLIC = tuple(
    map(ip_network, ("168.63.129.16/32", "192.0.0.0/24", "::/96", "64:ff9b:1::/48", "fec0::/10", "2001::/32"))
)
"""Clouds' own services, and ways to write or reach private addresses that `is_global` passes."""
LOOKUPS_OF_ONE, LOOKUPS = 4, 32
"""At once: a name server that hangs keeps a thread for up to half a minute."""

NO_URL = "is no http or https URL"
NO_HTTPS = "must begin with https://"
HAS_USER = "must not hold a user or password"
PRIVATE = "points into a private network, which this server does not allow"
NOWHERE = "names a host that cannot be found"


def fault_in(url: str, *, https_only: bool = False) -> str:
    """Why `url` can be no provider's, in words that follow its variable's name; empty if it can."""
    try:
        parts = urlsplit(url)
        is_http = parts.scheme in {"http", "https"} and _is_host(parts.hostname or "", parts.netloc) and parts.port != 0
    except ValueError:
        is_http = False
    if not is_http or not url.isprintable() or " " in url:
        return NO_URL
    if https_only and parts.scheme != "https":
        return NO_HTTPS
    return HAS_USER if parts.username is not None or parts.password is not None else ""


def _is_host(host: str, netloc: str) -> bool:
    """Whether HTTP clients take it: they read international names strictly. Raises ValueError for some others."""
    if "[" in netloc:
        return bool(ip_address(host.partition("%")[0]))
    if host.isascii() and "xn--" not in host:
        return bool(host)
    return bool(idna.encode(host, uts46=not host.isascii()))


class Reach:
    """How far the addresses reach that owners set themselves: anywhere, or only into the public internet.

    A host is judged by what its name means now; a name that means something else a moment later is not caught here.
    """

    def __init__(self, *, private_too: bool) -> None:
        self._private_too = private_too
        self._looking = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="addresses")
        self._open: Counter[str] = Counter()
        self._known: dict[str, tuple[float, str]] = {}

    async def fault_in(self, url: str, owner: str) -> str:
        """Why `owner` does not get to `url` from here, in words that follow its variable's name; empty if it does."""
        if self._private_too:
            return ""
        host = urlsplit(url).hostname or ""
        at, fault = self._known.get(host, (0.0, ""))
        if host not in self._known or monotonic() - at > KEPT_SECONDS:
            return await self._judged(host, owner)
        return fault

    def close(self) -> None:
        self._looking.shutdown(wait=False, cancel_futures=True)

    async def _judged(self, host: str, owner: str) -> str:
        """What did not come in time is no verdict, and not kept."""
        if self._open[owner] >= LOOKUPS_OF_ONE:
            return NOWHERE
        try:
            async with asyncio.timeout(SECONDS):
                found = await asyncio.wrap_future(self._looked_up(host, owner))
        except TimeoutError:
            return NOWHERE
        except (OSError, ValueError):
            return self._kept(host, NOWHERE)
        return self._kept(host, "" if found and all(map(is_public, found)) else PRIVATE)

    def _looked_up(self, host: str, owner: str) -> "Future[list[str]]":
        self._open[owner] += 1
        looking, loop = self._looking.submit(_found, host), asyncio.get_running_loop()
        looking.add_done_callback(lambda _: self._tell_end(loop, owner))
        return looking

    def _tell_end(self, loop: asyncio.AbstractEventLoop, owner: str) -> None:
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(self._ended, owner)

    def _ended(self, owner: str) -> None:
        self._open[owner] -= 1
        if not self._open[owner]:
            del self._open[owner]

    def _kept(self, host: str, fault: str) -> str:
        self._known.pop(host, None)
        self._known[host] = monotonic(), fault
        if len(self._known) > KEPT_HOSTS:
            del self._known[next(iter(self._known))]
        return fault


def _found(host: str) -> list[str]:
    """Every address that `host` means, also one that is written in an unusual way. Blocks."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether it lies in the public internet, judged by the address inside where it only wraps another one."""
    parsed = ip_address(address.partition("%")[0])
    return all(map(_is_global, (parsed, *_wrapped(parsed))))


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    kept = any(address in network for network in _NOT_PUBLIC if network.version == address.version)
    return address.is_global and not address.is_multicast and not kept


def _wrapped(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if not isinstance(address, IPv6Address):
        return []
    nat64 = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
    return [inner for inner in (address.ipv4_mapped, address.sixtofour, nat64) if inner is not None]
