"""Cited pages of documents whose text has no page breaks: refuted where a document counts its pages."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.datasets.library import page_count
from pincite.datasets.quality.codes import QualityIssue, issue
from pincite.records import Source


class UnmappedPages:
    """Judges cited pages while the queries go by. Those that nothing can confirm or refute are counted."""

    def __init__(self) -> None:
        self._unverified = 0

    def judge(self, page: int, source: Source, pointer: str, query_id: str) -> Iterator[QualityIssue]:
        count = page_count(source)
        if count is None or 1 <= page <= count:
            self._unverified += 1
            return
        said = f"{source.name} has {count} pages, as it says itself; page {page} was cited"
        yield issue("DQ303", pointer, said, query_id)

    def issues(self) -> Iterator[QualityIssue]:
        if self._unverified:
            which = "citation names a page" if self._unverified == 1 else "citations name pages"
            said = f"{self._unverified:,} {which} where the text has no page breaks: they were not checked"
            yield issue("DQ306", "/queries", said)
