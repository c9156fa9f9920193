"""Gold spans from the words alone: a citation that only quotes its source is given its place."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, structs

from pincite.datasets.documents import document_of, library_of
from pincite.datasets.formats import CitationSpan, EvaluationDataset, EvaluationQuery, SourceDocument
from pincite.datasets.quality import quoted
from pincite.datasets.record import from_plain
from pincite.records import Source
from pincite.sources import Library, locate_quote, page_of, page_span


class Filled(Struct, frozen=True):
    """A dataset whose spans were filled in, and what could not be."""

    dataset: EvaluationDataset
    spans: int
    """Citations that were given their place."""
    problems: tuple[str, ...]
    """Citations that still have none, and why."""


def with_documents(dataset: EvaluationDataset, sources: Sequence[Source]) -> EvaluationDataset:
    """The dataset and the documents that it did not have yet."""
    known = library_of(dataset.documents)
    new = [source for source in sources if source.text.strip() and not known.find(source.name)]
    made = [from_plain(SourceDocument, document_of(source)) for source in new]
    return structs.replace(dataset, documents=(*dataset.documents, *made))


def fill_spans(dataset: EvaluationDataset) -> Filled:
    """The dataset with offsets, and the page if there are some, for citations that have `context_text` alone.

    A place is taken only where the words appear exactly once, spacing and quotation marks aside. Offsets that
    are there are kept.
    """
    filler = _Filler(library_of(dataset.documents), dataset.offsets == "page")
    queries = tuple(filler.query(query) for query in dataset.queries)
    return Filled(structs.replace(dataset, queries=queries), filler.spans, tuple(filler.problems))


class _Filler:
    def __init__(self, library: Library, by_page: bool) -> None:
        self._library, self._by_page = library, by_page
        self.spans = 0
        self.problems: list[str] = []

    def query(self, query: EvaluationQuery) -> EvaluationQuery:
        sets = [
            tuple(self._filled(span, query.query_id) for span in spans)
            for spans in (query.citations or (), *query.alternative_citations)
        ]
        first = None if query.citations is None else sets[0]
        return structs.replace(query, citations=first, alternative_citations=tuple(sets[1:]))

    def _filled(self, span: CitationSpan, query_id: str) -> CitationSpan:
        words = (span.context_text or "").strip()
        if span.start_char is not None or span.end_char is not None or not words:
            return span
        found = self._library.find(span.document)
        if len(found) != 1:
            many = f"{len(found)} documents are" if found else "no document is"
            self.problems.append(f"{query_id}: {many} called {quoted(span.document)}")
            return span
        source = found[0]
        matches = [match for match in locate_quote(words, source) if _letters(match.text) == _letters(words)]
        if span.page_number is not None:
            matches = [one for one in matches if page_of(source, one.start) in (None, span.page_number)]
        if len(matches) != 1:
            often = f"appears {len(matches)} times" if matches else "is not"
            self.problems.append(f"{query_id}: {quoted(words)} {often} in {source.name}")
            return span
        self.spans += 1
        match = matches[0]
        page = page_of(source, match.start)
        of_page = page_span(source, page) if page is not None and self._by_page else None
        begin = of_page.start if of_page is not None else 0
        return structs.replace(
            span, page_number=page, start_char=match.start - begin, end_char=match.end - begin
        )


def _letters(text: str) -> list[str]:
    """What must be the same: everything but spacing and marks."""
    return [character for character in text if character.isalnum()]
