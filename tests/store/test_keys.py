"""Where the keys come from."""

import fcntl
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flowassist.store.keys import GivenKeys, KeyFile, KeysError, new_key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "keys"


def test_given_keys_the_first_one_encrypts() -> None:
    first, second = new_key(), new_key()
    keys = GivenKeys(f" {first}, {second},")
    assert [key.id for key in keys.known()] == [GivenKeys(first).current().id, GivenKeys(second).current().id]
    assert keys.current() == keys.known()[0]


@pytest.mark.parametrize("text", [" ", ",", "short", new_key()[:-5], f"{new_key()},ä", new_key() + "!", "A" * 44])
def test_what_is_no_key_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(KeysError, match="FLOWASSIST_ENCRYPTION_KEYS") as refused:
        GivenKeys(text)
    assert text.strip(" ,") not in str(refused.value) or not text.strip(" ,")


def test_a_key_does_not_show() -> None:
    text = new_key()
    assert text not in repr(GivenKeys(text).known())


def test_a_file_is_made_when_it_is_first_needed_and_only_its_owner_reads_it(path: Path) -> None:
    keys = KeyFile(path)
    assert keys.known() == ()
    assert not path.exists()
    made = keys.current()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.known() == (made,)
    assert [*path.parent.iterdir()] == [path]
    assert KeyFile(path).current().id == made.id


def test_servers_that_start_at_once_agree(path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        ids = list(pool.map(lambda _: KeyFile(path).current().id, range(64)))
    assert len(set(ids)) == 1
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610])
def test_a_file_that_others_may_read_is_refused_in_words(path: Path, mode: int) -> None:
    keys = KeyFile(path)
    keys.current()
    path.chmod(mode)
    with pytest.raises(KeysError, match=r"may be read by others.*chmod 600"):
        keys.known()
    with pytest.raises(KeysError, match="may be read by others"):
        keys.current()


@pytest.mark.parametrize("text", ["rubbish\n", "\n", "\0\0", f"{new_key()}\nmore\n"])
def test_a_broken_file_is_neither_used_nor_replaced(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(KeysError, match=str(path)):
        KeyFile(path).current()
    assert path.read_text() == text


def test_what_is_no_file_is_refused_and_does_not_hang(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(KeysError, match="cannot be read"):
        KeyFile(path).current()
    fifo = path / "fifo"
    os.mkfifo(fifo, 0o600)
    with pytest.raises(KeysError, match="is no file"):
        KeyFile(fifo).current()
    with pytest.raises(KeysError, match="cannot be"):
        KeyFile(fifo / "inside").current()


def test_a_new_key_encrypts_from_then_on_also_in_servers_that_run(path: Path) -> None:
    running, operator = KeyFile(path), KeyFile(path)
    old = running.current()
    with operator.renewing():
        assert running.current().id != old.id
        assert [key.id for key in running.known()][1:] == [old.id]
        assert operator.keep_newest() == 1
    assert [key.id for key in running.known()] == [operator.current().id]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_only_one_process_rotates(path: Path) -> None:
    """The second one gets no further than to the lock, which goes with its process."""
    keys = KeyFile(path)
    program = (
        "import sys; from pathlib import Path; from flowassist.store.keys import KeyFile\n"
        "with KeyFile(Path(sys.argv[1])).renewing(): print('in', flush=True); sys.stdin.read()"
    )
    command = (sys.executable, "-c", program, str(path))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"in\n"
        folder = os.open(path.parent, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(folder)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(lambda: keys.renewing().__enter__())
            assert len(keys.known()) == 2
            other.kill()
            waiting.result(timeout=10)
    assert len(keys.known()) == 3


def test_a_file_without_a_key_is_told(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("\n")
    path.chmod(0o600)
    with pytest.raises(KeysError, match="holds no key"):
        KeyFile(path).known()
