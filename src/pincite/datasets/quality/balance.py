"""How the queries of a dataset spread over its classes, how many wait for a review, and whether what the
dataset says of itself is so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from pincite.datasets.formats.records import CLASSES, EvaluationQuery
from pincite.datasets.quality.codes import QualityIssue, issue, quoted

MOST_SHARE = 0.8
"""Above this share of one class, an average over the dataset is hardly more than that class."""
ENOUGH = 20
"""With fewer queries no share says anything."""
UNREVIEWED = "unreviewed"
"""The `review_status` of a draft."""
MOST_CLASSES = 1000
_MOST = 1e300
LENGTH_ALLOWANCE = 0.5


class Balance:
    """Counts classes, lengths and reviews while the queries go by."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str | None]] = {name: Counter() for name in CLASSES}
        self._queries = 0
        self._characters = 0
        self._unreviewed = 0

    def add(self, query: EvaluationQuery) -> None:
        self._queries += 1
        self._characters += len(query.query_text)
        self._unreviewed += query.metadata.get("review_status") == UNREVIEWED
        for name, counts in self._counts.items():
            given = getattr(query, name)
            kept = given if given in counts or len(counts) < MOST_CLASSES else None
            counts[kept] += 1

    def issues(self, metadata: Mapping[str, Any]) -> Iterator[QualityIssue]:
        if not self._queries:
            yield issue("DQ602", "/queries", "the dataset has no queries")
            return
        for name, counts in self._counts.items():
            yield from self._class_issues(name, counts)
        yield from self._metadata_issues(metadata)
        if self._unreviewed:
            said = f"{self._unreviewed:,} of {self._queries:,} queries are unreviewed drafts"
            yield issue("DQ603", "/queries", said)

    def _class_issues(self, name: str, counts: Counter[str | None]) -> Iterator[QualityIssue]:
        without = counts[None]
        labelled = self._queries - without
        if not labelled:
            yield issue("DQ502", "/queries", f"no query has a {name}")
            return
        if without:
            yield issue("DQ502", "/queries", f"{without:,} of {self._queries:,} queries have no {name}")
        missing = [one for one in CLASSES[name] if not counts[one]]
        if missing:
            yield issue("DQ502", "/queries", f"no query has the {name} {' or '.join(missing)}")
        largest, count = max(((one, n) for one, n in counts.items() if one is not None), key=lambda kv: kv[1])
        if labelled >= ENOUGH and count > MOST_SHARE * labelled:
            share = f"{count:,} of {labelled:,} queries ({count / labelled:.0%})"
            yield issue("DQ501", "/queries", f"{share} have the {name} {quoted(largest)}")

    def _metadata_issues(self, metadata: Mapping[str, Any]) -> Iterator[QualityIssue]:
        size = metadata.get("size")
        if _is_number(size) and size != self._queries:
            said = f"metadata.size is {size:,}, but there are {self._queries:,} queries"
            yield issue("DQ601", "/metadata/size", said)
        length = metadata.get("avg_query_length")
        mean = self._characters / self._queries
        if not _is_number(length):
            return
        length = max(-_MOST, min(length, _MOST))  # a whole number may be larger than any float
        if abs(length - mean) > LENGTH_ALLOWANCE + 0.01 * mean:
            said = f"metadata.avg_query_length is {length:g}, but queries average {mean:.1f} characters"
            yield issue("DQ601", "/metadata/avg_query_length", said)


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
