import asyncio
import threading

import pytest

from flowassist.models import address
from flowassist.models.address import HAS_USER, NO_URL, NOWHERE, PRIVATE, Reach, is_public
from tests.waiting import until


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("https://example.com/v1", ""),
        ("http://[2606:4700::1111]:8080", ""),
        ("example.com", NO_URL),
        ("ftp://example.com", NO_URL),
        ("file:///etc/passwd", NO_URL),
        ("http://", NO_URL),
        ("http://[bad", NO_URL),
        ("http://host:99999", NO_URL),
        ("http://host:0", NO_URL),
        ("http://ho st", NO_URL),
        ("http://host\r\nx: y", NO_URL),
        ("http://☃.example", NO_URL),
        ("http://xn--zzzzzzzzz--", NO_URL),
        ("http://[v1.x]", NO_URL),
        ("https://bücher.example/v1", ""),
        ("https://xn--bcher-kva.example/v1", ""),
        ("http://my_service:8080", ""),
        ("https://ann:secret@example.com", HAS_USER),
        ("https://ann@example.com", HAS_USER),
    ],
)
def test_what_is_no_address(url: str, fault: str) -> None:
    assert address.fault_in(url) == fault


@pytest.mark.parametrize(
    "written",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::a9fe:a9fe",
        "168.63.129.16",
        "192.0.0.192",
        "64:ff9b:1::7f00:1",
        "fec0::1",
        "::7f00:1",
    ],
)
def test_addresses_that_are_not_public(written: str) -> None:
    assert not is_public(written)


@pytest.mark.parametrize("written", ["1.1.1.1", "104.18.6.192", "2606:4700::1111", "64:ff9b::101:101"])
def test_addresses_that_are_public(written: str) -> None:
    assert is_public(written)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.1", "0x7f.0.0.1", "2130706433", "169.254.169.254", "[::1]", "[fe80::1]"]
)
async def test_owners_reach_nothing_private_however_it_is_written(host: str) -> None:
    reach = Reach(private_too=False)
    assert await reach.fault_in(f"http://{host}:8080/v1", "ann") == PRIVATE
    reach.close()


async def test_owners_reach_what_is_public() -> None:
    reach = Reach(private_too=False)
    assert await reach.fault_in("https://1.1.1.1/v1", "ann") == ""
    reach.close()


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".com", "x..y"])
async def test_what_cannot_be_found_is_not_reached(host: str) -> None:
    reach = Reach(private_too=False)
    assert await reach.fault_in(f"http://{host}/", "ann") == NOWHERE
    reach.close()


async def test_an_operator_may_allow_private_ones() -> None:
    assert await Reach(private_too=True).fault_in("http://127.0.0.1:11434", "ann") == ""


async def test_names_that_hang_keep_neither_others_nor_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """One owner's names take their time; another owner's are looked up all the same."""
    held = threading.Event()

    def found(host: str) -> list[str]:
        if host.startswith("slow"):
            held.wait(30)
        return ["1.1.1.1"]

    monkeypatch.setattr(address, "_found", found)
    monkeypatch.setattr(address, "SECONDS", 0.05)
    reach = Reach(private_too=False)
    slow = [reach.fault_in(f"http://slow{number}.example", "ann") for number in range(2 * address.LOOKUPS)]
    assert set(await asyncio.gather(*slow)) == {NOWHERE}
    assert await reach.fault_in("http://quick.example", "bob") == ""
    assert await reach.fault_in("http://quick2.example", "ann") == NOWHERE
    held.set()
    await until(lambda: not reach._open)
    assert await reach.fault_in("http://slow1.example", "ann") == ""
    reach.close()
