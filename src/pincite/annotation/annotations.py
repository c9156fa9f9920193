"""What several people annotated, read from files: spans, categories and marks, by query and by person.

A folder has one folder per person (`annotator_001/*.json`), or ground-truth files that name their annotators.
An annotation that is in several files counts once. A person who annotated the same query twice did so blindly
a second time; the later one is kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.datasets import AnswerQualityAnnotation, CitationAnnotation, annotation_parts
from pincite.errors import InputError
from pincite.metrics import unite
from pincite.records import Span

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
