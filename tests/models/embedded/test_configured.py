from pathlib import Path

from flowassist.models.embedded.process import EmbeddedModel
from flowassist.models.embedded.weights import Weights
from tests.models.embedded.conftest import CONTENT


def test_what_is_missing_is_said(tiny: Weights, tmp_path: Path) -> None:
    assert EmbeddedModel(enabled=False).configured() == "the embedded model is switched off"
    assert "flowassist model fetch" in EmbeddedModel(pinned=tiny).configured()
    assert EmbeddedModel(weights=tmp_path / "my.gguf").configured() == (
        "the file that FLOWASSIST_EMBEDDED_WEIGHTS names is not there"
    )
    (tmp_path / "my.gguf").write_bytes(b"x")
    assert EmbeddedModel(weights=tmp_path / "my.gguf").configured() == ""
    tiny.folder.mkdir()
    tiny.path.write_bytes(CONTENT)
    assert EmbeddedModel(pinned=tiny).configured() == ""
