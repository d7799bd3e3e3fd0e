import json
import pickle

import pytest

from flowassist.secret import Secret


def test_it_does_not_show() -> None:
    secret = Secret("sk-1")
    assert [repr(secret), str(secret), f"{secret}", f"{[secret]}"] == ["***", "***", "***", "[***]"]
    assert not hasattr(secret, "__dict__")
    assert secret.reveal() == "sk-1"


def test_it_does_not_travel() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Secret("sk-1"))
    with pytest.raises(TypeError):
        json.dumps(Secret("sk-1"))


def test_it_is_hidden_in_texts() -> None:
    assert Secret("sk-1").hidden_in("sk-1 and sk-2") == "*** and sk-2"
    assert Secret("").hidden_in("nothing") == "nothing"
