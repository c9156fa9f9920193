"""Where people who annotated the same item disagree, and what a third person decided.

It works on records and rows as the files have them, so that annotations made elsewhere count alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pincite.annotation.annotations import DECIDED, Annotated, each_annotation, is_reviewed, marked_spans
from pincite.annotation.work.files import VERDICT_FILE
from pincite.annotation.work.said import Kind
from pincite.config import AgreementSettings
from pincite.datasets import AnswerQualityAnnotation, CitationAnnotation, read_rows
from pincite.errors import InputError
from pincite.stats import mean_jaccard

MOST_APART = 0.25
"""Marks for an answer that are further apart than this, one step of five, are a conflict."""


class Told(Struct, frozen=True):
    """What each person said first, by item and person, and what was decided, by item."""

    spans: dict[str, dict[str, CitationAnnotation]] = field(default_factory=dict)
    answers: dict[str, dict[str, AnswerQualityAnnotation]] = field(default_factory=dict)
    verdicts: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    decided: dict[tuple[Kind, str], tuple[str, Any]] = field(default_factory=dict)
    """Who decided, and their annotation or row. The latest decision counts."""

    def of(self, kind: Kind) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = getattr(self, kind)
        return found


class Conflict(Struct, frozen=True):
    """An item on which people disagree."""

    kind: Kind
    id: str
    people: tuple[str, ...]
    why: str
    agreement: float | None = None
    """Of spans, the character-level Jaccard."""
    decided_by: str | None = None


def read_told(paths: Iterable[Path]) -> Told:
    """What the files of a folder of annotations say."""
    given = list(paths)
    rows = [
        row
        for path in given
        for file in (sorted(path.rglob(VERDICT_FILE)) if path.is_dir() else [])
        if file.resolve().is_relative_to(path.resolve())
        for row in read_rows(file)
    ]
    annotated = each_annotation(path for path in given if path.is_dir() or path.name != VERDICT_FILE)
    rows += [row for path in given if path.name == VERDICT_FILE for row in read_rows(path)]
    return tell(annotated, rows)


def tell(annotated: Iterable[tuple[str, Annotated]], rows: Iterable[tuple[str, dict[str, Any]]]) -> Told:
    """Sort what people said. Annotations come the earliest first; of one who spoke twice the first counts."""
    told = Told()
    for person, one in annotated:
        kind: Kind = "spans" if isinstance(one, CitationAnnotation) else "answers"
        if is_reviewed(one):
            if one.metadata["review_status"] == DECIDED:
                told.decided[kind, one.query_id] = person, one
        elif isinstance(one, CitationAnnotation):
            told.spans.setdefault(one.query_id, {}).setdefault(person, one)
        else:
            told.answers.setdefault(one.query_id, {}).setdefault(person, one)
    for place, row in sorted(rows, key=lambda one: str(one[1].get("timestamp") or "")):
        item, who = row.get("id"), row.get("annotator_id")
        if item is None or not isinstance(who, str):
            raise InputError(f"{place}: a verdict needs the id of its pair and the annotator_id")
        if row.get("review_status") == DECIDED:
            told.decided["verdicts", str(item)] = who, row
        else:
            told.verdicts.setdefault(str(item), {}).setdefault(who, row)
    return told


def find_conflicts(told: Told, settings: AgreementSettings, by_page: bool = False) -> list[Conflict]:
    """Every item of enough people who disagree, also those that were decided; the least agreement first."""
    enough = max(2, settings.min_annotators)
    found = [
        *_of_spans(told, settings.target_agreement, enough, by_page),
        *_of_answers(told, enough),
        *_of_verdicts(told, enough),
    ]
    return sorted(found, key=lambda one: (one.agreement is None, one.agreement or 0.0))


def _of_spans(told: Told, target: float, enough: int, by_page: bool) -> Iterator[Conflict]:
    shared = {query: people for query, people in told.spans.items() if len(people) >= enough}
    listed = [(person, one) for people in shared.values() for person, one in people.items()]
    marked, _, _ = marked_spans(listed, by_page)
    for query, people in shared.items():
        jaccard = mean_jaccard(list(marked[query].values()))
        why = ""
        if jaccard is not None and jaccard < target:
            why = f"the spans agree to {_below(jaccard, target)}, below the target of {target:g}"
        elif differing := _graded_apart(people):
            why = f"whether {differing} is relevant"
        if why:
            yield _conflict(told, "spans", query, people, why, jaccard)


def _below(value: float, target: float) -> str:
    """The value with as many digits as show that it is below the target."""
    return next((told for digits in (2, 3, 4) if float(told := f"{value:.{digits}f}") < target), f"{value:g}")


def _graded_apart(people: Mapping[str, CitationAnnotation]) -> str | None:
    """A document that one person called relevant and another not."""
    grades: dict[str, set[bool]] = {}
    for one in people.values():
        for name, grade in grades_of(one).items():
            grades.setdefault(name, set()).add(grade > 0)
    return next((name for name, said in sorted(grades.items()) if len(said) > 1), None)


def grades_of(one: CitationAnnotation) -> dict[str, float]:
    """The relevance that a person gave to documents, by their ids."""
    listed = one.extra.get("relevant_documents")
    found = {}
    for entry in listed if isinstance(listed, list) else []:
        grade = entry.get("relevance") if isinstance(entry, dict) else None
        if isinstance(grade, int | float) and isinstance(entry.get("document_id"), str):
            found[entry["document_id"]] = float(grade)
    return found


def _of_answers(told: Told, enough: int) -> Iterator[Conflict]:
    for query, people in told.answers.items():
        if len(people) < enough:
            continue
        scores: dict[str, list[float]] = {}
        for one in people.values():
            for question, mark in one.quality_scores.items():
                if mark is not None:
                    scores.setdefault(question, []).append(mark)
        # A little room, since 0.75 - 0.5 need not be 0.25 in every file.
        apart = [name for name, marks in scores.items() if max(marks) - min(marks) > MOST_APART + 1e-9]
        if apart:
            yield _conflict(
                told, "answers", query, people, f"the marks for {' and '.join(apart)} are far apart"
            )


def _of_verdicts(told: Told, enough: int) -> Iterator[Conflict]:
    for item, people in told.verdicts.items():
        said = {str(row.get("said") or row.get("verdict") or "unsure") for row in people.values()}
        if len(people) >= enough and (len(said) > 1 or "unsure" in said):
            yield _conflict(told, "verdicts", item, people, " or ".join(sorted(said)).replace("_", " "))


def _conflict(
    told: Told, kind: Kind, item: str, people: Mapping[str, Any], why: str, agreement: float | None = None
) -> Conflict:
    decided = told.decided.get((kind, item))
    return Conflict(kind, item, tuple(sorted(people)), why, agreement, decided[0] if decided else None)
