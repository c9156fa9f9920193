"""One person's work as a log of changes, which is only ever appended to.

Each change is one line, on disk before anybody is told that it is saved. A process that is killed while
it writes leaves half a line, which the next writer cuts off. Items have revisions: who changes an item says
which revision they saw, so that a stale page never overwrites a newer one. Several processes may write at
once; a lock per person lets one at a time.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from pincite.annotation.responses import without_notes
from pincite.base import why_not_plain
from pincite.errors import InputError, StoreError

MOST_UNDO = 500
"""Steps back that are remembered for an item."""


class SavedChange(Struct, frozen=True, omit_defaults=True):
    """One line of a log."""

    item: str
    revision: int
    said: dict[str, Any]
    at: str
    """When, in UTC."""
    done: bool = False
    seconds: float = 0.0
    """Spent on the item so far."""
    undo: bool = False
    by: str = ""
    """The window that sent it."""


class ItemState(Struct, frozen=True):
    """Where one person is with one item."""

    revision: int = 0
    said: dict[str, Any] = {}
    done: bool = False
    seconds: float = 0.0
    at: str = ""
    """Of the last change."""
    done_at: str = ""
    """When it was finished first."""
    revised: bool = False
    """Whether what was said changed after it was first finished."""
    can_undo: bool = False
    by: str = ""
    """The window that the last change came from, which knows its own work by it."""


NOTHING = ItemState()


class StaleChange(InputError):
    """A change to a revision that is no longer the newest; `state` is the newest."""

    def __init__(self, state: ItemState) -> None:
        super().__init__("the item was changed in another window in the meantime; nothing was overwritten")
        self.state = state


class NotSaved(StoreError):
    """A change that is in order cannot be written now: the disk is full, or a folder may not be written."""


class ChangeLog:
    """A person's log. Several threads and several processes may use one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._guard = threading.RLock()
        self._held = False
        self._read_to = 0
        self._lines = 0
        self._states: dict[str, ItemState] = {}
        self._before: dict[str, list[SavedChange]] = {}
        """What an item was before each change that can be undone."""
        self._now: dict[str, SavedChange] = {}

    def states(self) -> dict[str, ItemState]:
        """Every item that was touched, as the file has it now."""
        with self._guard:
            self._catch_up()
            return dict(self._states)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Nobody else changes this person's work meanwhile, in no process."""
        with self._guard:
            if self._held:  # by this thread: a second lock of the file would wait for the first
                yield
                return
            with locked(self.path.with_name(".lock")):
                self._held = True
                try:
                    self._catch_up()
                    yield
                finally:
                    self._held = False

    def change(self, change: SavedChange) -> ItemState:
        """Add a change, made to `change.revision`. One that changes nothing is not written."""
        with self.writing():
            state = self._states.get(change.item, NOTHING)
            if change.said == state.said and change.done == state.done and state.revision:
                return state  # sent again because the reply was lost, or nothing new
            if change.revision != state.revision:
                raise StaleChange(state)
            return self._append(change)

    def begin(self, item: str, at: str, by: str = "") -> ItemState:
        """Note that somebody is at an item, unless they were there before."""
        with self.writing():
            return self._states.get(item) or self._append(SavedChange(item, 0, {}, at, by=by))

    def undo(self, item: str, revision: int, at: str) -> ItemState:
        """Take the last change of an item back, by adding one more."""
        with self.writing():
            state = self._states.get(item, NOTHING)
            if revision != state.revision:
                raise StaleChange(state)
            if not state.can_undo:
                return state
            before = self._before[item][-1]
            return self._append(
                SavedChange(item, revision, before.said, at, before.done, state.seconds, undo=True)
            )

    def _append(self, change: SavedChange) -> ItemState:
        change = msgspec.structs.replace(change, revision=change.revision + 1)
        line = msgspec.json.encode(change) + b"\n"
        try:
            _refuse_link(self.path)
            with self.path.open("r+b" if self.path.exists() else "w+b") as file:
                file.truncate(self._read_to)  # half a line of somebody who was killed
                file.seek(self._read_to)
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NotSaved(f"cannot write {self.path}: {error.strerror or error}") from error
        self._take(change)
        self._read_to += len(line)
        self._lines += 1
        return self._states[change.item]

    def _catch_up(self) -> None:
        """Read what was added since; half a line at the end is not there yet."""
        try:
            _refuse_link(self.path)
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._read_to:
                    self._forget()
                file.seek(self._read_to)
                added = file.read()
        except FileNotFoundError:
            self._forget()
            return
        except OSError as error:
            raise InputError(f"cannot read {self.path}: {error.strerror or error}") from error
        for line in added[: added.rfind(b"\n") + 1].splitlines(keepends=True):
            try:
                change = msgspec.json.decode(line, type=SavedChange)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                raise InputError(
                    f"{self.path}: line {self._lines + 1} is damaged; take it out, and the rest can be read"
                ) from None
            self._take(change)
            self._read_to += len(line)
            self._lines += 1

    def _forget(self) -> None:
        self._read_to = self._lines = 0
        for held in (self._states, self._before, self._now):
            held.clear()

    def _take(self, change: SavedChange) -> None:
        item, state = change.item, self._states.get(change.item, NOTHING)
        before, last = self._before.setdefault(item, []), self._now.get(item)
        if change.undo and before:
            before.pop()
        elif not change.undo and (last is not None or change.said):
            # Of a note that grows key by key, the words before it are one step back, not each key.
            typed = last is not None and not last.undo and _only_notes(last, change) and bool(before)
            if not (typed and last is not None and _only_notes(before[-1], last)):
                before.append(last or SavedChange(item, 0, {}, ""))
            del before[:-MOST_UNDO]
        self._now[item] = change
        was_done = bool(state.done_at)
        self._states[item] = ItemState(
            revision=change.revision,
            said=change.said,
            done=change.done,
            seconds=max(state.seconds, change.seconds),
            at=change.at,
            done_at=state.done_at or (change.at if change.done else ""),
            revised=state.revised or (was_done and without_notes(change.said) != without_notes(state.said)),
            can_undo=bool(before),
            by=change.by,
        )


def _only_notes(one: SavedChange, other: SavedChange) -> bool:
    return one.done == other.done and without_notes(one.said) == without_notes(other.said)


def _refuse_link(path: Path) -> None:
    """The folder may have come with a download, and what is added must not end up elsewhere."""
    why = why_not_plain(path, ())
    if why is not None:
        raise InputError(f"{path}: {why}; move it away, or give another folder with --dir")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """The only one to hold this lock, of all processes; it goes when a process ends, however it ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _refuse_link(path)
        with path.open("a+b") as file:
            _take_lock(file)
            try:
                yield
            finally:
                _give_lock(file)
    except OSError as error:
        raise NotSaved(f"cannot lock {path}: {error.strerror or error}") from error


if sys.platform == "win32":
    import msvcrt

    def _take_lock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)

    def _give_lock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _take_lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)

    def _give_lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)
