"""Where results and runs are kept. `store` implements the protocols and is never imported here."""

from __future__ import annotations

import heapq
import io
import tempfile
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol, TypeVar

import msgspec

from pincite.base import MOST_BITS
from pincite.errors import PinciteError
from pincite.records import ItemResult, Run


class Journal(Protocol):
    """Keeps the items of one run as they come, so that a killed run can be resumed."""

    @property
    def waited(self) -> float:
        """Seconds for which it blocked its caller."""

    def done(self, key: str) -> bool:
        """Whether an item with this key was kept before."""

    def append(self, result: ItemResult) -> None:
        """Keep one result. It may be written with others a moment later, but never after `flush`."""

    def flush(self) -> None:
        """Write what waits."""

    def results(self) -> Iterator[ItemResult]:
        """Every kept item, by its position in the dataset, read piece by piece."""


class History(Protocol):
    """What a run needs of a history. `pincite.open_store` returns one."""

    def begin(self, run: Run, resume: bool = True) -> tuple[Run, Journal]: ...

    def finish(self, run: Run) -> None: ...

    def find(self, reference: str) -> Run: ...

    def items(self, run_id: str) -> Iterator[ItemResult]: ...

    def runs(self, dataset: str | None = None, *, limit: int | None = None) -> list[Run]: ...


RECENT = 2048
"""Results that another journal may still hold back unwritten when it fails."""


class FileJournal:
    """Keeps results in a temporary file that is gone with the process; memory holds only where they are.

    Where there is no room for the file either, the rest is held in memory.
    """

    waited = 0.0

    def __init__(self) -> None:
        self._file = _temporary_file()
        self._places = array("q")
        self._positions = array("q")
        self._keys: set[int] = set()
        self._end = 0
        self._held: dict[int, bytes] = {}
        """What could not be written, by its place among all."""

    def done(self, key: str) -> bool:
        return hash(key) in self._keys

    def append(self, result: ItemResult) -> None:
        if self.done(result.key):
            return
        content = encode(result)
        if self._held or not self._written(len(content).to_bytes(8, "big") + content):
            self._held[len(self._places)] = content
        self._places.append(self._end)
        self._positions.append(result.position)
        self._keys.add(hash(result.key))
        self._end += 8 + len(content)

    def flush(self) -> None:
        """Nothing waits."""

    def results(self) -> Iterator[ItemResult]:
        for index in sorted(range(len(self._places)), key=self._positions.__getitem__):
            yield decode(self._held[index] if index in self._held else self._read(self._places[index]))

    def close(self) -> None:
        self._file.close()

    def __del__(self) -> None:
        self.close()

    def _written(self, content: bytes) -> bool:
        try:
            self._file.seek(self._end)
            return self._file.write(content) == len(content)
        except OSError:
            return False

    def _read(self, place: int) -> bytes:
        self._file.seek(place)
        length = int.from_bytes(self._file.read(8), "big")
        return self._file.read(length)


def _temporary_file() -> IO[bytes]:
    """A file without a name, so that nothing is left behind after a crash; in memory if there is no folder.

    It has no buffer: what waits in one could not be told from what was written when the disk is full.
    """
    try:
        return tempfile.TemporaryFile(prefix="pincite-run-", buffering=0)
    except OSError:
        return io.BytesIO()


class FallbackJournal:
    """Passes results on to a journal; when that fails, a temporary file takes over and says so once."""

    def __init__(self, journal: Journal, warn: Callable[[str], None]) -> None:
        self._journal = journal
        self._warn = warn
        self._recent: deque[ItemResult] = deque(maxlen=RECENT)
        self._shelter: FileJournal | None = None
        self._unreadable = False
        """Whether the journal could not be read back: reported once, and not waited for again."""

    @property
    def waited(self) -> float:
        """Seconds for which the journal blocked its caller."""
        return self._journal.waited

    def done(self, key: str) -> bool:
        return self._journal.done(key) or (self._shelter is not None and self._shelter.done(key))

    def append(self, result: ItemResult) -> None:
        if self._shelter is not None:
            self._shelter.append(result)
            return
        self._recent.append(result)
        try:
            self._journal.append(result)
        except (PinciteError, OSError) as error:
            self._take_over(error)

    def flush(self) -> None:
        if self._shelter is None:
            try:
                self._journal.flush()
            except (PinciteError, OSError) as error:
                self._take_over(error)

    def settle(self) -> bool:
        """Whether the journal has everything, after another try where it had given up."""
        if self._shelter is None:
            return True
        try:
            self._journal.flush()
            for result in self._shelter.results():
                self._journal.append(result)
            self._journal.flush()
        except (PinciteError, OSError):
            return False
        self._shelter.close()
        self._shelter = None
        self._warn("the history can be written again, and has all of this run")
        return True

    def results(self) -> Iterator[ItemResult]:
        """Everything that was kept, once, by position."""
        if self._shelter is None:
            yield from self._journal.results()
            return
        last = None
        by_place = heapq.merge(self._kept(), self._shelter.results(), key=lambda kept: kept.position)
        for result in by_place:
            # What was handed in just before the failure may be in both.
            if result.key != last:
                yield result
            last = result.key

    def close(self) -> None:
        """Let go of the temporary file; the journal itself is its owner's."""
        if self._shelter is not None:
            self._shelter.close()

    def _kept(self) -> Iterator[ItemResult]:
        if self._unreadable:
            return
        try:
            yield from self._journal.results()
        except (PinciteError, OSError) as error:
            self._unreadable = True
            self._warn(f"earlier results cannot be read back: {error}")

    def _take_over(self, error: Exception) -> None:
        self._shelter = FileJournal()
        for result in self._recent:
            self._shelter.append(result)
        self._recent.clear()
        self._warn(f"the history cannot be written: {error}; this run continues without it")


# --- results as bytes: a lone surrogate or an endless number must not lose one ---

_LARGEST = 2**63
_encoder = msgspec.msgpack.Encoder(enc_hook=str)
_decoder = msgspec.msgpack.Decoder(ItemResult)


def encode(result: ItemResult) -> bytes:
    return _encoder.encode(result)


def decode(content: bytes) -> ItemResult:
    return _decoder.decode(content)


Kept = TypeVar("Kept", ItemResult, Run)


def storable(result: Kept) -> Kept:
    """The result, with what no file can hold written as text that it can."""
    try:
        _encoder.encode(result)
        return result
    except (UnicodeEncodeError, OverflowError, ValueError, TypeError, RecursionError):
        return msgspec.convert(_plain(msgspec.to_builtins(result, enc_hook=str)), type(result))


def _plain(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        return str(value)[:100] if value.bit_length() <= MOST_BITS else "a number of thousands of digits"
    if depth > 100:
        return None
    if isinstance(value, dict):
        return {_plain(key): _plain(held, depth + 1) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(held, depth + 1) for held in value]
    return value
