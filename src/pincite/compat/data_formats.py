"""The classes of the data formats document: its names and methods, over Pincite's own parts.

Where they differ from the document, docs/specification.md says how and why.
"""

from __future__ import annotations

import gzip
import io
import json
import warnings
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from pincite.base import read_limited
from pincite.datasets import (
    DATASETS,
    GROUND_TRUTH,
    Kind,
    find_version,
    read_plain,
    safe_name,
    schema_of,
    validate_value,
)
from pincite.errors import InputError, TooLargeError
from pincite.reports import pick

HARMLESS, LARGEST_RATIO = 64 * 1024 * 1024, 200
"""Bytes that compressed data may always unpack to, and how many times its size, as in files."""
_PACKED = ("", ".gz", ".zst")
_RESULTS = ".results.json"


class DataFormatValidator:
    """Says what is wrong with data, as a list of sentences: empty when it is valid."""

    def __init__(self) -> None:
        self.schemas: dict[str, dict[str, Any]] = {
            "evaluation_dataset": schema_of("dataset"),
            "ground_truth": schema_of("ground_truth"),
            "evaluation_results": schema_of("results"),
        }

    def validate_evaluation_dataset(self, data: Any) -> list[str]:
        return _problems(data, "dataset")

    def validate_ground_truth(self, data: Any) -> list[str]:
        """Of a ground-truth file, or of one annotation by itself."""
        return _problems(data, "ground_truth")

    def validate_evaluation_results(self, data: Any) -> list[str]:
        return _problems(data, "results")


class DataQualityChecker:
    """Says what is doubtful about a dataset, as a list of sentences."""

    def run_quality_checks(self, dataset: Any) -> list[str]:
        from pincite.datasets import check_quality, open_dataset

        try:
            with open_dataset(dataset) as opened:
                return [str(issue) for issue in check_quality(opened)]
        except InputError as error:
            return str(error).splitlines()


class DataCompressor:
    """Evaluation data as gzip of JSON."""

    @staticmethod
    def compress_evaluation_data(data: dict[str, Any], compression_level: int = 6) -> bytes:
        if not 0 <= compression_level <= 9:
            raise InputError(f"the compression level is {compression_level!r}: give a number from 0 to 9")
        # The time of writing is left out, so that the same data gives the same bytes.
        try:
            raw = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"the data cannot be written as JSON: {error}") from None
        return gzip.compress(raw, compression_level, mtime=0)

    @staticmethod
    def decompress_evaluation_data(compressed_data: bytes) -> dict[str, Any]:
        """The data again; what unpacks to far more than its size is refused."""
        most = max(HARMLESS, LARGEST_RATIO * len(compressed_data))
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(compressed_data)) as file:
                raw = read_limited(file, most + 1)
            value: dict[str, Any] = {} if len(raw) > most else json.loads(raw)
        except (EOFError, OSError, zlib.error, ValueError) as error:
            raise InputError(f"this is not compressed evaluation data: {error}") from None
        if len(raw) > most:
            raise TooLargeError(f"the data unpacks to more than {LARGEST_RATIO} times its size")
        return value

    @staticmethod
    def estimate_compression_ratio(original_data: dict[str, Any]) -> float:
        """How many times smaller the data gets."""
        original = json.dumps(original_data).encode()
        return len(original) / len(DataCompressor.compress_evaluation_data(original_data))


class EvaluationDatasetLoader:
    """Finds datasets and their ground truth in a folder, by id and version."""

    def __init__(self, data_directory: str | Path = "data/evaluation") -> None:
        self.data_directory = Path(data_directory)

    def load_dataset(self, dataset_id: str, version: str | None = None) -> dict[str, Any]:
        """The dataset of that id, the newest version unless one is named. An invalid one raises."""
        path = self._find(DATASETS, ".eval", ("json", "yaml", "csv"), dataset_id, version)
        value = _read(path, "dataset")
        problems = _problems(value, "dataset")
        if problems:
            raise InputError("\n".join([f"{path}: the dataset is not valid:", *problems[:20]]))
        return value

    def load_ground_truth(self, dataset_id: str, version: str | None = None) -> dict[str, Any]:
        """What people said about the dataset of that id."""
        return _read(self._find(GROUND_TRUTH, ".gt", ("json", "yaml"), dataset_id, version), "ground_truth")

    def get_available_datasets(self) -> list[dict[str, Any]]:
        """Every dataset of the folder. One that cannot be read is left out, with a warning that says why."""
        from pincite.datasets import open_dataset

        found = []
        for path in sorted((self.data_directory / DATASETS).glob("*.eval.*")):
            try:
                with open_dataset(path) as dataset:
                    about = pick(dataset, "dataset_id", "name", "version")
                    about["description"] = dataset.head.description
                    found.append({**about, "size": dataset.count(), "file_path": str(path)})
            except InputError as error:
                warnings.warn(f"left out: {error}", stacklevel=2)
        return found

    def _find(
        self, folder: str, ending: str, forms: Sequence[str], data_id: str, version: str | None
    ) -> Path:
        endings = [f"{ending}.{form}{packed}" for form in forms for packed in _PACKED]
        return find_version(self.data_directory / folder, data_id, endings, version)


