import pytest

from flowassist.secret import Secret
from flowassist.settings import SettingError, Settings
from flowassist.store.keys import GivenKeys, new_key
from flowassist.store.vault import Sealed, Unreadable, Vault, vault_of

SECRET = Secret("sk-ä-😀")


@pytest.fixture
def vault() -> Vault:
    return Vault(GivenKeys(new_key()))


def test_what_was_sealed_is_opened_and_cannot_be_read_before(vault: Vault) -> None:
    sealed = vault.seal("ann", "KEY", SECRET)
    assert vault.open("ann", "KEY", sealed) == SECRET
    assert SECRET.reveal().encode() not in sealed.value
    assert len(sealed.value) == 12 + len(SECRET.reveal().encode()) + 16
    assert sealed.key_id == vault.keys.current().id


def test_the_same_value_is_never_sealed_alike(vault: Vault) -> None:
    assert len({vault.seal("ann", "KEY", SECRET).value[:12] for _ in range(100)}) == 100


@pytest.mark.parametrize(("owner", "name"), [("bob", "KEY"), ("ann", "OTHER"), ("annK", "EY"), ("", "annKEY")])
def test_it_opens_only_where_it_was_put(vault: Vault, owner: str, name: str) -> None:
    with pytest.raises(Unreadable):
        vault.open(owner, name, vault.seal("ann", "KEY", SECRET))


def test_a_changed_bit_anywhere_is_noticed(vault: Vault) -> None:
    sealed = vault.seal("ann", "KEY", SECRET)
    for position in range(len(sealed.value)):
        value = bytearray(sealed.value)
        value[position] ^= 1
        with pytest.raises(Unreadable):
            vault.open("ann", "KEY", Sealed(sealed.key_id, bytes(value)))


@pytest.mark.parametrize("size", [0, 5, 12, 20])
def test_a_cut_value_is_noticed(vault: Vault, size: int) -> None:
    sealed = vault.seal("ann", "KEY", SECRET)
    with pytest.raises(Unreadable):
        vault.open("ann", "KEY", Sealed(sealed.key_id, sealed.value[:size]))


def test_another_key_does_not_open_it_also_under_the_right_id(vault: Vault) -> None:
    other, sealed = Vault(GivenKeys(new_key())), vault.seal("ann", "KEY", SECRET)
    for key_id in (sealed.key_id, other.keys.current().id):
        with pytest.raises(Unreadable):
            other.open("ann", "KEY", Sealed(key_id, sealed.value))


def test_former_keys_still_open() -> None:
    old, new = new_key(), new_key()
    sealed = Vault(GivenKeys(old)).seal("ann", "KEY", SECRET)
    both = Vault(GivenKeys(f"{new},{old}"))
    assert both.open("ann", "KEY", sealed) == SECRET
    assert both.seal("ann", "KEY", SECRET).key_id != sealed.key_id


def test_settings_choose_the_keys() -> None:
    text = new_key()
    assert vault_of(Settings(encryption_keys=text)).keys.current().id == GivenKeys(text).current().id
    assert vault_of(Settings(encryption_key_file="/folder/keys")).keys.place == "/folder/keys"
    assert text not in repr(Settings(encryption_keys=text))
    with pytest.raises(SettingError, match="FLOWASSIST_ENCRYPTION_KEYS") as refused:
        vault_of(Settings(encryption_keys="planted-rubbish"))
    assert "planted" not in str(refused.value)


def test_keys_in_a_file_are_told_where_other_servers_may_share_the_database() -> None:
    shared = "postgresql+asyncpg://host/flowassist"
    assert Settings(database_url=shared).replicas_must_share_keys
    assert not Settings(database_url=shared, encryption_keys=new_key()).replicas_must_share_keys
    assert not Settings().replicas_must_share_keys
    assert not Settings(database_url="sqlite+aiosqlite:///store.db").replicas_must_share_keys
