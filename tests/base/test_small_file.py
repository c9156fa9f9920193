"""Files that somebody names: read up to a limit, and never waited for."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pincite.base import open_named, read_small_file

NO_FILES = ["pipe", "zero", "link to a pipe", "socket"]


def make(kind: str, folder: Path) -> Path:
    path = folder / kind
    if kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "socket":
        socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))
    else:
        os.mkfifo(folder / "p")
        path.symlink_to(folder / "p")
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("kind", NO_FILES)
@pytest.mark.filterwarnings("ignore:unclosed <socket")
def test_what_is_no_file_is_refused_at_once(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = make(kind, tmp_path)
    for read in (open_named, lambda path: read_small_file(path, 100)):
        with pytest.raises(OSError, match=r"socket, not a file|No such device"):
            read(path)


def test_a_file_of_as_many_bytes_as_allowed_is_read_and_one_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for size in (0, 1, 65_536, 100_000):
        path.write_bytes(b"x" * size)
        assert read_small_file(path, 100_000) == b"x" * size
    path.write_bytes(b"x" * 100_001)
    with pytest.raises(OSError, match="more than 100,000 bytes"):
        read_small_file(path, 100_000)


def test_a_sparse_file_costs_no_more_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "f"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="more than 1,000 bytes"):
        read_small_file(path, 1000)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
def test_what_a_shell_makes_of_a_command_is_read_to_the_limit(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b"strict: true\n")
    os.close(theirs)
    assert read_small_file(Path(f"/dev/fd/{ours}"), 100) == b"strict: true\n"
    os.close(ours)
    zero = os.open("/dev/zero", os.O_RDONLY)
    with pytest.raises(OSError, match="more than 100 bytes"):
        read_small_file(Path(f"/dev/fd/{zero}"), 100)
    os.close(zero)


def test_the_null_device_is_an_empty_file() -> None:
    assert read_small_file(Path(os.devnull), 100) == b""


@pytest.mark.parametrize("name", ["", "nowhere", "a\0b", "x" * 5000, "loop"])
def test_what_cannot_be_opened_is_an_error_of_the_system(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError):
        read_small_file(tmp_path / name, 100)
