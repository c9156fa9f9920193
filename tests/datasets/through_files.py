"""Values through files, in memory: what is written as a form, and what is read of it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pincite.datasets import read_plain, save


def parse(raw: bytes, name: str, kind: Any = None) -> Any:
    """The value of a file with this content."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(raw)
        return read_plain(path, kind)[0]


def written(value: Any, name: str, kind: Any = None) -> bytes:
    """The content of a file with this value."""
    with TemporaryDirectory() as folder:
        return save(value, Path(folder) / name, kind).read_bytes()


def parse_csv(raw: bytes, name: str, kind: Any = None) -> Any:
    return parse(raw, name, kind)


def write_csv(value: Any, kind: Any) -> bytes:
    return written(value, "x.csv", kind)


def parse_yaml(raw: bytes, name: str = "x.yaml") -> Any:
    """The value of any YAML: a configuration may hold what it likes."""
    return parse(raw, name, "configuration")


def write_yaml(value: Any) -> bytes:
    return written(value, "x.yaml", "configuration")


def read_value(path: Path) -> Any:
    return read_plain(path)[0]