class EvaluationResultsStorage:
    """Keeps results documents in a folder, one file a run."""

    def __init__(self, results_directory: str | Path = "data/evaluation/results") -> None:
        self.results_directory = Path(results_directory)
        self.results_directory.mkdir(parents=True, exist_ok=True)

    def save_results(self, results: dict[str, Any], evaluation_type: str = "standard") -> str:
        """Write the results as they are, with a note of when, and give the file's path."""
        from pincite.datasets import write_json, write_whole

        now = datetime.now(UTC)
        evaluation_id = results.get("evaluation_id") or f"eval_{now:%Y%m%d_%H%M%S_%f}"
        path = self._path(evaluation_id)
        note = {"saved_at": now.isoformat(), "file_path": str(path), "evaluation_type": evaluation_type}
        try:
            content = write_json({**results, "_metadata": note})
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"the results cannot be written as JSON: {error}") from None
        write_whole(path, content)
        return str(path)

    def load_results(self, evaluation_id: str) -> dict[str, Any]:
        path = self._path(evaluation_id)
        if not path.is_file():
            raise FileNotFoundError(f"{self.results_directory}: there are no results of {evaluation_id!r}")
        return _read(path, "results")

    def list_results(self, evaluation_type: str | None = None) -> list[dict[str, Any]]:
        """What is kept. A file that cannot be read is left out, with a warning that says why."""
        found = []
        for path, data in self._all():
            note = data.get("_metadata")
            saved_as = note.get("evaluation_type") if isinstance(note, dict) else None
            if evaluation_type in (None, saved_as):
                fields = ("evaluation_id", "timestamp", "system_version", "dataset_id")
                found.append({**{key: data.get(key) for key in fields}, "file_path": str(path)})
        return found

    def compare_results(self, evaluation_ids: Sequence[str]) -> dict[str, Any]:
        """The figures of several runs side by side; whether they differ is for `runs compare` to say."""
        runs = {evaluation_id: self.load_results(evaluation_id) for evaluation_id in evaluation_ids}
        metrics: dict[str, dict[str, Any]] = {}
        performance: dict[str, dict[str, Any]] = {}
        for evaluation_id, data in runs.items():
            for name, value in _figures(data):
                metrics.setdefault(name, {})[evaluation_id] = value
            for name in ("latency_stats", "resource_usage", "api_usage"):
                group = (data.get("performance_metrics") or {}).get(name)
                if group is not None:
                    performance.setdefault(name, {})[evaluation_id] = group
        return {
            "evaluations": list(evaluation_ids),
            "metrics_comparison": metrics,
            "performance_comparison": performance,
        }

    def _path(self, evaluation_id: Any) -> Path:
        return self.results_directory / f"{safe_name(evaluation_id, 'an evaluation id')}{_RESULTS}"

    def _all(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        for path in sorted(self.results_directory.glob(f"*{_RESULTS}")):
            try:
                yield path, _read(path, "results")
            except InputError as error:
                warnings.warn(f"left out: {error}", stacklevel=3)


def _read(path: Path, kind: Kind) -> dict[str, Any]:
    value, _, _ = read_plain(path, kind)
    if not isinstance(value, dict):
        raise InputError(f"{path}: the file holds no {kind.replace('_', ' ')}: an object is expected")
    return value


def _problems(data: Any, kind: Kind) -> list[str]:
    return [str(problem) for problem in validate_value(data, kind)]


def _figures(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every metric's value: under its own name, or under `group.figure` where a group has several figures."""
    groups = ("retrieval_metrics", "citation_metrics", "answer_quality_metrics")
    for name, node in chain.from_iterable((data.get(group) or {}).items() for group in groups):
        if not isinstance(node, dict):
            continue
        if "value" in node:
            yield name, node["value"]
        else:
            yield from (
                (f"{name}.{figure}", value)
                for figure, value in node.items()
                if isinstance(value, int | float) and not isinstance(value, bool)
            )
