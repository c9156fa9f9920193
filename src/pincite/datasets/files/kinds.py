"""What a file holds and how it is written, by its ending or else by its content."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from pincite.datasets.formats.records import FORMATS, Kind
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
