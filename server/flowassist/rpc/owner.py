"""Whose call it is: the one seam between callers and their data."""

from collections.abc import Iterable, Mapping
from hmac import compare_digest

from flowassist.errors import Reason, Refused

LOCAL = "local"
_SCHEME = "bearer "


def owner_of(metadata: Iterable[tuple[str, str | bytes]], owners: Mapping[str, str]) -> str:
    """The owner of the call's bearer token; "local" where no tokens are set. Raises Refused: TOKEN_INVALID."""
    if not owners:
        return LOCAL
    given = [str(value) for name, value in metadata if name == "authorization"]
    if len(given) == 1 and given[0].lower().startswith(_SCHEME):
        token = given[0][len(_SCHEME) :].strip().encode()
        for known, owner in owners.items():
            if compare_digest(token, known.encode()):
                return owner
    raise Refused(Reason.TOKEN_INVALID)
