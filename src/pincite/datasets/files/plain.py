"""The plain value of a file of any form, read whole, written, or converted to another form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.answers import shown
from pincite.base import within_memory
from pincite.datasets.files.csv_tables import LARGEST_CSV, parse_csv, write_csv
from pincite.datasets.files.json_stream import Reader, scan
from pincite.datasets.files.json_yaml import LARGEST_YAML, parse_json, parse_yaml, write_yaml
from pincite.datasets.files.streams import open_bytes, read_bytes, written_whole
from pincite.datasets.formats import FORMATS, Kind
from pincite.datasets.paths import file_kind, known_kind
from pincite.datasets.record import Record, to_plain
from pincite.errors import InputError, TooLargeError

LARGE = 16 * 1024 * 1024
"""JSON of more bytes is streamed wherever that is possible: in memory it takes some twenty times as much."""
LARGEST_WHOLE = 1024 * 1024 * 1024
"""JSON of more bytes is never read whole."""


def read_plain(path: Path, kind: Kind | None = None) -> tuple[Any, Kind, str]:
    """The value of a file, what it holds, and the SHA-256 of its bytes."""
    with within_memory(path):
        return _read_plain(path, kind)


def _read_plain(path: Path, kind: Kind | None) -> tuple[Any, Kind, str]:
    found = file_kind(path)
    kind = kind or found.kind
    name = str(path)
    value: Any
    if found.form in ("parquet", "hdf5"):
        from pincite.datasets.files.tables import read_table

        open_bytes(path).close()  # what is no file is refused
        value = read_table(path)
        return value, known_kind(value, kind, name), digest_of_file(path)
    if found.form == "jsonl":
        raise InputError(
            f"{path}: lines of JSON are recorded answers, or an export: `pincite data convert --from jsonl`"
        )
    if found.form == "yaml":
        if path.is_file() and found.compression is None and path.stat().st_size > LARGEST_YAML:
            raise TooLargeError(
                f"{path}: YAML of more than {LARGEST_YAML // 10**6} MB is not read; save it as JSON"
            )
        raw = read_bytes(path, LARGEST_YAML)
        value = parse_yaml(raw, name)
    elif found.form == "csv":
        raw = read_bytes(path, LARGEST_CSV)
        value = parse_csv(raw, name, kind)
    else:
        raw = read_bytes(path, LARGEST_WHOLE)
        value = parse_json(raw, name)
    return value, known_kind(value, kind, name), hashlib.sha256(raw).hexdigest()


def is_large(path: Path) -> bool:
    """Whether a file is JSON of more bytes than should be held, counted without compression."""
    found = file_kind(path)
    if found.form != "json":
        return False
    if found.compression is None:
        return path.is_file() and path.stat().st_size > LARGE
    with open_bytes(path) as stream:
        left = LARGE + 1
        while left > 0 and (raw := stream.read(min(left, 1 << 20))):
            left -= len(raw)
    return left <= 0


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file's bytes, as they are without compression."""
    digest = hashlib.sha256()
    with open_bytes(path) as stream:
        while raw := stream.read(1 << 20):
            digest.update(raw)
    return digest.hexdigest()


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
            return write_yaml(plain)
        if form == "csv":
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
