"""A short search, the same on every run, and proof that the search finds what is wrong."""

import time
from collections.abc import Callable, Hashable
from pathlib import Path

import pytest

from fuzz import __main__ as command
from fuzz import search as searching
from fuzz.search import Found, search
from fuzz.targets import TARGETS, Target


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_nothing_is_found(target: Target) -> None:
    found = search(target, seed=1, inputs=1500)
    assert found.failures == {}
    assert (found.inputs, len(found.outcomes) > 3) == (1500, True)


def test_the_same_seed_finds_the_same() -> None:
    one, same, another = (search(TARGETS[1], seed, inputs=300).outcomes for seed in (7, 7, 8))
    assert one == same != another


def planted(fault: Callable[[str], object]) -> Found:
    def feed(text: str) -> Hashable:
        fault(text)
        return len(text) % 10

    return search(Target("planted", ("abc", "xyz"), feed), seed=3, inputs=400)


def test_a_fault_is_found_and_told_once() -> None:
    (kind,) = planted(lambda text: 1 // ("😀" not in text)).failures
    assert kind.startswith("ZeroDivisionError: ")
    assert f"{Path(__file__).name}:" in kind


def test_what_takes_too_long_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "LONGEST_SECONDS", 0.05)
    (kind,) = planted(lambda text: time.sleep(9) if "class" in text else None).failures
    assert kind.startswith("TooLong: more than 0.05 s")


def test_the_command_tells_counts_and_keeps_what_failed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "KEPT", tmp_path / "kept")
    whole, broken = TARGETS[3], Target("broken", ("\udc80seed",), lambda text: 1 // 0)
    monkeypatch.setattr(command, "TARGETS", (whole, broken))
    assert command.main(0.2, 1, "claim") == 0
    assert capsys.readouterr().out.endswith(" 0 failures\n")
    assert command.main(0.2, 1, "broken") == 1
    (file,) = (tmp_path / "kept").iterdir()
    assert file.read_bytes().decode(errors="surrogatepass") == "\udc80seed"
    assert "ZeroDivisionError: integer division or modulo by zero at " in capsys.readouterr().out
