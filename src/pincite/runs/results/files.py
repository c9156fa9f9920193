"""Results as files. Queries are written one by one, and the file is whole or not there at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from pincite.any_json import read_json
from pincite.any_json import write_json as as_json
from pincite.datasets.files.streams import zstandard
from pincite.datasets.files.whole import written_whole
from pincite.errors import InputError
from pincite.records import ItemResult, ResultsDocument
from pincite.runs.results.document import plain_document, query_result, whole_document

ENDINGS = ("json", "yaml", "yml", "csv", "parquet")


def ending_of(path: Path) -> str:
    """How results are written there, by the name of the file; `.gz` and `.zst` of any are compressed."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    ending = name.rpartition(".")[2]
    if "." not in name or ending not in ENDINGS:
        raise InputError(f"unknown format for {path}: end its name in .results.json, .yaml, .csv or .parquet")
    return ending


def refuse_unwritable(path: Path) -> None:
    """Say before anything is measured what could not be written: an unknown form, a missing extra."""
    if ending_of(path) == "parquet":
        from pincite.datasets.files.tables import pyarrow_library

        pyarrow_library()
    if path.suffix.lower() == ".zst":
        zstandard()


Document = ResultsDocument | Mapping[str, Any]


def write_results(document: Document, items: Iterable[ItemResult], path: Path) -> None:
    """Write a run's results document with all of its queries.

    JSON is written query by query, so that a million of them need no memory; the other forms are not meant
    for so many.
    """
    if ending_of(path) != "json":
        from pincite.datasets.files.save import save

        save(read_json(as_json(whole_document(document, items))), path, "results")
        return
    packed = path.suffix.lower().removeprefix(".")
    with written_whole(path, packed if packed in ("gz", "zst") else None) as file:
        write_json(document, items, file)


def write_json(document: Document, items: Iterable[ItemResult], file: IO[bytes]) -> None:
    """One query after the other."""
    file.write(b"{")
    for name, value in plain_document(document).items():
        file.write(b"\n" + as_json(name) + b": " + as_json(value, indent=2) + b",")
    file.write(b'\n"query_results": [')
    separator = b"\n"
    for item in items:
        file.write(separator + as_json(query_result(item)))
        separator = b",\n"
    file.write(b"\n]\n}\n")
