"""A person's finished work as files: document 001's `.gt.json`, and verdicts as rows of labels.

They are written anew with each change, whole or not at all, so that they can be read at any time. What files
say, known answers among it, is read back into the form in which people give theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from pincite.annotation.annotations import DECIDED, Annotated
from pincite.annotation.change_log import ItemState
from pincite.annotation.documents import Documents
from pincite.annotation.labels import VERDICTS, says_yes
from pincite.annotation.responses import AnswerResponse, SpanMark, SpanResponse, VerdictResponse, plain
from pincite.annotation.tasks import ItemKey, Items, PairItem, read_key
from pincite.annotation.verdicts import KEPT
from pincite.datasets import (
    AnnotatedSpan,
    AnswerQualityAnnotation,
    CitationAnnotation,
    CitationSpan,
    EvaluationQuery,
    GroundTruth,
    read_plain,
    read_rows,
    to_plain,
    write_json,
    write_whole,
)
from pincite.records import Source, Span
from pincite.sources import file_name, page_of, page_span
from pincite.stats import span_jaccard

VERDICT_FILE = "verdicts.jsonl"

RowKey = tuple[str, str]
"""The pair and the round of a verdict."""


def finished(states: Mapping[str, ItemState]) -> Iterator[tuple[ItemKey, ItemState]]:
    """The items that count: done, and not for practice. An item's first annotation goes first."""
    rounds = {"first": 0, "again": 1, "decide": 2}
    found = [(read_key(key), state) for key, state in states.items() if state.done]
    yield from sorted(
        ((key, state) for key, state in found if key.round != "train"),
        key=lambda one: (rounds[one[0].round], one[1].done_at),
    )


def annotation_of(
    person: str,
    key: ItemKey,
    state: ItemState,
    documents: Documents,
    by_page: bool,
    answer: str | None = None,
) -> Annotated:
    """What a person said about a query, as a record of document 001."""
    metadata: dict[str, Any] = {"annotation_time_seconds": round(state.seconds, 1)}
    if key.round == "decide":
        metadata["review_status"] = DECIDED
    about: dict[str, Any] = {
        "annotation_id": annotation_id(person, key),
        "query_id": key.id,
        "annotator_id": person,
        "timestamp": state.done_at,
        "metadata": metadata,
    }
    if key.kind == "answers":
        marks = msgspec.convert(state.said, AnswerResponse)
        overall = sum(marks.scores.values()) / len(marks.scores) if marks.scores else None
        return AnswerQualityAnnotation(
            **about,
            answer_text=answer,
            quality_scores=dict(marks.scores),
            overall_score=None if overall is None else round(overall, 4),
            feedback={"notes": marks.note} if marks.note else {},
        )
    said = msgspec.convert(state.said, SpanResponse)
    if said.note:
        metadata["notes"] = said.note
    made, *others = [tuple(spans_of_marks(one, said, documents, by_page)) for one in said.sets]
    extra: dict[str, Any] = {}
    if others:
        extra["alternative_citations"] = [[to_plain(span) for span in one] for one in others]
    if said.relevance:
        extra["relevant_documents"] = [
            {"document_id": _id_of(documents.get(name), name), "relevance": grade}
            for name, grade in sorted(said.relevance.items())
        ]
    return CitationAnnotation(
        **about, citations=made, quality_checks={"span_bounds": "verified"} if made else {}, extra=extra
    )


def annotation_id(person: str, key: ItemKey) -> str:
    return f"{key.kind}/{person}/{key.id}" + ("" if key.round == "first" else f"/{key.round}")


def written_before(path: Path) -> tuple[dict[str, Any], dict[RowKey, dict[str, Any]]]:
    """What a person's files have: annotations by their ids, and verdicts. They may be of other items."""
    verdicts = path.with_name(VERDICT_FILE)
    annotations = read_plain(path, "ground_truth")[0].get("annotations", ()) if path.exists() else ()
    rows = [row for _, row in read_rows(verdicts)] if verdicts.exists() else []
    return {one["annotation_id"]: one for one in annotations}, {row_key(row): row for row in rows}


def row_key(row: Mapping[str, Any]) -> RowKey:
    decided = row.get("review_status") == DECIDED
    return str(row.get("id")), "decide" if decided else "again" if row.get("again") else "first"


def spans_of_marks(
    marks: Iterable[SpanMark], said: SpanResponse, documents: Documents, by_page: bool
) -> Iterator[AnnotatedSpan]:
    """Marks as spans of document 001. Where offsets count from pages, one over two pages becomes two."""
    for mark in marks:
        source = documents.get(mark.document)
        if source is None:
            continue  # the dataset has changed since
        name = file_name(source.file_path) if source.file_path else None
        named = documents.find(name) if name else None
        for page, start, end, origin in _parts(source, mark.start, mark.end, by_page):
            yield AnnotatedSpan(
                # Only a name that means this document and no other.
                file_name=name if named is not None and named.name == source.name else None,
                document_id=_id_of(source, mark.document),
                page_number=page,
                start_char=start - origin,
                end_char=end - origin,
                text=source.text[start:end],
                relevance_score=said.relevance.get(mark.document),
                justification=mark.note or None,
            )


def _id_of(source: Source | None, name: str) -> str:
    return (source.document_id if source is not None else None) or name


