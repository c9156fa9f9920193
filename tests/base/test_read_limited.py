"""Reading up to a limit costs what was read, not what might have come."""

from __future__ import annotations

import gzip
import io
import os
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.base import read_limited, within_memory
from pincite.errors import InputError

GIGABYTE = 1024**3


def peak(work: Callable[[], object]) -> int:
    """The most bytes that were held at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_small_file_takes_no_memory_for_the_largest_that_may_come(tmp_path: Path) -> None:
    path = tmp_path / "small.txt"
    path.write_bytes(b"The fox jumps over it.\n")
    assert peak(lambda: read_limited(path, GIGABYTE)) < 500_000


def test_a_large_file_is_held_once(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * 20_000_000)
    assert peak(lambda: read_limited(path, GIGABYTE)) < 24_000_000


@pytest.mark.parametrize("size", [0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 300_000])
def test_everything_comes_back_as_it_is(size: int) -> None:
    content = os.urandom(size)
    assert read_limited(io.BytesIO(content), GIGABYTE) == content


def test_no_more_is_read_than_was_asked_for() -> None:
    stream = io.BytesIO(b"x" * 200_000)
    assert read_limited(stream, 100_001) == b"x" * 100_001
    assert stream.tell() == 100_001


def test_a_stream_without_end_is_read_up_to_the_limit() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no such device here")
    with Path("/dev/zero").open("rb", buffering=0) as endless:
        assert read_limited(endless, 100_000) == b"\0" * 100_000


def test_a_pipe_of_the_shell_is_read_to_its_end() -> None:
    if not Path("/dev/fd").exists():
        pytest.skip("no such names of pipes here")
    outward, inward = os.pipe()

    def write() -> None:
        with os.fdopen(inward, "wb") as pipe:
            pipe.write(b"x" * 300_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert len(read_limited(Path(f"/dev/fd/{outward}"), GIGABYTE)) == 300_000
    writer.join()
    os.close(outward)


def test_what_unpacks_to_a_gigabyte_costs_what_was_asked_for() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"\0" * 30_000_000)
    with zipfile.ZipFile(packed) as archive, archive.open("a") as member:
        assert peak(lambda: read_limited(member, 1_000_000)) < 3_000_000
    with gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(b"\0" * 30_000_000))) as stream:
        assert peak(lambda: read_limited(stream, 1_000_000)) < 3_000_000


def test_running_out_of_memory_names_the_file_and_keeps_nothing_of_it() -> None:
    held: list[object] = []

    def fail() -> None:
        half_read = bytearray(1_000_000)
        raise MemoryError(len(half_read))

    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"a\.json: .*memory") as caught, within_memory("a.json"):
            fail()
        held.append(caught.value)
        del caught
        assert tracemalloc.get_traced_memory()[0] < 500_000
    finally:
        tracemalloc.stop()
