"""HAGRID: questions with quotes, and answers that people judged for being informative and attributable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pincite.answers import read_id, read_number
from pincite.datasets.formats import EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry
from pincite.datasets.imports.rows import Row, first, listed, needed_text, objects_in, text_in
from pincite.records import RecordedAnswer


def entries_of(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    """An entry an answer: the second answer to query 7 is that of query `7#2`."""
    for place, row in rows:
        query_id = read_id(first(row, "query_id", "id"))
        quotes = tuple(_quote(given, there) for there, given in objects_in(row, "quotes", place))
        answers = [given for _, given in objects_in(row, "answers", place)]
        good = (one for one in answers if one.get("informative") == 1 and one.get("attributable") == 1)
        accepted = next(good, None)
        for number, answer in enumerate(answers or [{}], 1):
            suffix = "" if number == 1 else f"#{number}"
            yield ImportedEntry(
                place=place,
                query=EvaluationQuery(
                    query_id="" if query_id is None else f"{query_id}{suffix}",
                    query_text=needed_text(row, place, "query", "question"),
                    ground_truth_answer=None if accepted is None else text_in(accepted, place, "answer"),
                    conversation_id=query_id if len(answers) > 1 else None,
                    metadata=_labels(answer),
                ),
                relevant=tuple((quote, 1.0) for quote in quotes),
                answer=RecordedAnswer(answer=text_in(answer, place, "answer")) if answer else None,
                retrieved=quotes,
            )


def _quote(given: dict[str, Any], place: str) -> ImportedContext:
    number = read_number(given.get("idx"))
    return ImportedContext(
        text=needed_text(given, place, "text"),
        document_id=read_id(first(given, "docid", "doc_id", "id")),
        number=None if number is None else int(number),
    )


def _labels(answer: dict[str, Any]) -> dict[str, Any]:
    """What people said of an answer, and of each of its sentences."""
    labels = {
        name: answer[name]
        for name in ("informative", "attributable", "answer_type")
        if answer.get(name) is not None
    }
    sentences = [
        {
            name: one[name]
            for name in ("index", "text", "informative", "attributable")
            if one.get(name) is not None
        }
        for one in listed(answer.get("sentences")) or ()
        if isinstance(one, dict)
    ]
    return {**labels, **({"sentences": sentences} if sentences else {})}
