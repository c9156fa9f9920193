"""Write a record, a plain value or another file to a file, in the form that its ending asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.answers import shown
from pincite.datasets.files.kinds import file_kind, known_kind
from pincite.datasets.files.read import is_large, read_plain
from pincite.datasets.files.scan import Reader, scan
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.files.whole import written_whole
from pincite.datasets.formats.base import Record, to_plain
from pincite.datasets.formats.records import FORMATS, Kind
from pincite.errors import InputError


def save(value: Record | Mapping[str, Any], path: Path | str, kind: Kind | None = None) -> Path:
    """Write the file whole or not at all. What is written is what was given: validating is another call."""
    path = Path(path)
    found = file_kind(path)
    if not isinstance(value, Record | Mapping):
        raise InputError(f"cannot write {path}: expected an object, found {type(value).__name__}")
    plain = to_plain(value) if isinstance(value, Record) else dict(value)
    kind = known_kind(plain, kind or found.kind, str(path))
    if found.form not in FORMATS[kind].forms:
        forms = ", ".join(FORMATS[kind].forms)
        raise InputError(f"{path}: a {kind} file is written as {forms}, not as {found.form}")
    content = _content(plain, kind, found.form, path)
    with written_whole(path, found.compression) as file:
        file.write(content)
    return path


def convert_file(source: Path, target: Path, kind: Kind | None = None) -> Kind:
    """Write what one file holds to another, in the form of its ending. Gives what was converted.

    A large JSON file is copied element by element, which only another JSON file can take.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise InputError(f"{target}: the file would be overwritten by itself; name another")
    named = kind or file_kind(source).kind
    wanted = file_kind(target)
    if is_large(source) and wanted.form == "json":
        _copy_large(source, target, named or "dataset")
        return named or "dataset"
    value, found, _ = read_plain(source, named)
    if not isinstance(value, dict):
        raise InputError(f"{source}: expected an object, found {shown(value)}")
    if wanted.kind not in (None, found):
        raise InputError(f"{target}: {source} is a {found} file and cannot become a {wanted.kind} file")
    save(value, target, found)
    return found


def _copy_large(source: Path, target: Path, kind: Kind) -> None:
    lists = tuple(FORMATS[kind].lists)
    with written_whole(target, file_kind(target).compression) as out, open_bytes(source) as stream:
        out.write(b"{")
        open_list, comma = "", b""
        for name, index, value in scan(Reader(stream), lists, str(source)):
            if name != open_list and open_list:
                out.write(b"\n]")
                comma = b", "
            if name:
                out.write(b",\n" if index else comma + f'"{name}": [\n'.encode())
                out.write(write_json(value, None).rstrip(b"\n"))
            elif not isinstance(value, dict):
                raise InputError(f"{source}: expected an object, so that there is something to convert")
            # Lists that were copied already are empty here.
            elif rest := {key: held for key, held in value.items() if key not in lists or held != []}:
                out.write(comma + write_json(rest, None).strip()[1:-1])
            open_list = name
        out.write(b"}\n")


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
