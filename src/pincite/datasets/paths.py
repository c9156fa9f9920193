"""What the name of a file says: what it holds and how it is written, which dataset and which version.

Ids and versions come from users and files, so none of them may lead out of the tree of evaluation data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from pincite.datasets.formats import FORMATS, Kind
from pincite.errors import InputError
from pincite.text import DATA_FORMS, Form

_KIND_OF_ENDING: dict[str, Kind] = {one.ending.split(".")[1]: kind for kind, one in FORMATS.items()}


class FileKind(Struct, frozen=True):
    """What a path's endings say; `kind` is None where they leave it open."""

    kind: Kind | None
    form: Form
    compression: Literal["gz", "zst"] | None


def file_kind(path: Path) -> FileKind:
    """What a path's endings say: `sample_1.0.0.eval.json.gz`."""
    parts = path.name.lower().split(".")
    compression: Literal["gz", "zst"] | None = None
    if parts[-1] in ("gz", "zst"):
        compression = "gz" if parts.pop() == "gz" else "zst"
    form = DATA_FORMS.get(parts[-1]) if len(parts) > 1 else None
    if form is None:
        endings = ", ".join(f".{ending}" for ending in DATA_FORMS)
        raise InputError(
            f"{path}: the ending does not say what the file is; name it one of {endings} (+ .gz or .zst)"
        )
    return FileKind(_KIND_OF_ENDING.get(parts[-2]) if len(parts) > 2 else None, form, compression)


def kind_of_value(value: Any) -> Kind | None:
    """What a plain value must be, by its fields; None when they do not say."""
    if not isinstance(value, dict):
        return None
    return next((kind for kind, one in FORMATS.items() if any(mark in value for mark in one.marks)), None)


def known_kind(value: Any, kind: Kind | None, name: str) -> Kind:
    """The kind that was named, or that the content shows."""
    found = kind or kind_of_value(value)
    if found is None:
        raise InputError(
            f"{name}: neither the ending nor the content says what this is; "
            f"name the file {', '.join('*' + one.ending for one in FORMATS.values())}, or say --kind"
        )
    return found


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
