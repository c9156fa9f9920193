"""The plain value of a file of any form, read whole."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from pincite.base import within_memory
from pincite.datasets.files.kinds import file_kind, known_kind
from pincite.datasets.files.streams import open_bytes, read_bytes
from pincite.datasets.formats.records import Kind
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
        from pincite.datasets.files.plain_yaml import LARGEST, parse_yaml

        if path.is_file() and found.compression is None and path.stat().st_size > LARGEST:
            raise TooLargeError(
                f"{path}: YAML of more than {LARGEST // 10**6} MB is not read; save it as JSON"
            )
        raw = read_bytes(path, LARGEST)
        value = parse_yaml(raw, name)
    elif found.form == "csv":
        from pincite.datasets.files.plain_csv import LARGEST as LARGEST_CSV
        from pincite.datasets.files.plain_csv import parse_csv

        raw = read_bytes(path, LARGEST_CSV)
        value = parse_csv(raw, name, kind)
    else:
        from pincite.datasets.files.plain_json import parse_json

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
