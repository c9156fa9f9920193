"""What several people annotated, read from files by query and by person, and merged into a dataset.

A folder has one folder per person (`annotator_001/*.json`), or ground-truth files that name their annotators.
An annotation that is in several files counts once. A person who annotated the same query twice did so blindly
a second time; the later one is kept apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from pincite.datasets import (
    AnswerQualityAnnotation,
    CitationAnnotation,
    CitationSpan,
    EvaluationDataset,
    annotation_parts,
    library_of,
)
from pincite.errors import InputError
from pincite.metrics import unite
from pincite.records import Span
from pincite.sources import Library

Annotated = CitationAnnotation | AnswerQualityAnnotation
Marked = dict[Any, list[Span]]
"""The marked spans of each document, or of each page where offsets count from pages."""

DECIDED, AGREED = "adjudicated", "agreed"
"""The `review_status` of what a third person decided, and of what was merged because people agreed."""
ENDINGS = (".json", ".yaml", ".yml", ".json.gz", ".yaml.gz", ".json.zst", ".yaml.zst")
MOST_FILES = 100_000


class Annotations(Struct, frozen=True):
    """Everything that was annotated."""

    annotators: tuple[str, ...]
    queries: tuple[str, ...]
    """Every query that anybody annotated, in order of their ids."""
    spans: dict[str, dict[str, Marked]]
    """What each person would cite, by query and person."""
    again: dict[str, dict[str, Marked]]
    """The same, where a person annotated a query a second time."""
    ratings: dict[str, dict[str, dict[str, str]]]
    """Categories (`aspect_ratings`) by question, query and person."""
    marks: dict[str, dict[str, dict[str, float]]]
    """Numbers (`quality_scores`, `overall_score`) by question, query and person."""
    left_out: int = 0
    """Citations without offsets, which have no characters to compare."""


def read_annotations(given: Iterable[Path], by_page: bool = False) -> Annotations:
    """The annotations of files and folders. `by_page` says that offsets count from the start of a page."""
    found = each_annotation(given)
    if not found:
        raise InputError("there are no annotations: name a folder with a folder for each annotator")
    return arrange(found, by_page)


def is_reviewed(one: Annotated) -> bool:
    """Whether this came of other annotations: it is no opinion of its own, to be compared with them."""
    return one.metadata.get("review_status") in (DECIDED, AGREED)


def arrange(given: Iterable[tuple[str, Annotated]], by_page: bool = False) -> Annotations:
    """Annotations with who made them, the earliest first, by query and by person."""
    found = [(who, one) for who, one in given if not is_reviewed(one)]
    cited = [(who, one) for who, one in found if isinstance(one, CitationAnnotation)]
    rated = [(who, one) for who, one in found if isinstance(one, AnswerQualityAnnotation)]
    spans, again, left_out = marked_spans(cited, by_page)
    ratings, marks = _ratings(rated)
    annotators = tuple(sorted({annotator for annotator, _ in found}))
    queries = tuple(sorted({one.query_id for _, one in found}))
    return Annotations(annotators, queries, spans, again, ratings, marks, left_out)


def each_annotation(given: Iterable[Path]) -> list[tuple[str, Annotated]]:
    """Every annotation with who made it, the earliest first; one that is in several files once."""
    from pincite.datasets import read_plain

    found: list[tuple[str, Annotated]] = []
    known: set[tuple[str, str]] = set()
    for path, folder in _files(given):
        for where, plain in _listed(read_plain(path, "ground_truth")[0], str(path)):
            try:
                parts = annotation_parts(plain)
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
            annotator, annotation = parts[0].annotator_id or folder, parts[0].annotation_id
            if annotator is None:
                raise InputError(
                    f"{where}: no annotator_id says who annotated this; "
                    "write it, or give each annotator a folder and pass the folder that contains them"
                )
            if (annotator, annotation) not in known:
                known.add((annotator, annotation))
                found += [(annotator, part) for part in parts]
    # A second annotation is the later one, whatever order the files are in.
    return sorted(found, key=lambda one: one[1].timestamp or "")


def _listed(value: Any, file: str) -> Iterator[tuple[str, Any]]:
    """Each annotation of a file with its place: those of a ground truth, of a list, or the only one."""
    pointer, listed = "", value
    if isinstance(value, dict):
        if "annotations" not in value:
            yield file, value
            return
        pointer, listed = "/annotations", value["annotations"]
    if not isinstance(listed, list):
        raise InputError(f"{file}: expected an annotation, or a list of them in `annotations`")
    for index, plain in enumerate(listed):
        yield f"{file}: {pointer}/{index}", plain


def _files(given: Iterable[Path]) -> Iterator[tuple[Path, str | None]]:
    """Each file with the name of the annotator's folder that it lies in.

    One folder given by itself may hold files of several people; of several, each is somebody's.
    """
    paths = list(given)
    several = sum(path.is_dir() for path in paths) > 1
    count = 0
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder")
        if not path.is_dir():
            yield path, None
            continue
        inside = path.resolve()
        for file in sorted(path.rglob("*")):
            if not file.is_file() or not file.name.lower().endswith(ENDINGS) or file.name.startswith("."):
                continue
            if not file.resolve().is_relative_to(inside):
                continue  # a link must not lead to files elsewhere
            count += 1
            if count > MOST_FILES:
                raise InputError(f"{path}: more than {MOST_FILES:,} files; put annotations together in fewer")
            named = file.parent != path or several or path.name.startswith("annotator")
            yield file, (file.parent.name or inside.name) if named else None


def marked_spans(
    cited: list[tuple[str, CitationAnnotation]], by_page: bool
) -> tuple[dict[str, dict[str, Marked]], dict[str, dict[str, Marked]], int]:
    """What each person marked, by query and person; the same of a second time; and how many have no place."""
    names = {span.document for _, one in cited for span in one.citations}
    keys, _ = unite(names)
    spans: dict[str, dict[str, Marked]] = {}
    again: dict[str, dict[str, Marked]] = {}
    left_out = 0
    for annotator, one in cited:
        marked: Marked = {}
        for span in one.citations:
            if span.start_char is None or span.end_char is None:
                left_out += 1
                continue
            document = keys[span.document]
            place = (document, span.page_number) if by_page else document
            marked.setdefault(place, []).append(Span(span.start_char, span.end_char))
        first = spans.setdefault(one.query_id, {})
        (again.setdefault(one.query_id, {}) if annotator in first else first)[annotator] = marked
    return spans, again, left_out


def _ratings(
    rated: list[tuple[str, AnswerQualityAnnotation]],
) -> tuple[dict[str, dict[str, dict[str, str]]], dict[str, dict[str, dict[str, float]]]]:
    """Of somebody who rated twice the first rating is taken, as with spans."""
    ratings: dict[str, dict[str, dict[str, str]]] = {}
    marks: dict[str, dict[str, dict[str, float]]] = {}
    for annotator, one in rated:
        for question, category in one.aspect_ratings.items():
            if isinstance(category, str | int | bool):
                of_query = ratings.setdefault(question, {}).setdefault(one.query_id, {})
                of_query.setdefault(annotator, str(category))
        scores = {**one.quality_scores, "overall_score": one.overall_score}
        for question, score in scores.items():
            if score is not None and abs(score) < float("inf"):
                scored = marks.setdefault(question, {}).setdefault(one.query_id, {})
                scored.setdefault(annotator, float(score))
    return ratings, marks


# --- merged: the characters that most people marked --------------------------------------------------


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
