"""Open a dataset: in memory where it is small, streamed from its file where it is not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from pincite.config import Settings
from pincite.datasets.files.kinds import file_kind
from pincite.datasets.files.read import is_large, read_plain
from pincite.datasets.formats.base import from_plain, to_plain
from pincite.datasets.formats.records import EvaluationDataset
from pincite.datasets.opened import Dataset, MemoryDataset
from pincite.errors import InputError

__all__ = ["Dataset", "digest_of", "open_dataset"]


def open_dataset(
    given: Path | str | Mapping[str, Any] | EvaluationDataset, settings: Settings | None = None
) -> Dataset:
    """Open a dataset by its path, by the name `sample` for the one that comes with Pincite, or as it is."""
    if isinstance(given, EvaluationDataset):
        return MemoryDataset(given, digest_of(to_plain(given)))
    if isinstance(given, Mapping):
        return MemoryDataset(_read(given, "the dataset"), digest_of(given))
    if not isinstance(given, str | Path):
        raise InputError(f"a dataset is a path, a dict or an EvaluationDataset, not a {type(given).__name__}")
    path = _sample_path() if given == "sample" and not Path(given).exists() else Path(given)
    if not path.is_file():
        what = "is a folder; name the dataset's file" if path.is_dir() else "does not exist (No such file)"
        raise InputError(f"{path}: the dataset {what}")
    found = file_kind(path)
    if found.kind not in (None, "dataset"):
        raise InputError(f"{path}: the ending says that this is a {found.kind} file, not a dataset")
    if is_large(path):
        from pincite.datasets.streamed import open_streamed

        return open_streamed(path)
    value, _, digest = read_plain(path, "dataset")
    return MemoryDataset(_read(value, str(path)), digest, path)


_TOLD = 5
"""Problems that are told when a dataset cannot be opened."""


def digest_of(value: Any) -> str:
    """The SHA-256 of a plain value that came from no file."""
    try:
        raw = json.dumps(value, sort_keys=True).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the dataset holds what has no form in JSON: {error}") from None
    return hashlib.sha256(raw).hexdigest()


def _sample_path() -> Path:
    from pincite.datasets.sample import sample_path

    return Path(sample_path())


def _read(value: Any, name: str) -> EvaluationDataset:
    try:
        return from_plain(EvaluationDataset, value)
    except InputError as error:
        from pincite.datasets.validate import validate_value

        problems = (
            list(islice(validate_value(value, "dataset"), _TOLD + 1)) if isinstance(value, dict) else []
        )
        told = [str(problem) for problem in problems[:_TOLD]] or [str(error)]
        more = ["`pincite data validate` lists every problem"] if len(problems) > _TOLD else []
        raise InputError("\n".join([f"{name}: this is not an evaluation dataset:", *told, *more])) from None
