"""The folder tree of evaluation data: which file holds a dataset, its ground truth or a run's results.

Ids and versions come from users and files, so none of them may lead out of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.errors import InputError

DATASETS, GROUND_TRUTH = "datasets", "ground_truth"
_VERSION = re.compile(
    r"v?(?P<numbers>[0-9]{1,18}(?:\.[0-9]{1,18}){0,3})"
    r"(?:-(?P<before>[0-9A-Za-z][0-9A-Za-z.-]*))?(?:\+[0-9A-Za-z.-]+)?"
)
_NO_NAME = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|\ud800-\udfff]")


def version_key(text: str) -> Any:
    """What semantic versions sort by: 1.10.0 after 1.9.0, 2.0.0 after 2.0.0-rc.1. None for no version."""
    found = _VERSION.fullmatch(text)
    if found is None:
        return None
    numbers = [int(number) for number in found["numbers"].split(".")]
    parts = found["before"].split(".") if found["before"] is not None else []
    # A pre-release comes before its release; in it, numbers come before words and by their size.
    before = tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)
    return tuple(numbers + [0] * (4 - len(numbers))), found["before"] is None, before


def safe_name(name: str, what: str) -> str:
    """A name that can be part of a file's name and leads nowhere else."""
    if not isinstance(name, str) or not name.strip() or len(name) > 200:
        raise InputError(f"{what} must be a text of 1 to 200 characters, not {name!r:.80}")
    if _NO_NAME.search(name) or name.startswith(".") or name.endswith((" ", ".")):
        raise InputError(f"{what} {name!r:.80} cannot be part of a file's name")
    return name


def find_version(folder: Path, data_id: str, endings: Sequence[str], version: str | None = None) -> Path:
    """The file of an id: `ID_VERSION.ending`, or `ID.ending` where the id itself carries the version.

    Without a version it is the newest one. A longer id that begins the same is another one.
    """
    names = [safe_name(data_id, "an id")]
    if version is not None:
        safe_name(version, "a version")
        exact = names if data_id.endswith(version) else []
        names = [f"{data_id}_{version}", f"{data_id}_v{version}", *exact]
    newest: tuple[Any, Path] | None = None
    for ending in endings:
        for name in names:
            if (folder / f"{name}{ending}").is_file():
                return folder / f"{name}{ending}"
        for path in sorted(folder.iterdir()) if version is None and folder.is_dir() else ():
            if path.name.startswith(f"{data_id}_") and path.name.endswith(ending) and path.is_file():
                key = version_key(path.name[len(data_id) + 1 : -len(ending)])
                if key is not None and (newest is None or key > newest[0]):
                    newest = key, path
    if newest is None:
        of = f"{data_id!r}" + (f" in version {version}" if version else "")
        raise FileNotFoundError(f"{folder}: there is no {endings[0]} file of {of}")
    return newest[1]
