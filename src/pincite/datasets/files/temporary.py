"""Folders for files that are only kept as long as somebody uses them.

The owner holds a lock. What a process that was killed left behind has none any more, and the next one that
makes such a folder removes it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from pincite.errors import InputError

_PREFIX = "pincite-"
_LOCK = "in-use"


def own_folder(purpose: str) -> tuple[Path, BinaryIO]:
    """A new folder and the lock that says that it is in use."""
    _sweep(purpose)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-"))
        lock = (folder / _LOCK).open("wb")
        _try_lock(lock)
    except OSError as error:
        raise InputError(
            f"cannot make a folder for temporary files: {error.strerror or error}; "
            "set TMPDIR to a folder with room"
        ) from error
    return folder, lock


def remove_folder(folder: Path, lock: BinaryIO, owner: int) -> None:
    """Remove the folder, unless this is a forked process: the one that made it still needs it."""
    if os.getpid() == owner:
        lock.close()
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(purpose: str) -> None:
    with contextlib.suppress(OSError):
        for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}{purpose}-*"):
            _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    # A folder of somebody else's cannot be removed, and one that is just being made has no lock yet.
    with contextlib.suppress(OSError), (folder / _LOCK).open("r+b") as lock:
        if not folder.is_symlink() and _try_lock(lock):
            shutil.rmtree(folder, ignore_errors=True)


def _try_lock(file: BinaryIO) -> bool:
    """Whether nobody else has the lock; false where the system has no such locks."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
