"""What a component class consists of, as its source tells: plain values, no judgement."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

T = TypeVar("T")


class Gives(Enum):
    """What a call of a method hands back."""

    VALUE = "a value"
    NOTHING = "nothing"
    GENERATOR = "a generator"


@dataclass(frozen=True, slots=True)
class Input:
    """`kind` is the class that makes it, for example MessageTextInput."""

    name: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Output:
    """`types` tells that the declaration names its types, so that the method's annotation is not needed."""

    name: str
    method: str
    line: int
    types: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """`annotation` is the source of the declared return type, empty without one.

    `unfit` goes on after "it" and says why lfx cannot call the method without arguments; empty where it can, and where
    a decorator may have changed that. `extends` tells that it calls the method of the same name above it.
    """

    name: str
    line: int
    gives: Gives
    annotation: str = ""
    unfit: str = ""
    extends: bool = False


@dataclass(frozen=True, slots=True)
class Declared(Generic[T]):
    """The entries of a list in the class; `whole` is False if some can only be known by running it.

    `nameless` are the lines of lfx's inputs or outputs without a name; `no_list` is that of a value that is no list.
    """

    entries: tuple[T, ...] = ()
    whole: bool = True
    nameless: tuple[int, ...] = ()
    no_list: int | None = None


@dataclass(frozen=True, slots=True)
class Anatomy:
    """A component class with what it inherits from classes of the same code.

    `foreign` tells that a base class other than lfx's Component comes from outside, so that more may be inherited than
    can be read here. `attributes` are the names that the class body assigns, `reads` those that are read from `self`.
    """

    name: str
    line: int
    bases: tuple[str, ...]
    foreign: bool
    inputs: Declared[Input]
    outputs: Declared[Output]
    methods: Mapping[str, Method] = field(default_factory=dict)
    attributes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
