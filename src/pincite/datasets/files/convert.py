"""Read one format and write another."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

from pincite.datasets.files.kinds import BULK, Kind, file_kind
from pincite.datasets.files.read import is_large, read_plain
from pincite.datasets.files.save import save, write_json
from pincite.datasets.files.scan import Reader, scan
from pincite.datasets.files.streams import open_bytes
from pincite.datasets.files.whole import written_whole
from pincite.datasets.formats.problems import shown
from pincite.errors import InputError


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
    with written_whole(target, file_kind(target).compression) as out, open_bytes(source) as stream:
        out.write(b"{")
        open_list = ""
        for name, index, value in scan(Reader(stream), BULK[kind], str(source)):
            if name != open_list:
                out.write((b"\n], " if open_list else b"") + (f'"{name}": [\n'.encode() if name else b""))
                open_list = name
            if name:
                out.write((b",\n" if index else b"") + write_json(value, indent=None).rstrip(b"\n"))
            else:
                _write_head(out, value, kind, source)
        out.write(b"}\n")


def _write_head(out: BinaryIO, value: Any, kind: Kind, source: Path) -> None:
    if not isinstance(value, dict):
        raise InputError(f"{source}: expected an object, so that there is something to convert")
    # Lists that were copied already are empty here.
    fields = [(key, held) for key, held in value.items() if not (key in BULK[kind] and held == [])]
    pieces = [
        write_json(key, None).rstrip(b"\n") + b": " + write_json(held, None).rstrip(b"\n")
        for key, held in fields
    ]
    out.write(b",\n".join(pieces))
