"""What a file holds and how it is written: told by its ending, then by its content."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from pincite.datasets.formats import records as formats
from pincite.datasets.formats.base import Record
from pincite.errors import InputError
from pincite.text.file_endings import DATA_FORMS, Form

Kind = Literal["dataset", "ground_truth", "results", "benchmark", "configuration"]

RECORDS: dict[Kind, type[Record]] = {
    "dataset": formats.EvaluationDataset,
    "ground_truth": formats.GroundTruth,
    "results": formats.EvaluationResults,
    "benchmark": formats.BenchmarkData,
    "configuration": formats.Configuration,
}
ENDINGS: dict[Kind, str] = {
    "dataset": ".eval.json",
    "ground_truth": ".gt.json",
    "results": ".results.json",
    "benchmark": ".benchmark.json",
    "configuration": ".config.yaml",
}
FORMS: dict[Kind, tuple[Form, ...]] = {
    "dataset": ("json", "yaml", "csv"),
    "ground_truth": ("json", "yaml"),
    "results": ("json", "yaml", "csv", "parquet"),
    "benchmark": ("json", "yaml", "parquet", "hdf5"),
    "configuration": ("yaml", "json"),
}
BULK: dict[Kind, tuple[str, ...]] = {
    "dataset": ("queries", "documents"),
    "ground_truth": ("annotations",),
    "results": ("query_results",),
    "benchmark": ("entries",),
    "configuration": (),
}
"""The lists of a kind that may be too long to be held in memory."""

_KIND_OF_ENDING: dict[str, Kind] = {ending.split(".")[1]: kind for kind, ending in ENDINGS.items()}
_MARKS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("results", ("evaluation_id", "query_results", "retrieval_metrics", "citation_metrics")),
    ("benchmark", ("benchmark_id", "entries")),
    ("ground_truth", ("annotations", "annotation_id")),
    ("dataset", ("queries", "documents", "dataset_id")),
)
"""Fields that only one kind has; the first kind that has one decides."""


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
    """What a plain value must be, by its fields; None when nothing tells."""
    if not isinstance(value, dict):
        return None
    return next((kind for kind, marks in _MARKS if any(mark in value for mark in marks)), None)


def known_kind(value: Any, kind: Kind | None, name: str) -> Kind:
    """The kind that was named, or that the content tells."""
    found = kind or kind_of_value(value)
    if found is None:
        raise InputError(
            f"{name}: neither the ending nor the content says what this is; "
            f"name the file {', '.join('*' + ending for ending in ENDINGS.values())}, or say --kind"
        )
    return found
