"""Where a provider is reached, and as whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from flowassist.secret import Secret


@dataclass(frozen=True, slots=True)
class Access:
    """One owner's way to one provider. `more` holds its other variables by name, such as WATSONX_PROJECT_ID."""

    owner: str
    base_url: str
    key: Secret
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for accesses that may share a client, its connections and what it learnt."""
        return self.owner, self.base_url, self.key, tuple(sorted(self.more.items()))
