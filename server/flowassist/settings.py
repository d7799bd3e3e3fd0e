"""Every setting of the server: `FLOWASSIST_<NAME>` in the environment, else the default. Units stand in the names."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

CONSENT = "run generated code without a sandbox"
WIDE = "serve others without authentication"


class SettingError(ValueError):
    """A setting has a value that it cannot have; the text names the setting, and what it may be."""


def data_home() -> Path:
    """Where the store lives unless a setting says otherwise."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "flowassist"


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"
    """Address to bind. Anything but loopback needs `tokens`, or `open_to_all` in words."""
    port: int = 50051
    """0 takes a free one."""
    tokens: str = field(default="", repr=False)
    """Who may call: owner=token, separated by commas. Empty: everyone, as owner "local"."""
    open_to_all: str = ""
    """Must read as `WIDE` to bind wider than loopback without tokens."""
    assistant_enabled: bool = True
    """The feature flag. Off: every call but CheckConfig and health is refused."""
    max_input_characters: int = 2000
    max_concurrent_turns: int = 256
    max_request_bytes: int = 1 << 20
    max_turn_bytes: int = 3 << 19
    """Events of one turn, all together; AssistOnce sends twice as much, and clients take 4 MiB by default."""
    drain_seconds: float = 10.0
    """How long open turns may run on after SIGTERM."""
    intent_seconds: float = 30.0
    """Without an answer until then, a message counts as a question; the embedded model gets four times as long."""
    first_token_seconds: float = 120.0
    """How long a model may take to begin its answer; one that Ollama has to load gets more."""
    between_tokens_seconds: float = 60.0
    """How long a model may fall silent in mid-answer."""
    model_repeats: int = 2
    """How often a call is asked again after a fault that may pass."""
    repeat_seconds: float = 0.5
    """Pause before the first repeat; each next one is twice as long, and a provider may ask for up to 10 seconds."""
    intent_models: str = ""
    """Other models that classify messages: provider=model, separated by commas, or "cheaper" for those of the
    catalogue. Empty: the model of the turn."""
    repair_models: str = ""
    """Other models that take over where one makes the same fault twice: provider=model, separated by commas. Empty:
    the model of the turn tries in another way."""
    owner_addresses: str = ""
    """Where the addresses of providers may point that owners set themselves: "public", or "any", which takes private
    networks too. Empty: "any" where only this machine's users can call, else "public"."""
    history_turns: int = 6
    """Past turns of a session that go into prompts."""
    database_url: str = ""
    """SQLAlchemy's async URL. Empty: SQLite in the data folder."""
    encryption_keys: str = field(default="", repr=False)
    """What encrypts owners' variables: urlsafe base64 of 32 bytes; of several, separated by commas, the first one.
    Empty: those of `encryption_key_file`."""
    encryption_key_file: str = ""
    """Made where it is first needed. Empty: `encryption.keys` in the data folder."""
    sandbox_children: int = 4
    """Components that are run at once."""
    sandbox_queue: int = 256
    """Components that may wait for that; the places go to the owners that wait in turn."""
    unconfined: str = ""
    """Must read as `CONSENT` to run generated code where the kernel cannot confine it."""
    embedded_enabled: bool = True
    embedded_weights: str = ""
    """Another GGUF file than the pinned one."""
    metrics_port: int = 0
    """Prometheus on loopback; 0: off."""
    log_level: str = "info"

    @property
    def store_url(self) -> str:
        return self.database_url or f"sqlite+aiosqlite:///{data_home() / 'flowassist.db'}"

    @property
    def key_file(self) -> Path:
        return Path(self.encryption_key_file or data_home() / "encryption.keys").expanduser()

    @property
    def replicas_must_share_keys(self) -> bool:
        """Whether other servers may use this one's database, but not its key file."""
        return not self.encryption_keys and not self.store_url.startswith("sqlite")

    @property
    def owners(self) -> dict[str, str]:
        """Token to owner."""
        pairs = [pair.partition("=") for pair in self.tokens.split(",") if self.tokens]
        return {token.strip(): owner.strip() for owner, _, token in pairs}

    @property
    def private_addresses(self) -> bool:
        """Whether owners may have addresses of their own inside private networks."""
        if self.owner_addresses:
            return self.owner_addresses == "any"
        return not self.tokens and not self.open_to_all

    def check(self) -> None:
        """Refuse what cannot work or would be unsafe. Raises SettingError."""
        for name, (low, high) in _RANGES.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise SettingError(f"FLOWASSIST_{name.upper()}={value} must be between {low} and {high}.")
        self._check_texts()
        self._check_callers()

    def _check_texts(self) -> None:
        if self.log_level.lower() not in LEVELS:
            raise SettingError(f"FLOWASSIST_LOG_LEVEL={self.log_level!r} is none of {', '.join(LEVELS)}.")
        if self.owner_addresses not in {"", "any", "public"}:
            raise SettingError(f'FLOWASSIST_OWNER_ADDRESSES={self.owner_addresses!r} is neither "any" nor "public".')
        for name, words in _CONSENTS.items():
            if (text := getattr(self, name)) not in {"", words}:
                raise SettingError(f'FLOWASSIST_{name.upper()}={text!r} must read "{words}", or be unset.')
        if self.embedded_enabled and self.embedded_weights and not Path(self.embedded_weights).expanduser().is_file():
            raise SettingError(
                f"FLOWASSIST_EMBEDDED_WEIGHTS={self.embedded_weights!r} is no file: let it name a GGUF file, or unset "
                "it to use the model that `flowassist model fetch` brings."
            )

    def _check_callers(self) -> None:
        pairs = [pair for pair in self.tokens.split(",") if self.tokens]
        if len(self.owners) < len(pairs) or not all(token and owner for token, owner in self.owners.items()):
            raise SettingError("FLOWASSIST_TOKENS must read owner=token,owner=token, each token once.")
        wide = self.host not in {"127.0.0.1", "::1", "localhost"} and not self.host.startswith("unix:")
        if wide and not self.owners and self.open_to_all != WIDE:
            raise SettingError(
                f"FLOWASSIST_HOST={self.host} is reachable by others: set FLOWASSIST_TOKENS, "
                f'or FLOWASSIST_OPEN_TO_ALL="{WIDE}".'
            )

    @property
    def address(self) -> str:
        """As gRPC takes it."""
        if self.host.startswith("unix:"):
            return self.host
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


