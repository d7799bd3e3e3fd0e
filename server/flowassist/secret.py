"""Values that must not be seen: provider keys, and the tokens that they buy."""

from collections import deque
from typing import NoReturn, Protocol


class Hides(Protocol):
    """Knows what must not be seen."""

    def hidden_in(self, text: str) -> str:
        """`text` with every mention of it replaced."""
        ...


class Secret:
    """Prints as `***`. `reveal` is called where a request to a provider is built, and nowhere else."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "***"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret cannot be copied out of its process")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def reveal(self) -> str:
        return self._value

    def hidden_in(self, text: str) -> str:
        """`text` with every mention of the value replaced."""
        return text.replace(self._value, "***") if self._value else text


class Secrets:
    """A key and the last of the tokens that it bought."""

    def __init__(self, key: Secret, last: int = 8) -> None:
        self._key, self._tokens = key, deque[Secret](maxlen=last)

    def add(self, token: Secret) -> None:
        if token not in self._tokens:
            self._tokens.append(token)

    def hidden_in(self, text: str) -> str:
        """`text` with every mention of one of them replaced."""
        for secret in (self._key, *self._tokens):
            text = secret.hidden_in(text)
        return text
