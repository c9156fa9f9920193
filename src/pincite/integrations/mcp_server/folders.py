"""The files that a server may read: those that were named when it was started, and no others.

What a client asks for is looked up among the names of sources that were read. No path of a client's is ever
opened, so that neither `..` nor a link can lead out of the folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from pincite.config import Limits
from pincite.errors import InputError
from pincite.records import Source, UnreadSource
from pincite.sources import Library, files_below, open_sources

_MOST_NAMED = 5

Print = tuple[tuple[str, int, int], ...]


class NamedFolders:
    """Folders and files named on the command line, read at the first question and again when they change."""

    def __init__(self, paths: Iterable[str], limits: Limits) -> None:
        self.paths = tuple(_existing(path) for path in paths)
        self._limits = limits
        self._print: Print | None = None
        self._library = Library()

    def library(self) -> Library:
        """All sources, as they are on disk now."""
        found = self._fingerprint()
        if found != self._print:
            given = self.paths[0] if len(self.paths) == 1 else list(self.paths)
            self._library = open_sources(given if self.paths else [], self._limits)
            self._print = found
        return self._library

    def choose(self, names: Sequence[str]) -> Library:
        """The sources of these names, in that order; a folder's name stands for all below it."""
        library = self.library()
        chosen: dict[str, Source | UnreadSource] = {}
        plain = True
        for name in names:
            if _leads_out(name):
                raise InputError(
                    f"{name[:100]!r} is refused: name a source by its path below the server's folders"
                )
            found, is_one = named_entries(name, library)
            plain = plain and is_one
            chosen.update((entry.name, entry) for entry in found)
        return Library(chosen.values(), ordered=plain)

    def _fingerprint(self) -> Print:
        """What tells that a file was added, removed or changed."""
        seen: list[tuple[str, int, int]] = []
        for path in self.paths:
            listed = [path] if not path.is_dir() else [file.target for file in files_below(path)]
            for file in listed:
                try:
                    status = os.stat(file)  # noqa: PTH116 - a path that cannot be looked at has no size
                    seen.append((str(file), status.st_size, status.st_mtime_ns))
                except OSError:
                    seen.append((str(file), -1, -1))
        return tuple(seen)


def _existing(given: str) -> Path:
    if not given.strip() or "\0" in given:
        raise InputError("--sources is empty: name a folder or a file, '.' for this folder")
    # Where a link leads is decided once, by whoever starts the server.
    path = Path(os.path.realpath(given))
    if not path.exists():
        raise InputError(f"--sources {given}: there is no such file or folder")
    return path


def _leads_out(name: str) -> bool:
    """Whether a name is meant as a path from elsewhere. It would not be opened; this says so."""
    path = name.strip().replace("\\", "/")
    return path.startswith(("/", "~")) or path[1:2] == ":" or ".." in path.split("/")


def named_entries(name: str, library: Library) -> tuple[list[Source | UnreadSource], bool]:
    """The entries of a name, and whether it is one document's and not a folder's."""
    exact = library.get(name)
    found = (exact,) if exact is not None else library.find(name)
    if len(found) == 1 or (found and library.in_parts):
        return list(found), True
    if found:
        names = ", ".join(source.name for source in found[:_MOST_NAMED])
        raise InputError(f"{name[:100]!r} fits {len(found)} sources: {names}; give one by its full name")
    unread = library.find_unread(name)
    if unread is not None:
        return [unread], True
    folder = name.strip().replace("\\", "/").removeprefix("./").rstrip("/")
    below = [entry for entry in library.entries if folder and entry.name.startswith(f"{folder}/")]
    if below:
        return below, False
    near = library.near(name)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"there is no source {name[:100]!r} here{hint}")