LEVELS = ("debug", "info", "warning", "error")
_RANGES = {
    "port": (0, 65535),
    "metrics_port": (0, 65535),
    "max_input_characters": (1, 1_000_000),
    "max_concurrent_turns": (1, 100_000),
    "history_turns": (0, 100),
    "drain_seconds": (0, 3600),
    "intent_seconds": (0.01, 3600),
    "first_token_seconds": (0.01, 3600),
    "between_tokens_seconds": (0.01, 3600),
    "model_repeats": (0, 10),
    "repeat_seconds": (0, 10),
    "sandbox_children": (1, 64),
    "sandbox_queue": (0, 100_000),
    "max_turn_bytes": (1 << 16, 1 << 30),
    "max_request_bytes": (1 << 12, 1 << 30),
}
_PREFIX = "FLOWASSIST_"
_OF_CLIENTS = {"FLOWASSIST_ADDRESS", "FLOWASSIST_TOKEN"}
_CONSENTS = {"unconfined": CONSENT, "open_to_all": WIDE}
_FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_KINDS: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "str": (str, ""),
    "bool": (lambda text: _FLAGS[text.strip().lower()], f"one of {', '.join(_FLAGS)}"),
}


def read(environment: Mapping[str, str]) -> Settings:
    """The settings that `environment` asks for; a blank one is unset.

    Raises SettingError, also for a name that is no setting.
    """
    kinds = {f"FLOWASSIST_{f.name.upper()}": f for f in fields(Settings)}
    given = {name for name in environment if name.startswith("FLOWASSIST_")} - _OF_CLIENTS
    if unknown := sorted(given - set(kinds)):
        raise SettingError(f"{unknown[0]} is no setting{_nearest(unknown[0], kinds)}")
    filled = [name for name in given if environment[name].strip()]
    settings = Settings(**{kinds[name].name: _value(name, kinds[name].type, environment[name]) for name in filled})
    settings.check()
    return settings


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.removeprefix(_PREFIX), [one.removeprefix(_PREFIX) for one in known], 1)
    return f": is {_PREFIX}{near[0]} meant?" if near else "; flowassist/settings.py lists those that there are."


def _value(name: str, kind: Any, text: str) -> Any:
    convert, allowed = _KINDS[kind if isinstance(kind, str) else kind.__name__]
    try:
        return convert(text)
    except (KeyError, ValueError):
        raise SettingError(f"{name}={text!r} must be {allowed}.") from None
