"""From an owner's variables and the server's environment to the owner's way to a provider.

A key of the server goes nowhere but where the server's own variables send it: with an address or an account that an
owner set, only the owner's key counts. An owner's key may go to the server's address.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from importlib.util import find_spec

from flowassist.errors import Reason, Refused
from flowassist.models import address, catalogue
from flowassist.models.access import Access
from flowassist.models.address import Reach
from flowassist.models.catalogue import Kind, Need, Provider, Scheme, Variable
from flowassist.secret import Secret

KEY_NAMES = ("_API_KEY", "_APIKEY")
"""How the names of those variables of the server end that an owner may name as a key."""

LANGFLOW = "LANGFLOW_"
"""What Langflow puts before the names of its own variables."""

NOT_WITH_YOURS = " (the server's own key is not used with an address or account that you set)"
UNREADABLE = "was encrypted with a key that this server does not have"
NO_VALUE = "holds characters that it cannot have"
NO_SECRET = Secret("")
OWN_HOST = "127.0.0.1"
"""What a bare address without a host means: Ollama takes ":11434"."""
_PLACES = frozenset({Kind.ADDRESS, Kind.ACCOUNT})


class Source(Enum):
    UNSET = "unset"
    OWNER = "owner"
    ENVIRONMENT = "environment"
    UNREADABLE = "unreadable"
    """The owner's, encrypted with a key that is not here: nothing takes its place."""


@dataclass(frozen=True, slots=True)
class Found:
    """A variable and where it was found: under `name`, which may be another one than the variable's first."""

    variable: Variable
    source: Source = Source.UNSET
    name: str = ""
    value: Secret = NO_SECRET

    def __bool__(self) -> bool:
        return self.source is not Source.UNSET

    @property
    def text(self) -> str:
        return self.value.reveal()


@dataclass(frozen=True, slots=True)
class Gap:
    """What keeps a provider from answering, in words, and how a request that needs it is refused."""

    reason: Reason
    words: str


@dataclass(frozen=True, slots=True)
class Way:
    """An owner's way to a provider. There is an access if there is no gap and the provider has an address at all."""

    provider: Provider
    found: tuple[Found, ...] = ()
    gaps: tuple[Gap, ...] = ()
    access: Access | None = None
    key_variable: str = ""

    @property
    def missing(self) -> str:
        return "; ".join(gap.words for gap in self.gaps)

    @property
    def own_model(self) -> str:
        """The default model that the owner or the server's environment chose; empty if neither did."""
        return next((one.text for one in self.found if one and one.variable.kind is Kind.MODEL), "")

    @property
    def _unreadable(self) -> str:
        return next((one.name for one in self.found if one.source is Source.UNREADABLE), "")

    def refusal(self, available: str) -> Refused:
        """For a request that wants it in spite of its gaps. `available` are ids of providers without one."""
        key = self.provider.only(Kind.KEY)
        about = {
            Reason.KEY_MISSING: {"variable": key.name if key else ""},
            Reason.KEY_VARIABLE_UNRESOLVED: {"variable": self.key_variable, "canonical": key.name if key else ""},
            Reason.PROVIDER_NOT_CONFIGURED: {"available": available},
            Reason.VARIABLES_UNREADABLE: {"name": self._unreadable},
        }
        reason = self.gaps[0].reason
        return Refused(reason, provider=self.provider.id, **about.get(reason, {"missing": self.missing}))


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where variables are looked for: the owner's own first, then the server's environment."""

    owner: str
    own: Mapping[str, Secret | None]
    environment: Mapping[str, str]

    def find(self, variable: Variable) -> Found:
        return self.owned(variable) or self.of_server(variable)

    def owned(self, variable: Variable) -> Found:
        """Blank counts as unset; a value of None is one that cannot be read."""
        for name in variable.names:
            value = self.own.get(name, NO_SECRET)
            if value is None:
                return Found(variable, Source.UNREADABLE, name)
            if text := value.reveal().strip():
                return Found(variable, Source.OWNER, name, Secret(text))
        return Found(variable)

    def of_server(self, variable: Variable) -> Found:
        """By its name, or else by LANGFLOW_ and its name; blank counts as unset."""
        for name in variable.names:
            for spelt in (name, f"{LANGFLOW}{name}"):
                if text := self.environment.get(spelt, "").strip():
                    return Found(variable, Source.ENVIRONMENT, spelt, Secret(text))
        return Found(variable)

    def key_named(self, name: str, key: Variable) -> Found:
        """An owner's variable of any name, or one of the server that says of itself that it is a key of nobody else."""
        named = replace(key, name=name, also=())
        plain = name.removeprefix(LANGFLOW)
        is_for_other = catalogue.readers(plain) and plain not in key.names
        of_server = name.endswith(KEY_NAMES) and not is_for_other
        return self.owned(named) or (self.of_server(named) if of_server else Found(named))


def resolved(provider: Provider, shelf: Shelf, key_variable: str = "") -> Way:
    """The way to `provider`; its addresses are not looked up. `key_variable` names another variable for its key."""
    found = _paired([_find(variable, shelf, key_variable) for variable in provider.variables])
    gaps = tuple(_gaps(provider, found, key_variable))
    access = None if gaps or not provider.variables else _access(shelf.owner, found)
    return Way(provider, found, gaps, access, key_variable)


