"""Files and folders: what is read, what is refused, and under which name it is listed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from pincite.base import NO_MEMORY, read_limited
from pincite.config import Limits
from pincite.errors import SourceError
from pincite.records import Source, UnreadSource
from pincite.sources.readers import read_bytes

Entry = Source | UnreadSource


def read_path(path: Path, limits: Limits) -> tuple[list[Entry], bool]:
    """The sources at a path, and whether it is a folder. Only a path that does not exist raises."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise SourceError(_no_such(str(path), error)) from None
    if stat.S_ISDIR(mode):
        return list(read_folder(path, limits)), True
    return read_file(path, _printable(path.name or str(path)), limits), False


def read_folder(folder: Path, limits: Limits) -> Iterator[Entry]:
    """Every file below a folder, in the order of the names, each named by its path below the folder."""
    for found in files_below(folder):
        if found.refused is not None:
            yield UnreadSource(found.name, found.refused)
        else:
            yield from read_file(found.target, found.name, limits, shown=found.path)


class FileBelow(NamedTuple):
    """A file below a folder, and why it must not be read, if so."""

    path: Path
    target: Path
    """The file itself, where the path is a link."""
    name: str
    """The path below the folder."""
    refused: str | None = None


def files_below(folder: Path) -> Iterator[FileBelow]:
    """Every file below a folder, in the order of the names; hidden ones are left out.

    A link is followed only to a file inside the folder; a link to a folder inside is not followed, as the
    files there are found under their own path.
    """
    root = Path(os.path.realpath(folder))
    pending: list[tuple[Path, str]] = [(folder, "")]
    while pending:
        current, prefix = pending.pop()
        try:
            with os.scandir(current) as listing:
                found = sorted(listing, key=lambda item: item.name)
        except OSError as error:
            refused = f"the folder cannot be listed: {error.strerror}"
            yield FileBelow(current, current, prefix or str(folder), refused)
            continue
        below: list[tuple[Path, str]] = []
        for item in found:
            if item.name.startswith("."):
                continue
            path, name = Path(item.path), f"{prefix}{_printable(item.name)}"
            if item.is_dir(follow_symlinks=False):
                below.append((path, f"{name}/"))
            elif not item.is_symlink():
                yield FileBelow(path, path, name)
            elif not (target := _target(path)):
                yield FileBelow(path, path, name, "a link that leads nowhere")
            elif not target.is_relative_to(root):
                advice = "refused; give what it leads to by itself"
                yield FileBelow(path, target, name, f"a link that leaves the folder: {advice}")
            elif not target.is_dir():
                yield FileBelow(path, target, name)
        pending.extend(reversed(below))


def _printable(name: str) -> str:
    """A file name whose bytes are not UTF-8 reaches Python with lone surrogates, which nothing can print."""
    return os.fsencode(name).decode("utf-8", "replace")


def _target(link: Path) -> Path | None:
    try:
        return link.resolve(strict=True)
    except (OSError, RuntimeError):
        return None


def read_file(path: Path, name: str, limits: Limits, shown: Path | None = None) -> list[Entry]:
    """The sources in one file. What cannot be read is in the list with its reason."""
    raw = file_content(path, limits)
    if isinstance(raw, str):
        return [UnreadSource(name, raw)]
    file_path = _printable(str(shown or path))
    entries = read_bytes(raw, name, limits)
    # A document from inside a JSON file keeps the path that its own record gives.
    return [
        structs.replace(entry, file_path=file_path)
        if isinstance(entry, Source) and entry.name == name and entry.file_path is None
        else entry
        for entry in entries
    ]


def file_content(path: Path, limits: Limits) -> bytes | str:
    """The file's bytes, or the reason why they are not read."""
    try:
        # Without O_NONBLOCK, opening a named pipe would wait until something is written to it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        return f"cannot be opened: {getattr(error, 'strerror', None) or error}"
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            return "not a regular file (a pipe, a device or a socket): refused"
        if status.st_size > limits.source_bytes:
            return too_large(status.st_size, limits)
        try:
            raw = read_limited(stream, limits.source_bytes + 1)
        except MemoryError:
            return NO_MEMORY
        except OSError as error:
            return f"cannot be read: {error.strerror or error}"
    # It may have grown since, or not report its size, as below /proc.
    return too_large(len(raw), limits) if len(raw) > limits.source_bytes else raw


def too_large(size: int, limits: Limits) -> str:
    return (
        f"{size:,} bytes, over the limit of {limits.source_bytes:,} bytes for a source; "
        f"raise limits.source_bytes to read the source"
    )


def _no_such(path: str, error: Exception) -> str:
    shown = path if len(path) <= 80 else f"{path[:77]}…"
    if path.startswith(("http:/", "https:/")):
        return f"{shown!r} is an address on the web, and nothing is fetched: save the page and give the file"
    if isinstance(error, PermissionError):
        return f"{shown!r}: no permission to look there"
    missing = f"there is no file or folder {shown!r}"
    if len(path.split()) < 4:
        return missing
    # Several words: this was rather meant as the text of a source.
    return f'{missing}; a text is given with its name, as a dict: {{"report.txt": "the text"}}'
