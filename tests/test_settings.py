from dataclasses import fields
from pathlib import Path

import pytest

from flowassist import settings

WEIGHTS = "let it name a GGUF file, or unset it to use the model that `flowassist model fetch` brings."


def test_defaults_bind_loopback() -> None:
    chosen = settings.read({})
    assert (chosen.host, chosen.port, chosen.max_concurrent_turns) == ("127.0.0.1", 50051, 256)


def test_values_of_every_kind() -> None:
    chosen = settings.read(
        {"FLOWASSIST_PORT": "1", "FLOWASSIST_ASSISTANT_ENABLED": "Off", "FLOWASSIST_DRAIN_SECONDS": "2.5", "OTHER": "x"}
    )
    assert (chosen.port, chosen.assistant_enabled, chosen.drain_seconds) == (1, False, 2.5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "99999"),
        ("HISTORY_TURNS", "150"),
        ("SANDBOX_CHILDREN", "0"),
        ("LOG_LEVEL", "loud"),
        ("TOKENS", ","),
        ("OWNER_ADDRESSES", "some"),
        ("TOKENS", "ann=t,bob=t"),
        ("PROT", "50051"),
        ("PORT", "abc"),
        ("PORT", "-1"),
        ("ASSISTANT_ENABLED", "maybe"),
        ("DRAIN_SECONDS", "nan"),
        ("TOKENS", "justone"),
    ],
)
def test_a_bad_value_is_named(name: str, value: str) -> None:
    with pytest.raises(settings.SettingError, match=f"FLOWASSIST_{name}"):
        settings.read({f"FLOWASSIST_{name}": value})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org"])
def test_a_wider_bind_needs_tokens_or_words(host: str) -> None:
    wide = {"FLOWASSIST_HOST": host}
    with pytest.raises(settings.SettingError, match="reachable by others"):
        settings.read(wide)
    settings.read(wide | {"FLOWASSIST_TOKENS": "ann=t"})
    settings.read(wide | {"FLOWASSIST_OPEN_TO_ALL": settings.WIDE})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("PORT", "-1", "FLOWASSIST_PORT=-1 must be between 0 and 65535."),
        ("PORT", "abc", "FLOWASSIST_PORT='abc' must be a whole number."),
        ("REPEAT_SECONDS", "x", "FLOWASSIST_REPEAT_SECONDS='x' must be a number."),
        ("FIRST_TOKEN_SECONDS", "nan", "FLOWASSIST_FIRST_TOKEN_SECONDS=nan must be between 0.01 and 3600."),
        ("FIRST_TOKEN_SECONDS", "inf", "FLOWASSIST_FIRST_TOKEN_SECONDS=inf must be between 0.01 and 3600."),
        ("INTENT_SECONDS", "0", "FLOWASSIST_INTENT_SECONDS=0.0 must be between 0.01 and 3600."),
        ("INTENT_SECONDS", "1e300", "FLOWASSIST_INTENT_SECONDS=1e+300 must be between 0.01 and 3600."),
        ("DRAIN_SECONDS", "1e300", "FLOWASSIST_DRAIN_SECONDS=1e+300 must be between 0 and 3600."),
        (
            "ASSISTANT_ENABLED",
            "maybe",
            "FLOWASSIST_ASSISTANT_ENABLED='maybe' must be one of 1, true, yes, on, 0, false, no, off.",
        ),
        ("PROT", "1", "FLOWASSIST_PROT is no setting: is FLOWASSIST_PORT meant?"),
        ("DB_URL", "1", "FLOWASSIST_DB_URL is no setting: is FLOWASSIST_DATABASE_URL meant?"),
        (
            "OPENAI_KEY",
            "1",
            "FLOWASSIST_OPENAI_KEY is no setting; flowassist/settings.py lists those that there are.",
        ),
        ("UNCONFINED", "yes", f"FLOWASSIST_UNCONFINED='yes' must read \"{settings.CONSENT}\", or be unset."),
        ("OPEN_TO_ALL", "yes", f"FLOWASSIST_OPEN_TO_ALL='yes' must read \"{settings.WIDE}\", or be unset."),
        (
            "EMBEDDED_WEIGHTS",
            "/nowhere/x.gguf",
            f"FLOWASSIST_EMBEDDED_WEIGHTS='/nowhere/x.gguf' is no file: {WEIGHTS}",
        ),
    ],
)
def test_it_is_told_what_a_setting_may_be(name: str, value: str, told: str) -> None:
    with pytest.raises(settings.SettingError) as refused:
        settings.read({f"FLOWASSIST_{name}": value})
    assert str(refused.value) == told


def test_every_number_has_a_range() -> None:
    numbers = {one.name for one in fields(settings.Settings) if one.type in {int, float, "int", "float"}}
    assert set(settings._RANGES) == numbers


def test_a_blank_value_is_unset() -> None:
    names = (one.name.upper() for one in fields(settings.Settings))
    assert settings.read({f"FLOWASSIST_{name}": " " for name in names}) == settings.Settings()


def test_words_of_consent_are_taken() -> None:
    assert settings.read({"FLOWASSIST_UNCONFINED": settings.CONSENT}).unconfined == settings.CONSENT


def test_weights_that_nobody_loads_need_not_be_there(tmp_path: Path) -> None:
    settings.read({"FLOWASSIST_EMBEDDED_WEIGHTS": "/nowhere", "FLOWASSIST_EMBEDDED_ENABLED": "no"})
    (tmp_path / "own.gguf").touch()
    settings.read({"FLOWASSIST_EMBEDDED_WEIGHTS": str(tmp_path / "own.gguf")})


def test_tokens_are_not_shown() -> None:
    chosen = settings.read({"FLOWASSIST_TOKENS": "ann=s3cret, bob = t=2"})
    assert chosen.owners == {"s3cret": "ann", "t=2": "bob"}
    assert "s3cret" not in repr(chosen)


@pytest.mark.parametrize(
    ("given", "private"),
    [
        ({}, True),
        ({"FLOWASSIST_TOKENS": "ann=t"}, False),
        ({"FLOWASSIST_OPEN_TO_ALL": settings.WIDE}, False),
        ({"FLOWASSIST_TOKENS": "ann=t", "FLOWASSIST_OWNER_ADDRESSES": "any"}, True),
        ({"FLOWASSIST_OWNER_ADDRESSES": "public"}, False),
    ],
)
def test_private_addresses_are_for_the_only_owner_unless_told_otherwise(given: dict[str, str], private: bool) -> None:
    assert settings.read(given).private_addresses == private


def test_addresses_as_grpc_takes_them() -> None:
    assert settings.read({"FLOWASSIST_HOST": "::1", "FLOWASSIST_PORT": "7"}).address == "[::1]:7"
    assert settings.read({"FLOWASSIST_HOST": "unix:/tmp/s", "FLOWASSIST_PORT": "7"}).address == "unix:/tmp/s"
    assert settings.read({"FLOWASSIST_ADDRESS": "elsewhere:1"}).address == "127.0.0.1:50051"