async def checked(way: Way, reach: Reach, owner: str) -> Way:
    """`way`, with a gap for an address of the owner's that this server does not go to."""
    own = [found for found in way.found if found.variable.kind is Kind.ADDRESS and found.source is Source.OWNER]
    if way.gaps or not own:
        return way
    faults = [(found.name, await reach.fault_in(_url(found), owner)) for found in own]
    gaps = tuple(Gap(Reason.PROVIDER_INCOMPLETE, f"{name} {fault}") for name, fault in faults if fault)
    return replace(way, gaps=gaps, access=None) if gaps else way


def _find(variable: Variable, shelf: Shelf, key_variable: str) -> Found:
    if key_variable and variable.kind is Kind.KEY:
        return shelf.key_named(key_variable, variable)
    return shelf.find(variable)


def _paired(found: list[Found]) -> tuple[Found, ...]:
    """Without what must not go together."""
    places_of_owner = any(one.source is Source.OWNER and one.variable.kind in _PLACES for one in found)
    found = [_unset(one) if places_of_owner and _is_key_of_server(one) else one for one in found]
    key_of_owner = any(one.variable.kind is Kind.KEY and one.source is Source.OWNER for one in found)
    found = [_unset(one) if (key_of_owner or places_of_owner) and _is_accountless(one) else one for one in found]
    chosen = _chosen([one for one in found if one and one.variable.need is Need.ONE_OF_SEVERAL])
    return tuple(one if one.variable.need is not Need.ONE_OF_SEVERAL or one is chosen else _unset(one) for one in found)


def _is_key_of_server(found: Found) -> bool:
    return found.variable.kind is Kind.KEY and found.source is Source.ENVIRONMENT


def _is_accountless(found: Found) -> bool:
    """Whether it tells of the server's key to whom it is charged, and means nothing to another key."""
    optional = found.variable.kind is Kind.ACCOUNT and found.variable.need is Need.NEVER
    return optional and found.source is Source.ENVIRONMENT


def _chosen(several: list[Found]) -> Found | None:
    """Of several that stand for each other: the owner's first."""
    return next((one for one in several if one.source is Source.OWNER), several[0] if several else None)


def _unset(found: Found) -> Found:
    return Found(found.variable)


def _gaps(provider: Provider, found: tuple[Found, ...], key_variable: str) -> Iterator[Gap]:
    """The key's first."""
    nothing = Reason.PROVIDER_INCOMPLETE if provider.needs_key else Reason.PROVIDER_NOT_CONFIGURED
    several = [one for one in found if one.variable.need is Need.ONE_OF_SEVERAL]
    for one in found:
        if one.source is Source.UNREADABLE:
            yield Gap(Reason.VARIABLES_UNREADABLE, f"{one.name} {UNREADABLE}")
        elif one.variable.kind is Kind.KEY and not one and (key_variable or one.variable.need is Need.ALWAYS):
            yield _without_key(one, found, key_variable)
        elif not one and one.variable.need is Need.ALWAYS:
            yield Gap(nothing, f"{one.variable.name} is not set")
        elif fault := _fault(one):
            yield Gap(Reason.PROVIDER_INCOMPLETE, f"{one.name} {fault}")
    if several and not any(several):
        names = " or ".join(one.variable.name for one in several)
        yield Gap(Reason.PROVIDER_INCOMPLETE, f"{names} is not set")
    if provider.package and not _is_installed(provider.package):
        yield Gap(Reason.PROVIDER_INCOMPLETE, f"flowassist[{provider.id}] is not installed")


@cache
def _is_installed(package: str) -> bool:
    return find_spec(package) is not None


def _without_key(key: Found, found: tuple[Found, ...], key_variable: str) -> Gap:
    places_of_owner = any(one.source is Source.OWNER and one.variable.kind in _PLACES for one in found)
    reason = Reason.KEY_VARIABLE_UNRESOLVED if key_variable else Reason.KEY_MISSING
    return Gap(reason, f"{key.variable.name} is not set{NOT_WITH_YOURS if places_of_owner else ''}")


def _fault(found: Found) -> str:
    """Why a value cannot be one of its kind; empty if it can."""
    if not found:
        return ""
    if found.variable.kind is Kind.ADDRESS:
        return address.fault_in(_url(found), https_only=found.variable.scheme is Scheme.HTTPS)
    if not (found.text.isascii() and found.text.isprintable()):
        return "holds characters that no key has" if found.variable.is_secret else NO_VALUE
    return ""


def _url(found: Found) -> str:
    may_be_bare = found.variable.scheme is Scheme.OPTIONAL
    if not may_be_bare or "://" in found.text:
        return found.text
    return f"http://{OWN_HOST if found.text.startswith(':') else ''}{found.text}"


def _access(owner: str, found: tuple[Found, ...]) -> Access:
    """The first address is the provider's; everything else but key and model goes along by its name."""
    addresses = [one for one in found if one.variable.kind is Kind.ADDRESS]
    key = next((one.value for one in found if one.variable.kind is Kind.KEY), NO_SECRET)
    more = {
        one.variable.name: one.text
        for one in found
        if one and one not in addresses[:1] and one.variable.kind not in {Kind.KEY, Kind.MODEL}
    }
    return Access(owner, addresses[0].text if addresses else "", key, more)