def _parts(source: Source, start: int, end: int, by_page: bool) -> Iterator[tuple[int | None, int, int, int]]:
    """The pages of a stretch: the page, where the part begins and ends, and where its offsets count from."""
    first = page_of(source, start)
    if not by_page or first is None:
        yield first, start, end, 0
        return
    for page in range(first, (page_of(source, end - 1) or first) + 1):
        span = page_span(source, page)
        if span is not None and max(start, span.start) < min(end, span.end):
            yield page, max(start, span.start), min(end, span.end), span.start


def verdict_row(person: str, key: ItemKey, state: ItemState, pair: PairItem) -> dict[str, Any]:
    """A verdict as a row of labels; `said` has what they said where that is no label."""
    said = msgspec.convert(state.said, VerdictResponse)
    whole = {**pair.row, **pair.judged, "id": pair.id}
    row: dict[str, Any] = {name: whole[name] for name in KEPT if name in whole}
    if said.verdict in VERDICTS:
        row |= {"verdict": said.verdict, "label": int(says_yes(said.verdict, pair.row.get("question")))}
    row |= {"said": said.verdict, "annotator_id": person, "timestamp": state.done_at}
    row["annotation_time_seconds"] = round(state.seconds, 1)
    if said.note:
        row["note"] = said.note
    if key.round == "again":
        row["again"] = True
    if key.round == "decide":
        row["review_status"] = DECIDED
    if state.revised:
        row["revised"] = True  # after the judge's verdict was shown
    return row


def write_person(
    path: Path,
    truth: GroundTruth,
    person: str,
    states: Mapping[str, ItemState],
    items: Items,
    annotate: Callable[[ItemKey, ItemState], Annotated],
) -> None:
    """Write one person's files. Of items that are no part of this work, what the files have stays."""
    work = list(finished(states))
    known: dict[str, Any] = {}
    rows_before: dict[RowKey, dict[str, Any]] = {}
    if not all(items.has(key) for key, _ in work):
        known, rows_before = written_before(path)
    annotations: list[Any] = []
    rows: list[Mapping[str, Any]] = []
    for key, state in work:
        if key.kind == "verdicts" and items.has(key):
            rows.append(verdict_row(person, key, state, items.pairs[key.id]))
        elif key.kind == "verdicts":
            rows += [row for place, row in rows_before.items() if place == (key.id, key.round)]
        elif items.has(key):
            annotations.append(annotate(key, state))
        elif (before := known.get(annotation_id(person, key))) is not None:
            annotations.append(before)
    write_whole(path, write_json(to_plain(structs.replace(truth, annotations=tuple(annotations)))))
    verdicts = path.with_name(VERDICT_FILE)
    if rows or verdicts.exists():
        write_whole(verdicts, b"".join(write_json(dict(row), None) for row in rows))


# --- read back -------------------------------------------------------------------------------------


class KnownAnswer(Struct, frozen=True):
    """The known answer of an item for practice."""

    said: dict[str, Any]
    agreement: float | None
    """The best character-level Jaccard of a person's first set with any known set."""
    unplaced: int = 0
    """Known citations that have no place in the documents, and cannot be shown."""


def compare_with_known(
    query: EvaluationQuery, said: dict[str, Any], documents: Documents, by_page: bool
) -> KnownAnswer:
    """What is known about a query, and how near somebody came to it."""
    given = (query.citations or (), *query.alternative_citations)
    sets = tuple(tuple(marks_of(one, documents, by_page)) for one in given)
    mine = _marked(msgspec.convert(said, SpanResponse).sets[0])
    figures = [figure for one in sets if (figure := span_jaccard(mine, _marked(one))) is not None]
    unplaced = sum(map(len, given)) - sum(map(len, sets))
    known = plain(SpanResponse(sets=sets, nothing=not query.citations))
    return KnownAnswer(known, max(figures, default=None), unplaced)


def marks_of(spans: Iterable[CitationSpan], documents: Documents, by_page: bool) -> Iterable[SpanMark]:
    """Spans of a file as marks; those that have no place in a document are left out."""
    for span in spans:
        source = documents.find(span.document)
        if source is None or span.start_char is None or span.end_char is None:
            continue
        page = page_span(source, span.page_number) if by_page and span.page_number else None
        origin = page.start if page is not None else 0
        start, end = span.start_char + origin, span.end_char + origin
        if 0 <= start < end <= len(source.text):
            note = getattr(span, "justification", None) or ""
            yield SpanMark(source.name, start, end, note)


def response_of_record(one: Any, documents: Documents, by_page: bool) -> dict[str, Any]:
    """What an annotation or a row of a file says, as our own log would have it."""
    if isinstance(one, CitationAnnotation):
        marks = tuple(marks_of(one.citations, documents, by_page))
        return plain(SpanResponse(sets=(marks,), nothing=not one.citations))
    if isinstance(one, AnswerQualityAnnotation):
        scores = {name: mark for name, mark in one.quality_scores.items() if mark is not None}
        return plain(AnswerResponse(scores=scores))
    told = one.get("said") or one.get("verdict")
    known = ("supported", "contradicted", "not_enough", "unsure")
    return plain(VerdictResponse(verdict=told if told in known else None, note=str(one.get("note") or "")))


def _marked(marks: Iterable[SpanMark]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for mark in marks:
        found.setdefault(mark.document, []).append(Span(mark.start, mark.end))
    return found
