"""What a quality check can say: a code, how bad it is, and what it means. docs/datasets.md lists them."""

from __future__ import annotations

from msgspec import Struct

from pincite.records import Severity


class QualityCode(Struct, frozen=True):
    """One kind of issue."""

    code: str
    name: str
    severity: Severity
    summary: str


class QualityIssue(Struct, frozen=True):
    """One thing in a dataset that is wrong, or that somebody should look at."""

    code: str
    severity: Severity
    query_id: str | None
    pointer: str
    """A JSON pointer into the dataset's file: `/queries/3/citations/0`."""
    message: str

    def __str__(self) -> str:
        whose = f" (query {self.query_id})" if self.query_id else ""
        return f"{self.code} {self.severity}: {self.message}{whose}, at {self.pointer}"


QUALITY_CODES = {
    one.code: one
    for one in (
        QualityCode("DQ101", "duplicate-query-id", "error", "two queries have the same id"),
        QualityCode("DQ102", "empty-query", "error", "a query has no text"),
        QualityCode("DQ103", "repeated-query", "warning", "two queries ask the same in the same words"),
        QualityCode("DQ104", "near-duplicate-query", "warning", "two queries ask nearly the same"),
        QualityCode("DQ105", "leaked-answer", "warning", "a query holds its own answer"),
        QualityCode("DQ200", "no-documents", "note", "the dataset has no documents to check spans against"),
        QualityCode("DQ201", "missing-document", "error", "a relevant document is not in the dataset"),
        QualityCode("DQ202", "missing-cited-document", "error", "a cited document is not in the dataset"),
        QualityCode("DQ203", "ambiguous-document", "error", "a name fits several documents"),
        QualityCode("DQ204", "duplicate-document-id", "error", "two documents have the same id"),
        QualityCode("DQ205", "duplicate-document", "warning", "two documents have the same text"),
        QualityCode("DQ206", "empty-document", "warning", "a document has no text"),
        QualityCode("DQ301", "span-out-of-bounds", "error", "a span reaches past its document, or below 0"),
        QualityCode("DQ302", "reversed-span", "error", "a span ends before it starts, or is empty"),
        QualityCode("DQ303", "missing-page", "error", "a span names a page that its document does not have"),
        QualityCode("DQ304", "page-disagrees", "error", "a span is on another page than it says"),
        QualityCode("DQ305", "excerpt-mismatch", "error", "the quoted words are not at the span"),
        QualityCode("DQ306", "unverified-page", "note", "whether a cited page is right cannot be checked"),
        QualityCode("DQ401", "relevant-not-cited", "warning", "a relevant document is not cited"),
        QualityCode("DQ402", "cited-not-relevant", "note", "a cited document is not listed as relevant"),
        QualityCode("DQ501", "unbalanced-classes", "warning", "nearly all queries are of one class"),
        QualityCode("DQ502", "missing-class", "note", "a class has no query, or queries have no class"),
        QualityCode(
            "DQ601", "wrong-metadata", "warning", "the dataset's metadata is wrong about the dataset"
        ),
        QualityCode("DQ602", "no-queries", "error", "the dataset has no queries"),
        QualityCode("DQ603", "unreviewed-queries", "warning", "queries are unreviewed drafts"),
    )
}


def issue(code: str, pointer: str, message: str, query_id: str | None = None) -> QualityIssue:
    """An issue with the severity of its code."""
    return QualityIssue(code, QUALITY_CODES[code].severity, query_id, pointer, message)


def quoted(text: str, most: int = 60) -> str:
    """A text in quotation marks, on one line and cut short."""
    flat = " ".join(text[: 4 * most].split())
    return f"“{flat}”" if len(flat) <= most and len(text) <= 4 * most else f"“{flat[:most]}…”"
