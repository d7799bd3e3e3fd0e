import pytest

from flowassist.errors import Reason, Refused
from flowassist.rpc.owner import owner_of

OWNERS = {"s3cret": "ann", "other": "bob"}


def test_without_tokens_everyone_is_local() -> None:
    assert owner_of((), {}) == "local"


@pytest.mark.parametrize("header", ["Bearer s3cret", "bearer s3cret", "BEARER  s3cret "])
def test_a_token_names_its_owner(header: str) -> None:
    assert owner_of((("authorization", header),), OWNERS) == "ann"


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("authorization", "s3cret"),),
        (("authorization", "Bearer wrong"),),
        (("authorization", "Bearer "),),
        (("authorization", "Basic s3cret"),),
        (("authorization", "Bearer s3cret"), ("authorization", "Bearer other")),
    ],
)
def test_anything_else_is_refused(metadata: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(Refused) as refused:
        owner_of(metadata, OWNERS)
    assert refused.value.reason is Reason.TOKEN_INVALID
