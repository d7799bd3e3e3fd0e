import pytest

from flowassist import settings


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
