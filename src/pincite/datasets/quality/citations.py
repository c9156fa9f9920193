"""The quality of one query's documents and spans: do they exist, and do they say what they should?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from pincite.datasets.formats.problems import step
from pincite.datasets.formats.records import CitationSpan, EvaluationQuery, from_plain
from pincite.datasets.quality.codes import QualityIssue, issue, quoted
from pincite.datasets.quality.pages import UnmappedPages
from pincite.errors import InputError
from pincite.records import EvidenceStatus, Source, SpanTarget
from pincite.sources.library import Library
from pincite.sources.locate import locate_quote
from pincite.sources.resolve import resolve
from pincite.text.normalise import normalise

Offsets = Literal["document", "page"]

_CODES: dict[EvidenceStatus, str] = {
    "out_of_bounds": "DQ301",
    "bad_span": "DQ302",
    "no_such_page": "DQ303",
    "page_disagrees": "DQ304",
}
_CUT_OFF = re.compile(r"\A(?:…|\.\.\.)\s*|\s*(?:…|\.\.\.)\Z")
_QUOTES = ("context_text", "text", "excerpt")
"""Fields in which a citation repeats words of its source."""
_DEEPEST = 6
_NEAR_NAMES = 50
_SEARCHES = 1000
_LONGEST_QUOTE = 2000
"""Characters of a quote that is looked for elsewhere; a whole document in its place would take long."""


class Hints:
    """What was perhaps meant. Looking for it reads every name or a whole document, so it is done a number of
    times and no more: a dataset with a million wrong spans has one mistake in common, not a million."""

    def __init__(self) -> None:
        self._names = _NEAR_NAMES
        self._searches = _SEARCHES

    def near_name(self, name: str, library: Library) -> str:
        self._names -= 1
        near = library.near(name, 1) if self._names >= 0 else ()
        return f"; did you mean {near[0]}?" if near else ""

    def elsewhere(self, words: str, source: Source) -> str:
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


def impossible_spans(query: EvaluationQuery, pointer: str) -> Iterator[QualityIssue]:
    """The spans of a query that no document could have, told without looking at any."""
    for at, span in every_citation(query, pointer):
        yield from _impossible(span, at, query.query_id)


def citation_issues(
    query: EvaluationQuery,
    pointer: str,
    library: Library,
    offsets: Offsets,
    hints: Hints,
    pages: UnmappedPages,
) -> Iterator[QualityIssue]:
    """What is wrong with the documents that a query names and the spans in them."""
    relevant: dict[str, str] = {}
    for place, (name, grade) in enumerate((query.relevant or {}).items()):
        at = f"{pointer}/relevant_documents{step(name if _is_mapping(query) else place)}"
        found = library.find(name)
        if len(found) == 1:
            if grade > 0:  # 0 says that somebody looked and found it not relevant
                relevant[found[0].name] = name
            continue
        yield _not_one(name, found, at, query.query_id, library, "DQ201", hints)
    cited: dict[str, str] = {}
    for at, span in every_citation(query, pointer):
        yield from _impossible(span, at, query.query_id)
        found = library.find(span.document)
        if len(found) != 1:
            yield _not_one(span.document, found, at, query.query_id, library, "DQ202", hints)
            continue
        cited.setdefault(found[0].name, at)
        yield from _span_issues(span, at, query.query_id, found[0], library, offsets, hints, pages)
    if query.citations is None:
        return
    for name, written in relevant.items():
        if name not in cited:
            yield issue("DQ401", pointer, f"{quoted(written)} is relevant but not cited", query.query_id)
    if query.relevant is not None:
        for name, at in cited.items():
            if name not in relevant:
                yield issue("DQ402", at, f"{quoted(name)} is cited but not relevant", query.query_id)


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
                return  # `data validate` says what is wrong with its fields
        for key, inner in value.items():
            yield from _nested(inner, pointer + step(str(key)), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _nested(inner, f"{pointer}/{index}", depth + 1)


def _is_mapping(query: EvaluationQuery) -> bool:
    return isinstance(query.relevant_documents, dict)


def _not_one(
    name: str,
    found: tuple[Source, ...],
    pointer: str,
    query_id: str,
    library: Library,
    missing: str,
    hints: Hints,
) -> QualityIssue:
    if found:
        fitting = ", ".join(source.name for source in found[:4])
        return issue("DQ203", pointer, f"{quoted(name)} fits {len(found)} documents: {fitting}", query_id)
    if not name:
        return issue(missing, pointer, "the citation names no document", query_id)
    said = f"there is no document {quoted(name)}{hints.near_name(name, library)}"
    return issue(missing, pointer, said, query_id)


def _impossible(span: CitationSpan, pointer: str, query_id: str) -> Iterator[QualityIssue]:
    start, end = span.start_char, span.end_char
    if start is None or end is None:
        return
    if start < 0:
        yield issue("DQ301", pointer, f"the span {start}-{end} begins below 0", query_id)
    elif end <= start:
        what = "is empty" if end == start else "ends before it starts"
        yield issue("DQ302", pointer, f"the span {start}-{end} {what}", query_id)


def _span_issues(
    span: CitationSpan,
    pointer: str,
    query_id: str,
    source: Source,
    library: Library,
    offsets: Offsets,
    hints: Hints,
    pages: UnmappedPages,
) -> Iterator[QualityIssue]:
    start, end = span.start_char, span.end_char
    if start is None or end is None:
        start = end = None  # a citation of a page or of a whole document
    elif start < 0 or end <= start:
        return  # told already, as a span that no document could have
    evidence = resolve(SpanTarget(source.name, span.page_number, start, end, ""), library, offsets=offsets)
    code = _CODES.get(evidence.status)
    if code is not None:
        yield issue(code, pointer, evidence.reason, query_id)
    if span.page_number is not None and evidence.page_verified is False:
        yield from pages.judge(span.page_number, source, pointer, query_id)
    if evidence.passages and not evidence.whole:
        passage = evidence.passages[0]
        yield from _excerpt_issues(span, pointer, query_id, source, passage.start, passage.end, hints)


def _excerpt_issues(
    span: CitationSpan, pointer: str, query_id: str, source: Source, start: int, end: int, hints: Hints
) -> Iterator[QualityIssue]:
    for field in _QUOTES:
        words = span.context_text if field == "context_text" else span.extra.get(field)
        if not isinstance(words, str):
            continue
        words = _CUT_OFF.sub("", words.strip())
        # `context_text` may be what surrounds the span; the other fields are the cited words themselves.
        if not words or _stands(words, source.text, start, end, field == "context_text"):
            continue
        said = f"{field} {quoted(words)} is not at {start}-{end}, which reads "
        said += f"{quoted(source.text[start:end])}{hints.elsewhere(words, source)}"
        yield issue("DQ305", f"{pointer}{step(field)}", said, query_id)


def _stands(words: str, text: str, start: int, end: int, as_context: bool) -> bool:
    """Whether the words stand at the span, or lie round it or inside it where they are its context."""
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
