"""Which addresses a provider may have."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from time import monotonic
from urllib.parse import urlsplit

SECONDS = 2.0
KEPT_SECONDS, KEPT_HOSTS = 30.0, 1000
_NAT64 = IPv6Network("64:ff9b::/96")

NO_URL = "is no http or https URL"
NO_HTTPS = "must begin with https://"
HAS_USER = "must not hold a user or password"
PRIVATE = "points into a private network, which this server does not allow"
NOWHERE = "names a host that cannot be found"


def fault_in(url: str, *, https_only: bool = False) -> str:
    """Why `url` can be no provider's, in words that follow its variable's name; empty if it can."""
    try:
        parts = urlsplit(url)
        is_http = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_http = False
    if not is_http or not url.isprintable() or " " in url:
        return NO_URL
    if https_only and parts.scheme != "https":
        return NO_HTTPS
    return HAS_USER if parts.username is not None or parts.password is not None else ""


class Reach:
    """How far the addresses reach that owners set themselves: anywhere, or only into the public internet.

    A host is judged by what its name means now; a name that means something else a moment later is not caught here.
    """

    def __init__(self, *, private_too: bool) -> None:
        self._private_too = private_too
        self._looking = ThreadPoolExecutor(4, thread_name_prefix="addresses")
        self._known: dict[str, tuple[float, str]] = {}

    async def fault_in(self, url: str) -> str:
        """Why this server does not go to `url`, in words that follow its variable's name; empty if it does."""
        if self._private_too:
            return ""
        host = urlsplit(url).hostname or ""
        at, fault = self._known.get(host, (0.0, ""))
        if host not in self._known or monotonic() - at > KEPT_SECONDS:
            fault = await self._judged(host)
            self._keep(host, fault)
        return fault

    def close(self) -> None:
        self._looking.shutdown(wait=False, cancel_futures=True)

    async def _judged(self, host: str) -> str:
        looking = asyncio.get_running_loop().run_in_executor(self._looking, _found, host)
        try:
            async with asyncio.timeout(SECONDS):
                found = await looking
        except (TimeoutError, OSError, ValueError):
            return NOWHERE
        return "" if found and all(map(is_public, found)) else PRIVATE

    def _keep(self, host: str, fault: str) -> None:
        self._known.pop(host, None)
        self._known[host] = monotonic(), fault
        if len(self._known) > KEPT_HOSTS:
            del self._known[next(iter(self._known))]


def _found(host: str) -> list[str]:
    """Every address that `host` means, also one that is written in an unusual way. Blocks."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether it lies in the public internet, judged by the address inside where it only wraps another one."""
    parsed = ip_address(address.partition("%")[0])
    return all(inner.is_global and not inner.is_multicast for inner in (parsed, *_wrapped(parsed)))


def _wrapped(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if not isinstance(address, IPv6Address):
        return []
    nat64 = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
    return [inner for inner in (address.ipv4_mapped, address.sixtofour, nat64) if inner is not None]
