"""A value that must not be seen: provider keys."""

from typing import NoReturn


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
