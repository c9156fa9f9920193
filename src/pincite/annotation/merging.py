"""Merge what people annotated into a dataset's `citations`: the characters that most of them marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from msgspec import Struct, structs

from pincite.annotation.annotations import each_annotation, is_reviewed
from pincite.datasets import CitationAnnotation, CitationSpan, EvaluationDataset, library_of
from pincite.metrics import unite
from pincite.sources import Library


class MergedAnnotations(Struct, frozen=True):
    """A dataset with merged citations, and how many queries were left as they were."""

    dataset: EvaluationDataset
    merged: int
    """Queries that got their citations from annotations."""
    kept: int = 0
    """Annotated queries that had citations already, which stay."""
    too_few: int = 0
    """Queries of fewer annotators than `min_annotators`."""
    unknown: tuple[str, ...] = ()
    """Annotated queries that the dataset does not have."""
    left_out: int = 0
    """Annotated citations without offsets, which cannot be merged."""


def merge_annotations(
    dataset: EvaluationDataset, given: Iterable[Path], min_annotators: int = 2
) -> MergedAnnotations:
    """The dataset, with `citations` for each query that enough people annotated and that has none yet.

    A character is cited where more than half of a query's annotators marked it. Of somebody who annotated a
    query twice, the first annotation counts. What a third person decided takes the place of all others.
    """
    people: dict[str, dict[str, Sequence[CitationSpan]]] = {}
    decided: dict[str, Sequence[CitationSpan]] = {}
    for annotator, one in each_annotation(given):
        if isinstance(one, CitationAnnotation) and is_reviewed(one):
            decided[one.query_id] = one.citations
        elif isinstance(one, CitationAnnotation):
            people.setdefault(one.query_id, {}).setdefault(annotator, one.citations)
    library, by_page = library_of(dataset.documents), dataset.offsets == "page"
    queries, merged, kept, too_few = [], 0, 0, 0
    for query in dataset.queries:
        alone = decided.get(query.query_id)
        marked = people.get(query.query_id) if alone is None else {"": alone}
        if marked is None:
            pass  # nobody annotated it
        elif query.citations:
            kept += 1
        elif alone is None and len(marked) < min_annotators:
            too_few += 1
        else:
            merged += 1
            query = structs.replace(query, citations=agreed_citations(marked, library, by_page))
        queries.append(query)
    known = {query.query_id for query in dataset.queries}
    without = [
        span for marked in people.values() for spans in marked.values() for span in spans if not _placed(span)
    ]
    return MergedAnnotations(
        structs.replace(dataset, queries=tuple(queries)),
        merged,
        kept,
        too_few,
        tuple(sorted((set(people) | set(decided)) - known)),
        len(without),
    )


def _placed(span: CitationSpan) -> bool:
    return span.start_char is not None and span.end_char is not None


def agreed_citations(
    people: Mapping[str, Sequence[CitationSpan]], library: Library, by_page: bool
) -> tuple[CitationSpan, ...]:
    """What more than half of these people would cite, character by character."""
    placed = [(annotator, span) for annotator, spans in people.items() for span in spans if _placed(span)]
    keys, _ = unite({span.document for _, span in placed})

    def place(one: tuple[str, CitationSpan]) -> tuple[tuple[str, ...], int]:
        return keys[one[1].document], (one[1].page_number or 0) if by_page else 0

    agreed: list[CitationSpan] = []
    for _, found in groupby(sorted(placed, key=place), place):
        spans = list(found)
        for start, end in _majority(spans, len(people)):
            agreed.append(_span([span for _, span in spans], start, end, library, by_page))
    return tuple(agreed)


def _majority(spans: Sequence[tuple[str, CitationSpan]], people: int) -> list[tuple[int, int]]:
    """The runs of characters that more than half of the people marked."""
    edges = sorted({edge for _, span in spans for edge in (span.start_char or 0, span.end_char or 0)})
    runs: list[tuple[int, int]] = []
    for start, end in pairwise(edges):
        marked_by = {
            annotator
            for annotator, span in spans
            if (span.start_char or 0) <= start and end <= (span.end_char or 0)
        }
        if 2 * len(marked_by) <= people:
            continue
        if runs and runs[-1][1] == start:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _span(
    spans: Sequence[CitationSpan], start: int, end: int, library: Library, by_page: bool
) -> CitationSpan:
    """The document by the name that most people use, with the cited words where the text is at hand."""
    touching = [span for span in spans if (span.start_char or 0) < end and start < (span.end_char or 0)]
    name = Counter(span.document for span in touching).most_common(1)[0][0]
    pages = [span.page_number for span in touching if span.page_number is not None]
    sources = library.find(name)
    words = sources[0].text[start:end] if len(sources) == 1 and not by_page else None
    return CitationSpan(
        file_name=name,
        page_number=min(pages, default=None),
        start_char=start,
        end_char=end,
        context_text=words or None,
    )
