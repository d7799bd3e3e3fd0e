"""Encryption at rest: AES-256-GCM, each value bound to its owner and name."""

import json
import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag

from flowassist.secret import Secret
from flowassist.settings import SettingError, Settings
from flowassist.store.keys import GivenKeys, KeyFile, Keys, KeysError

_NONCE = 12


@dataclass(frozen=True, slots=True)
class Sealed:
    """What is stored: the id of the key, and 12 bytes of nonce before the ciphertext."""

    key_id: str
    value: bytes


class Unreadable(Exception):
    """None of the keys opens it, as it stands where it stands."""


class Vault:
    """Seals and opens values. Reads files: call it in a thread."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys

    def check(self) -> None:
        """Raises SettingError if its keys cannot be used."""
        try:
            self.keys.known()
        except KeysError as error:
            raise SettingError(str(error)) from None

    def seal(self, owner: str, name: str, secret: Secret) -> Sealed:
        """Raises KeysError."""
        key, nonce = self.keys.current(), os.urandom(_NONCE)
        sealed = key.cipher.encrypt(nonce, secret.reveal().encode(), _bound(owner, name))
        return Sealed(key.id, nonce + sealed)

    def open(self, owner: str, name: str, sealed: Sealed) -> Secret:
        """Raises Unreadable or KeysError."""
        key = next((key for key in self.keys.known() if key.id == sealed.key_id), None)
        if key is None:
            raise Unreadable
        nonce, value = sealed.value[:_NONCE], sealed.value[_NONCE:]
        try:
            return Secret(key.cipher.decrypt(nonce, value, _bound(owner, name)).decode())
        except (InvalidTag, ValueError):
            raise Unreadable from None


def vault_of(settings: Settings) -> Vault:
    """The vault that the settings ask for. Raises SettingError if they hold what is no key."""
    if not settings.encryption_keys:
        return Vault(KeyFile(settings.key_file))
    try:
        return Vault(GivenKeys(settings.encryption_keys))
    except KeysError as error:
        raise SettingError(str(error)) from None


def _bound(owner: str, name: str) -> bytes:
    return json.dumps(["flowassist variable", owner, name]).encode()
