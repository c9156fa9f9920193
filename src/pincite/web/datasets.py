"""Datasets that the server was given at its start: for documents and gold spans, and to check them.

No request names a file: a run finds its dataset by the id.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from pincite.datasets import QUALITY_CODES, Dataset, check_quality, open_dataset, scored_spans
from pincite.errors import InputError, PinciteError
from pincite.records import ItemResult, Run
from pincite.reports import KnownTruth, cited_spans, write_run_page

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.datasets import EvaluationQuery
    from pincite.records import ItemResult, Run


class DatasetIssue(Struct, frozen=True):
    """One thing wrong with a dataset."""

    code: str
    name: str
    severity: str
    message: str
    pointer: str
    query_id: str | None


class DatasetQuality(Struct, frozen=True):
    """The quality of a dataset that the server was given."""

    counts: dict[str, int]
    """By code."""
    errors: int
    warnings: int
    notes: int
    issues: list[DatasetIssue]
    """The first few of each code."""
    problem: str | None = None
    """Why it could not be checked."""


LISTED = 20
"""Issues that are shown of each code."""
PATIENCE_SECONDS = 2.0
"""How long a page waits for a dataset to be checked."""
OTHER_FILE = "the dataset's file is not the one that was run: what should be cited may have changed since"


class GivenDatasets:
    """Opened datasets by their ids, with the sample that comes with Pincite."""

    def __init__(self, paths: Sequence[str], settings: Settings) -> None:
        self._settings = settings
        self._found: dict[str, Dataset] = {}
        self._paths: dict[str, str] = {}
        self._quality: dict[str, DatasetQuality] = {}
        self._checking: dict[str, threading.Thread] = {}
        self._lock = threading.Lock()
        for path in paths:
            dataset = open_dataset(path, settings)
            if dataset.dataset_id in self._found:
                raise InputError(f"two datasets have the id {dataset.dataset_id!r}: give one of them")
            self._found[dataset.dataset_id] = dataset
            self._paths[dataset.dataset_id] = path
        sample = open_dataset("sample", settings)
        self._given = {*self._found, *((sample.dataset_id,) if "sample" in paths else ())}
        self._found.setdefault(sample.dataset_id, sample)
        self._paths.setdefault(sample.dataset_id, "sample")

    def named(self) -> list[str]:
        """The ids of those that were given; the sample only where somebody named it."""
        return sorted(self._given)

    def get(self, dataset_id: str) -> Dataset | None:
        return self._found.get(dataset_id)

    def close(self) -> None:
        for dataset in self._found.values():
            dataset.close()

    def truth(self, run: Run, item: ItemResult) -> KnownTruth | None:
        """What the dataset of a run says about one of its queries; None where it is not at hand."""
        dataset = self._found.get(run.dataset_id)
        if dataset is None:
            return None
        with self._lock:  # an index of documents is read by one thread at a time
            query = _query_of(dataset, item)
            gold = None if query is None or query.citations is None else scored_spans(query.citations)
            names = {
                *item.documents,
                *item.cited_documents,
                *(span.document for span in cited_spans(item)),
                *(name for pair in item.verdicts for name in pair.documents),
                *(span.document for span in gold or ()),
            }
            library = dataset.library_for(names)
        expected = None if query is None else query.ground_truth_answer
        return KnownTruth(
            library,
            gold,
            () if query is None else tuple(scored_spans(one) for one in query.alternative_citations),
            expected if isinstance(expected, str) else None,
            dataset.offsets or self._settings.offsets,
            "" if not run.dataset_digest or run.dataset_digest == dataset.digest else OTHER_FILE,
        )

    def write_run(self, run: Run, items: Iterable[ItemResult]) -> str:
        """The run as a page in one file, with sources and gold spans where its dataset is at hand."""
        dataset = self._found.get(run.dataset_id)
        with self._lock:
            known = dataset is not None and (run.dataset_digest or dataset.digest) == dataset.digest
            return write_run_page(run, items, dataset if known else None, self._settings.offsets)

    def quality(self, dataset_id: str) -> DatasetQuality | None:
        """Checked at the first question, and then known; None while a large dataset is being checked."""
        with self._lock:
            if dataset_id not in self._checking:
                thread = threading.Thread(target=self._check, args=(dataset_id,), daemon=True)
                self._checking[dataset_id] = thread
                thread.start()
        self._checking[dataset_id].join(PATIENCE_SECONDS)
        return self._quality.get(dataset_id)

    def _check(self, dataset_id: str) -> None:
        self._quality[dataset_id] = self._checked(self._paths[dataset_id])

    def _checked(self, path: str) -> DatasetQuality:
        """The dataset is opened once more for it: pages need the other, and a large one takes minutes."""
        counts: Counter[str] = Counter()
        issues: list[DatasetIssue] = []
        problem = None
        try:
            with open_dataset(path, self._settings) as dataset:
                for one in check_quality(dataset, self._settings.offsets):
                    counts[one.code] += 1
                    if counts[one.code] <= LISTED:
                        name = QUALITY_CODES[one.code].name
                        issues.append(
                            DatasetIssue(one.code, name, one.severity, one.message, one.pointer, one.query_id)
                        )
        except (PinciteError, OSError) as error:
            problem = str(error)
        totals: Counter[str] = Counter()
        for code, count in counts.items():
            totals[QUALITY_CODES[code].severity] += count
        by_code = dict(sorted(counts.items()))
        return DatasetQuality(by_code, totals["error"], totals["warning"], totals["note"], issues, problem)


def _query_of(dataset: Dataset, item: ItemResult) -> EvaluationQuery | None:
    """The query at the item's place; looked for where the dataset has changed or only a part was run."""
    at_place = next(islice(dataset.queries(), item.position, None), None)
    if at_place is not None and at_place.query_id == item.query_id:
        return at_place
    return next((query for query in dataset.queries() if query.query_id == item.query_id), None)
