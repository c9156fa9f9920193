"""The folder tree of evaluation data: which file holds a dataset, its ground truth or a run's results.

Ids and versions come from users and files, so that none of them may lead out of the tree.
"""

from __future__ import annotations

import re
from functools import total_ordering
from pathlib import Path

from pincite.errors import InputError

DATASETS, GROUND_TRUTH, RESULTS = "datasets", "ground_truth", "results"
_VERSION = re.compile(
    r"v?(?P<numbers>[0-9]{1,18}(?:\.[0-9]{1,18}){0,3})"
    r"(?:-(?P<before>[0-9A-Za-z][0-9A-Za-z.-]*))?(?:\+[0-9A-Za-z.-]+)?"
)
_NO_NAME = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|]")


@total_ordering
class SemanticVersion:
    """A version that sorts as semantic versions do: 1.10.0 after 1.9.0, 2.0.0 after 2.0.0-rc.1."""

    def __init__(self, text: str) -> None:
        found = _VERSION.fullmatch(text)
        if found is None:
            raise InputError(f"{text!r:.80} is no semantic version, as 1.10.0")
        numbers = [int(number) for number in found["numbers"].split(".")]
        self.text = text
        self._key = (tuple(numbers + [0] * (4 - len(numbers))), _before_key(found["before"]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SemanticVersion) and self._key == other._key

    def __lt__(self, other: SemanticVersion) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return self.text


def _before_key(before: str | None) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Where a pre-release stands: before its release, numbers before words and by their size."""
    if before is None:
        return 1, ()
    parts = before.split(".")
    return 0, tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def safe_name(name: str, what: str) -> str:
    """A name that can be part of a file's name and leads nowhere else."""
    if not isinstance(name, str) or not name.strip() or len(name) > 200:
        raise InputError(f"{what} must be a text of 1 to 200 characters, not {name!r:.80}")
    if _NO_NAME.search(name) or name.startswith(".") or name.endswith((" ", ".")):
        raise InputError(f"{what} {name!r:.80} cannot be part of a file's name")
    return name


def find_version(folder: Path, data_id: str, ending: str, version: str | None = None) -> Path:
    """The file of an id: `ID_VERSION.ending`, or `ID.ending` where the id itself carries the version.

    Without a version it is the newest one.
    """
    safe_name(data_id, "an id")
    exact = folder / f"{data_id}{ending}"
    if version is not None:
        safe_name(version, "a version")
        for name in (f"{data_id}_{version}", f"{data_id}_v{version}"):
            if (folder / f"{name}{ending}").is_file():
                return folder / f"{name}{ending}"
        if exact.is_file() and data_id.endswith(version):
            return exact
        raise FileNotFoundError(f"{folder}: there is no version {version} of {data_id!r} (*{ending})")
    if exact.is_file():
        return exact
    found = dict(versions(folder, data_id, ending))
    if not found:
        raise FileNotFoundError(f"{folder}: there is no file of {data_id!r} ({data_id}_VERSION{ending})")
    return found[max(found)]


def versions(folder: Path, data_id: str, ending: str) -> list[tuple[SemanticVersion, Path]]:
    """Every version of an id that the folder has; a longer id that begins the same is another one."""
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        name = path.name
        if name.startswith(f"{data_id}_") and name.endswith(ending) and path.is_file():
            try:
                found.append((SemanticVersion(name[len(data_id) + 1 : -len(ending)]), path))
            except InputError:
                continue
    return found
