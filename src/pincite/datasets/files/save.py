"""Write a record or a plain value to a file, in the form that its ending asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.datasets.files.kinds import FORMS, Kind, file_kind, known_kind
from pincite.datasets.files.streams import compress
from pincite.datasets.files.whole import write_whole
from pincite.datasets.formats.base import Record, to_plain
from pincite.errors import InputError


def save(value: Record | Mapping[str, Any], path: Path | str, kind: Kind | None = None) -> Path:
    """Write the file whole or not at all. What is written is what was given: validating is another call."""
    path = Path(path)
    found = file_kind(path)
    if not isinstance(value, Record | Mapping):
        raise InputError(f"cannot write {path}: expected an object, found {type(value).__name__}")
    plain = to_plain(value) if isinstance(value, Record) else dict(value)
    kind = known_kind(plain, kind or found.kind, str(path))
    if found.form not in FORMS[kind]:
        raise InputError(f"{path}: a {kind} file is written as {', '.join(FORMS[kind])}, not as {found.form}")
    write_whole(path, compress(_content(plain, kind, found.form, path), found.compression))
    return path


def write_json(value: Any, indent: int | None = 2) -> bytes:
    """A plain value as JSON. NaN has no form in it and is refused."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can carry
        return json.dumps(value, allow_nan=False, indent=indent).encode() + b"\n"


def _content(plain: dict[str, Any], kind: Kind, form: str, path: Path) -> bytes:
    try:
        if form == "yaml":
            from pincite.datasets.files.plain_yaml import write_yaml

            return write_yaml(plain)
        if form == "csv":
            from pincite.datasets.files.plain_csv import write_csv

            return write_csv(plain, kind)
        if form in ("parquet", "hdf5"):
            from pincite.datasets.files.tables import table_bytes

            return table_bytes(plain, kind, form)
        return write_json(plain)
    except InputError:
        raise
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start : error.start + 1])
        raise InputError(f"cannot write {path}: half a character ({half}) has no form in {form}") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"cannot write {path}: a value in it has no form in {form}: {error}") from None
