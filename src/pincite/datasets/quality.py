"""What a quality check can say of a dataset, and what it looks at in each query's documents and spans.

docs/dataset-quality.md lists the codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from pincite.datasets.documents import page_count
from pincite.datasets.formats import CitationSpan, EvaluationQuery
from pincite.datasets.record import from_plain
from pincite.datasets.schema import step
from pincite.errors import InputError
from pincite.records import EvidenceStatus, Severity, Source, SpanTarget
from pincite.sources import Library, locate_quote, resolve
from pincite.text import normalise


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


Offsets = Literal["document", "page"]

_CODES: dict[EvidenceStatus, str] = {
    "out_of_bounds": "DQ301",
    "bad_span": "DQ302",
    "no_such_page": "DQ303",
    "page_disagrees": "DQ304",
}
_CUT_OFF = re.compile(r"\A(?:…|\.\.\.)\s*+(?:(?:…|\.\.\.)\Z)?|(?<!\s)\s*+(?:…|\.\.\.)\Z")
_QUOTES = ("context_text", "text", "excerpt")
"""Fields in which a citation repeats words of its source."""
_DEEPEST = 6
_NEAR_NAMES, _SEARCHES = 50, 1000
"""How often it is worth looking for what was meant: a dataset with a million wrong spans has one mistake in
common, not a million."""
_LONGEST_QUOTE = 2000
"""Characters of a quote that is looked for elsewhere; a whole document in its place would take long."""

Said = tuple[str, str, str]
"""A code, a pointer and a message."""


class CitationChecks:
    """Checks the documents and spans of one query after the other, and counts pages that nothing confirms."""

    def __init__(self, offsets: Offsets) -> None:
        self._offsets: Offsets = offsets
        self._names, self._searches = _NEAR_NAMES, _SEARCHES
        self._unverified = 0

    def issues(self, query: EvaluationQuery, pointer: str, library: Library | None) -> Iterator[QualityIssue]:
        """What is wrong with the documents that a query names and the spans in them.

        Without a library, only spans that no document could have.
        """
        for code, at, said in self._all(query, pointer, library):
            yield issue(code, at, said, query.query_id)

    def unverified_pages(self) -> Iterator[QualityIssue]:
        """How many cited pages nothing could confirm or refute."""
        if self._unverified:
            which = "citation names a page" if self._unverified == 1 else "citations name pages"
            said = f"{self._unverified:,} {which} where the text has no page breaks: they were not checked"
            yield issue("DQ306", "/queries", said)

    def _all(self, query: EvaluationQuery, pointer: str, library: Library | None) -> Iterator[Said]:
        relevant: dict[str, str] = {}
        for place, (name, grade) in enumerate((query.relevant or {}).items() if library else ()):
            found = library.find(name) if library else ()
            if len(found) != 1:
                key = name if isinstance(query.relevant_documents, dict) else place
                yield self._not_one(name, found, f"{pointer}/relevant_documents{step(key)}", library, "DQ201")
            elif grade > 0:  # 0 says that somebody looked and found it not relevant
                relevant[found[0].name] = name
        cited: dict[str, str] = {}
        for at, span in every_citation(query, pointer):
            yield from _impossible(span, at)
            if library is None:
                continue
            found = library.find(span.document)
            if len(found) != 1:
                yield self._not_one(span.document, found, at, library, "DQ202")
                continue
            cited.setdefault(found[0].name, at)
            yield from self._span(span, at, found[0], library)
        if query.citations is None or library is None:
            return
        for name, written in relevant.items():
            if name not in cited:
                yield "DQ401", pointer, f"{quoted(written)} is relevant but not cited"
        for name, at in cited.items() if query.relevant is not None else ():
            if name not in relevant:
                yield "DQ402", at, f"{quoted(name)} is cited but not relevant"

    def _not_one(
        self, name: str, found: tuple[Source, ...], pointer: str, library: Library | None, missing: str
    ) -> Said:
        if found:
            fitting = ", ".join(source.name for source in found[:4])
            return "DQ203", pointer, f"{quoted(name)} fits {len(found)} documents: {fitting}"
        if not name:
            return missing, pointer, "the citation names no document"
        self._names -= 1
        near = library.near(name, 1) if library and self._names >= 0 else ()
        hint = f"; did you mean {near[0]}?" if near else ""
        return missing, pointer, f"there is no document {quoted(name)}{hint}"

    def _span(self, span: CitationSpan, pointer: str, source: Source, library: Library) -> Iterator[Said]:
        start, end, page = span.start_char, span.end_char, span.page_number
        if start is None or end is None:
            start = end = None  # a citation of a page or of a whole document
        elif start < 0 or end <= start:
            return  # reported already, as a span that no document could have
        evidence = resolve(SpanTarget(source.name, page, start, end, ""), library, offsets=self._offsets)
        if evidence.status in _CODES:
            yield _CODES[evidence.status], pointer, evidence.reason
        if page is not None and evidence.page_verified is False:
            count = page_count(source)
            if count is None or 1 <= page <= count:
                self._unverified += 1
            else:
                said = f"{source.name} has {count} pages, as it says itself; page {page} was cited"
                yield "DQ303", pointer, said
        if evidence.passages and not evidence.whole:
            passage = evidence.passages[0]
            yield from self._excerpts(span, pointer, source, passage.start, passage.end)

    def _excerpts(
        self, span: CitationSpan, pointer: str, source: Source, start: int, end: int
    ) -> Iterator[Said]:
        for field in _QUOTES:
            words = span.context_text if field == "context_text" else span.extra.get(field)
            words = _CUT_OFF.sub("", words.strip()) if isinstance(words, str) else ""
            # `context_text` may be what surrounds the span; the other fields are the cited words themselves.
            if words and not _stands(words, source.text, start, end, field == "context_text"):
                said = f"{field} {quoted(words)} is not at {start}-{end}, which reads "
                said += f"{quoted(source.text[start:end])}{self._elsewhere(words, source)}"
                yield "DQ305", f"{pointer}{step(field)}", said

    def _elsewhere(self, words: str, source: Source) -> str:
        self._searches -= 1
        if self._searches < 0 or len(words) > _LONGEST_QUOTE:
            return ""
        matches = locate_quote(words, source, 1)
        if not matches:
            return f"; it is nowhere in {source.name}"
        nearly = "nearly so " if matches[0].method == "fuzzy" else ""
        return f"; it is {nearly}at {matches[0].start}-{matches[0].end}"


def every_citation(query: EvaluationQuery, pointer: str = "") -> Iterator[tuple[str, CitationSpan]]:
    """Every citation of a query with its pointer: expected ones, alternatives, and those nested deeper."""
    for index, span in enumerate(query.citations or ()):
        yield from _with_nested(span, f"{pointer}/citations/{index}")
    for group, spans in enumerate(query.alternative_citations):
        for index, span in enumerate(spans):
            yield from _with_nested(span, f"{pointer}/alternative_citations/{group}/{index}")
    yield from _nested(query.extra, pointer, 0)


def named_documents(query: EvaluationQuery) -> set[str]:
    """Every name by which a query speaks of a document."""
    return set(query.relevant or {}) | {span.document for _, span in every_citation(query) if span.document}


def _with_nested(span: CitationSpan, pointer: str) -> Iterator[tuple[str, CitationSpan]]:
    """A citation that only holds others is none itself."""
    inner = list(_nested(span.extra, pointer, 0)) if span.extra else []
    if span.document or not inner:
        yield pointer, span
    yield from inner


def _nested(value: Any, pointer: str, depth: int) -> Iterator[tuple[str, CitationSpan]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        if "start_char" in value and "end_char" in value:
            try:
                yield pointer, from_plain(CitationSpan, value)
            except InputError:
                return  # `data check` says what is wrong with its fields
        for key, inner in value.items():
            yield from _nested(inner, pointer + step(str(key)), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _nested(inner, f"{pointer}/{index}", depth + 1)


def _impossible(span: CitationSpan, pointer: str) -> Iterator[Said]:
    start, end = span.start_char, span.end_char
    if start is None or end is None:
        return
    if start < 0:
        yield "DQ301", pointer, f"the span {start}-{end} begins below 0"
    elif end <= start:
        what = "is empty" if end == start else "ends before it starts"
        yield "DQ302", pointer, f"the span {start}-{end} {what}"


def _stands(words: str, text: str, start: int, end: int, as_context: bool) -> bool:
    """Whether the words are at the span, or around or inside it where they are its context."""
    said = text[start:end]
    if words == said or _folded(words) == _folded(said):
        return True
    if not as_context:
        return False
    around = text[max(0, start - len(words)) : end + len(words)]
    wanted, cited = _folded(words), _folded(said)
    return wanted in cited or (cited in wanted and wanted in _folded(around))


def _folded(text: str) -> str:
    return normalise(text, fold_case=True).text.strip()
