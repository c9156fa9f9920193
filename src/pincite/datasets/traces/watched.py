"""A folder of traces that grows: each span is read once, each trace is handed out once, when it is complete.

Lines are read when their end is there, and other files when they have stopped changing, so that nothing is
read half. A trace is complete when its outermost span has come and nothing was added to it since; or, if
that span never comes because another service writes it elsewhere, when nothing came for a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.answers import LONGEST, TraceSpan, has_root, parse_value, read_spans, trace_record
from pincite.base import read_limited, within_memory
from pincite.datasets.traces.opened import is_lines, trace_form, trace_values
from pincite.errors import InputError, PinciteError
from pincite.sources import files_below

_HEAD = 1024


class WatchRound(Struct, frozen=True):
    """What one look at the folder brought."""

    records: tuple[dict[str, Any], ...] = ()
    """Traces that are complete now, as recorded answers."""
    problems: tuple[str, ...] = ()
    """What cannot be read; each is told once."""
    passed_over: int = 0
    more: bool = False
    """Whether there is more to read at once."""


class _Tail(Struct):
    """How far a file was read."""

    identity: tuple[int, int]
    head: bytes = b""
    """How it begins, to see when somebody has written it anew."""
    offset: int = 0
    line: int = 0
    seen: tuple[int, int] = (-1, -1)
    """Its size and its time when it was last looked at."""
    whole: bool = False
    """Whether it is one document and not lines."""
    told: tuple[int, int] | None = None
    """Its size and its time when it was last said to be unreadable, or was read whole."""


class _Pending(Struct):
    spans: dict[str, TraceSpan]
    touched: float
    fresh: bool = True


class WatchedTraces:
    """The traces of a folder, or of one file that grows."""

    def __init__(
        self,
        path: Path | str,
        done: Collection[str] = (),
        settle: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise InputError(f"{self.path}: there is nothing to follow; make the folder first")
        self._done = set(done)
        self._settle = settle
        self._clock = clock
        self._tails: dict[str, _Tail] = {}
        self._pending: dict[str, _Pending] = {}
        self._refused: set[str] = set()

    @property
    def waiting(self) -> int:
        """Traces of which not everything has come."""
        return len(self._pending)

    def look(self) -> WatchRound:
        """Read what is new."""
        now = self._clock()
        for pending in self._pending.values():
            pending.fresh = False
        problems: list[str] = []
        room = LONGEST
        for path, name in self._files(problems):
            try:
                room -= self._read(path, name, max(room, 0), now, problems)
            except FileNotFoundError:
                continue  # it was moved meanwhile
            except OSError as error:
                self._tell_once(f"{path}: cannot be read: {error.strerror or error}", problems)
        return self._complete(now, problems, room <= 0)

    def _files(self, problems: list[str]) -> list[tuple[Path, str]]:
        if not self.path.is_dir():
            return [(self.path, str(self.path))]
        found = []
        for file in files_below(self.path):
            if file.refused is not None:
                self._tell_once(f"{file.path}: {file.refused}", problems)
            elif trace_form(file.path) is not None:
                found.append((file.target, str(file.path)))
        return found

    def _tell_once(self, text: str, problems: list[str]) -> None:
        if text not in self._refused:
            self._refused.add(text)
            problems.append(text)

    # --- files ---

    def _read(self, path: Path, name: str, room: int, now: float, problems: list[str]) -> int:
        """Read what is new in one file, at most so many bytes; how many it were."""
        stat = path.stat()
        state, identity = (stat.st_size, stat.st_mtime_ns), (stat.st_dev, stat.st_ino)
        tail = self._tails.get(name)
        if tail is None or tail.identity != identity or stat.st_size < tail.offset:
            # Replaced or cut: begin again. Traces that were handed out stay so.
            tail = self._tails[name] = _Tail(identity)
        quiet, tail.seen = tail.seen == state, state
        found = trace_form(path)
        lines = found is None or (found.form in ("json", "jsonl") and found.compression is None)
        if not lines or tail.whole:
            if quiet and tail.told != state:
                tail.told = state
                self._take_whole(path, now, problems)
            return 0
        return self._read_lines(path, name, tail, state, quiet, room, now, problems)

    def _read_lines(
        self,
        path: Path,
        name: str,
        tail: _Tail,
        state: tuple[int, int],
        quiet: bool,
        room: int,
        now: float,
        problems: list[str],
    ) -> int:
        if state[0] <= tail.offset or not room:
            return 0
        with path.open("rb") as file:
            head = file.read(_HEAD)
            if not head.startswith(tail.head):
                self._tails[name] = _Tail(tail.identity)
                return 0
            tail.head = head
            file.seek(tail.offset)
            raw = read_limited(file, room)
        end = raw.rfind(b"\n") + 1
        for line in raw[:end].split(b"\n")[:-1]:
            tail.line += 1
            place = f"{path}: line {tail.line}"
            value = parse_value(line, place) if line.strip() else []
            if tail.line == 1 and isinstance(value, InputError) and not is_lines(path):
                tail.whole, tail.line = True, 0  # one document over several lines
                return len(raw)
            self._take(value, place, now, problems)
        tail.offset += end
        rest = raw[end:]
        if not end and len(raw) == LONGEST:
            tail.offset += len(raw)
            problems.append(f"{path}: a line of more than {LONGEST // 2**20} MB is left out")
        elif rest.strip() and quiet and tail.told != state and tail.offset + len(rest) == state[0]:
            # No line break at its end, and nobody writes to it: whole if it can be read.
            place = f"{path}: line {tail.line + 1}"
            value = parse_value(rest, place)
            if isinstance(value, InputError):
                tail.told = state
                problems.append(f"{value} (it may be incomplete; it is read again when the file changes)")
            else:
                tail.offset += len(rest)
                tail.line += 1
                self._take(value, place, now, problems)
        return len(raw)

    def _take_whole(self, path: Path, now: float, problems: list[str]) -> None:
        try:
            with within_memory(path):
                for place, value in trace_values(path):
                    self._take(value, place, now, problems)
        except PinciteError as error:
            problems.append(f"{error} (it is read again when the file changes)")

    def _take(self, value: Any, place: str, now: float, problems: list[str]) -> None:
        found: list[PinciteError] = []
        for span in read_spans(value, place, found):
            if span.trace_id in self._done:
                continue
            pending = self._pending.get(span.trace_id)
            if pending is None:
                pending = self._pending[span.trace_id] = _Pending({}, now)
            if pending.spans.get(span.span_id) != span:
                pending.spans[span.span_id] = span
                pending.touched, pending.fresh = now, True
        problems += [str(error) for error in found]

    # --- traces ---

    def _complete(self, now: float, problems: list[str], more: bool) -> WatchRound:
        records: list[dict[str, Any]] = []
        passed_over = 0
        for trace_id, pending in list(self._pending.items()):
            spans = list(pending.spans.values())
            ended = not pending.fresh and has_root(spans)
            if not ended and now - pending.touched < self._settle:
                continue
            del self._pending[trace_id]
            self._done.add(trace_id)
            record = trace_record(spans)
            if record is None:
                passed_over += 1
            else:
                records.append(record)
        return WatchRound(tuple(records), tuple(problems), passed_over, more)
