"""Where people disagree, and what is taken as true in the end: what they agree on, or what a third decided.

It works on records and rows as the files have them, so that annotations made elsewhere count alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field, structs

from pincite.annotation.annotations import (
    AGREED,
    DECIDED,
    Annotated,
    agreed_citations,
    each_annotation,
    is_reviewed,
    marked_spans,
)
from pincite.annotation.labels import VERDICTS, says_yes
from pincite.annotation.person_files import VERDICT_FILE
from pincite.annotation.responses import KINDS, Kind
from pincite.annotation.verdicts import KEPT
from pincite.config import AgreementSettings
from pincite.datasets import (
    AnswerQualityAnnotation,
    CitationAnnotation,
    CitationSpan,
    EvaluationDataset,
    EvaluationQuery,
    GroundTruth,
    from_plain,
    library_of,
    read_rows,
    safe_name,
    save,
    to_plain,
    write_json,
    write_whole,
)
from pincite.errors import InputError
from pincite.sources import Library
from pincite.stats import mean_jaccard

MOST_APART = 0.25
"""Marks for an answer that are further apart than this, one step of five, are a conflict."""


class ResponsesByItem(Struct, frozen=True):
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


def read_responses(paths: Iterable[Path]) -> ResponsesByItem:
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
    return group_responses(annotated, rows)


def group_responses(
    annotated: Iterable[tuple[str, Annotated]], rows: Iterable[tuple[str, dict[str, Any]]]
) -> ResponsesByItem:
    """Sort what people said. Annotations come the earliest first; of one who spoke twice the first counts."""
    responses = ResponsesByItem()
    for person, one in annotated:
        kind: Kind = "spans" if isinstance(one, CitationAnnotation) else "answers"
        if is_reviewed(one):
            if one.metadata["review_status"] == DECIDED:
                responses.decided[kind, one.query_id] = person, one
        elif isinstance(one, CitationAnnotation):
            responses.spans.setdefault(one.query_id, {}).setdefault(person, one)
        else:
            responses.answers.setdefault(one.query_id, {}).setdefault(person, one)
    for place, row in sorted(rows, key=lambda one: str(one[1].get("timestamp") or "")):
        item, who = row.get("id"), row.get("annotator_id")
        if item is None or not isinstance(who, str):
            raise InputError(f"{place}: a verdict needs the id of its pair and the annotator_id")
        if row.get("review_status") == DECIDED:
            responses.decided["verdicts", str(item)] = who, row
        else:
            responses.verdicts.setdefault(str(item), {}).setdefault(who, row)
    return responses


def find_conflicts(
    responses: ResponsesByItem, settings: AgreementSettings, by_page: bool = False
) -> list[Conflict]:
    """Every item of enough people who disagree, also those that were decided; the least agreement first."""
    enough = max(2, settings.min_annotators)
    found = [
        *_of_spans(responses, settings.target_agreement, enough, by_page),
        *_of_answers(responses, enough),
        *_of_verdicts(responses, enough),
    ]
    return sorted(found, key=lambda one: (one.agreement is None, one.agreement or 0.0))


def _of_spans(responses: ResponsesByItem, target: float, enough: int, by_page: bool) -> Iterator[Conflict]:
    shared = {query: people for query, people in responses.spans.items() if len(people) >= enough}
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
            yield _conflict(responses, "spans", query, people, why, jaccard)


def _below(value: float, target: float) -> str:
    """The value with as many digits as show that it is below the target."""
    return next(
        (shown for digits in (2, 3, 4) if float(shown := f"{value:.{digits}f}") < target), f"{value:g}"
    )


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


def _of_answers(responses: ResponsesByItem, enough: int) -> Iterator[Conflict]:
    for query, people in responses.answers.items():
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
                responses, "answers", query, people, f"the marks for {' and '.join(apart)} are far apart"
            )


def _of_verdicts(responses: ResponsesByItem, enough: int) -> Iterator[Conflict]:
    for item, people in responses.verdicts.items():
        said = {str(row.get("said") or row.get("verdict") or "unsure") for row in people.values()}
        if len(people) >= enough and (len(said) > 1 or "unsure" in said):
            yield _conflict(responses, "verdicts", item, people, " or ".join(sorted(said)).replace("_", " "))


def _conflict(
    responses: ResponsesByItem,
    kind: Kind,
    item: str,
    people: Mapping[str, Any],
    why: str,
    agreement: float | None = None,
) -> Conflict:
    decided = responses.decided.get((kind, item))
    return Conflict(kind, item, tuple(sorted(people)), why, agreement, decided[0] if decided else None)


# --- the ground truth that comes of it ---------------------------------------------------------------


LABELS = "labels.jsonl"
MERGED = "merged"
"""The folder, beside that of the annotations, for what came of them."""

Item = tuple[Kind, str]


class Adjudication(Struct, frozen=True):
    """The ground truth that came of annotations, and what is still open."""

    dataset: EvaluationDataset
    truth: GroundTruth
    labels: tuple[dict[str, Any], ...]
    agreed: int
    adjudicated: int
    open_conflicts: tuple[Item, ...] = ()
    """Disagreements that nobody has decided."""
    too_few: tuple[Item, ...] = ()
    """Items that fewer than `min_annotators` did."""
    unsure: int = 0
    """Verdicts that stay open, as the third person was unsure too."""
    unknown: int = 0
    """Annotated queries that the dataset does not have."""

    @property
    def complete(self) -> bool:
        return not (self.open_conflicts or self.too_few)


def adjudicate_responses(
    dataset: EvaluationDataset, responses: ResponsesByItem, settings: AgreementSettings
) -> Adjudication:
    """Merge annotations: each item agreed, adjudicated, in conflict, or done by too few people."""
    by_page, library = dataset.offsets == "page", library_of(dataset.documents)
    disputed = {(one.kind, one.id) for one in find_conflicts(responses, settings, by_page)}
    known = {query.query_id for query in dataset.queries}
    settled: dict[Item, tuple[str, str]] = {}
    """Each item with its status, and who decided it."""
    open_conflicts: list[Item] = []
    too_few: list[Item] = []
    for kind in KINDS:
        for item, people in responses.of(kind).items():
            decided = responses.decided.get((kind, item))
            if kind != "verdicts" and item not in known:
                continue
            if decided is not None:
                settled[kind, item] = DECIDED, decided[0]
            elif len(people) < max(1, settings.min_annotators):
                too_few.append((kind, item))
            elif (kind, item) in disputed:
                open_conflicts.append((kind, item))
            else:
                settled[kind, item] = AGREED, ""
    queries, annotations = {query.query_id: query for query in dataset.queries}, []
    for (kind, item), status in settled.items():
        if kind == "spans":
            queries[item] = _merged_query(queries[item], responses, status, library, by_page)
            annotations.append(to_plain(_annotation(queries[item], responses, status)))
        elif kind == "answers":
            annotations.append(to_plain(_marks(item, responses, status)))
    labels = [
        row
        for (kind, item), status in settled.items()
        if kind == "verdicts" and (row := _label(item, responses, status)) is not None
    ]
    counts = Counter(status for status, _ in settled.values())
    return Adjudication(
        structs.replace(dataset, queries=tuple(queries.values())),
        GroundTruth(dataset_id=dataset.dataset_id, version=dataset.version, annotations=tuple(annotations)),
        tuple(labels),
        counts[AGREED],
        counts[DECIDED],
        tuple(open_conflicts),
        tuple(too_few),
        sum(kind == "verdicts" for kind, _ in settled) - len(labels),
        len((responses.spans.keys() | responses.answers.keys()) - known),
    )


def adjudicated_files(found: Adjudication, folder: Path) -> list[Path]:
    """What `write_adjudicated` writes: the ground truth, the dataset with it, and any labels."""
    name = safe_name(f"{found.dataset.dataset_id}_{found.dataset.version}", "the dataset's id and version")
    files = [folder / f"{name}.gt.json", folder / f"{name}.eval.json"] if found.truth.annotations else []
    return files + ([folder / LABELS] if found.labels else [])


def write_adjudicated(found: Adjudication, folder: Path) -> list[Path]:
    """Write what came of the annotations, each file whole or not at all."""
    files = adjudicated_files(found, folder)
    for path in files:
        if path.name == LABELS:
            write_whole(path, b"".join(write_json(row, None) for row in found.labels))
        elif path.name.endswith(".gt.json"):
            save(found.truth, path, "ground_truth")
        else:
            save(found.dataset, path, "dataset")
    return files


# --- spans -----------------------------------------------------------------------------------------


def _merged_query(
    query: EvaluationQuery,
    responses: ResponsesByItem,
    status: tuple[str, str],
    library: Library,
    by_page: bool,
) -> EvaluationQuery:
    said = _deciding(responses, "spans", query.query_id, status)
    citations = agreed_citations({who: one.citations for who, one in said.items()}, library, by_page)
    return structs.replace(
        query,
        citations=citations,
        alternative_citations=_alternatives(said, library, by_page),
        relevant_documents=_relevant(query, said.values(), citations, library),
    )


def _deciding(responses: ResponsesByItem, kind: Kind, item: str, status: tuple[str, str]) -> dict[str, Any]:
    """Those who count: the one who decided, or all."""
    if status[0] == DECIDED:
        return {status[1]: responses.decided[kind, item][1]}
    return dict(responses.of(kind)[item])


def _alternatives(
    said: Mapping[str, CitationAnnotation], library: Library, by_page: bool
) -> tuple[tuple[CitationSpan, ...], ...]:
    """The further sets that more than half name, character for character."""
    votes: Counter[tuple[Any, ...]] = Counter()
    sets: dict[tuple[Any, ...], tuple[CitationSpan, ...]] = {}
    for who, one in said.items():
        listed = one.extra.get("alternative_citations")
        named = set()
        for plain in listed if isinstance(listed, list) else []:
            spans = [from_plain(CitationSpan, span) for span in plain] if isinstance(plain, list) else []
            made = agreed_citations({who: spans}, library, by_page)
            key = tuple((span.document, span.page_number, span.start_char, span.end_char) for span in made)
            if made:
                sets.setdefault(key, made)
                named.add(key)
        votes.update(named)
    return tuple(sets[key] for key, count in votes.items() if 2 * count > len(said))


def _relevant(
    query: EvaluationQuery,
    said: Iterable[CitationAnnotation],
    citations: Iterable[CitationSpan],
    library: Library,
) -> tuple[str, ...] | dict[str, float]:
    """What the dataset knew, with the grades that people gave, and everything that is cited."""
    grades: dict[str, list[float]] = {}
    for one in said:
        for name, grade in grades_of(one).items():
            grades.setdefault(name, []).append(grade)
    relevant = dict(query.relevant or {})
    relevant |= {name: round(sum(given) / len(given), 4) for name, given in grades.items()}
    for span in citations:
        found = library.find(span.document)
        name = (found[0].document_id if len(found) == 1 else None) or span.document
        if not relevant.get(name):
            relevant[name] = 1.0
    kept = {name: grade for name, grade in relevant.items() if grade > 0}
    return tuple(kept) if all(grade == 1 for grade in kept.values()) else kept


def _annotation(
    query: EvaluationQuery, responses: ResponsesByItem, status: tuple[str, str]
) -> CitationAnnotation:
    extra: dict[str, Any] = {}
    if query.alternative_citations:
        extra["alternative_citations"] = [
            [to_plain(one) for one in made] for made in query.alternative_citations
        ]
    spans = [_with_text(to_plain(one)) for one in query.citations or ()]
    plain = {**_about("spans", query.query_id, responses, status), "citations": spans, **extra}
    return from_plain(CitationAnnotation, plain)


def _with_text(plain: dict[str, Any]) -> dict[str, Any]:
    """In an annotation the cited words are called `text`."""
    words = plain.pop("context_text", None)
    return {**plain, "text": words} if words is not None else plain


def _about(kind: Kind, item: str, responses: ResponsesByItem, status: tuple[str, str]) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "review_status": status[0],
        "annotators": sorted(responses.of(kind).get(item, {})),
    }
    if status[1]:
        metadata["adjudicated_by"] = status[1]
    return {
        "annotation_id": f"{kind}/{status[0]}/{item}",
        "query_id": item,
        "annotator_id": status[0],
        "metadata": metadata,
    }


# --- marks and verdicts ----------------------------------------------------------------------------


def _marks(item: str, responses: ResponsesByItem, status: tuple[str, str]) -> AnswerQualityAnnotation:
    said: list[AnswerQualityAnnotation] = list(_deciding(responses, "answers", item, status).values())
    questions = dict.fromkeys(question for one in said for question in one.quality_scores)
    scores = {question: _mean(one.quality_scores.get(question) for one in said) for question in questions}
    return from_plain(
        AnswerQualityAnnotation,
        {
            **_about("answers", item, responses, status),
            "answer_text": next((one.answer_text for one in said if one.answer_text), None),
            "quality_scores": {name: mark for name, mark in scores.items() if mark is not None},
            "overall_score": _mean(one.overall_score for one in said),
        },
    )


def _mean(marks: Iterable[float | None]) -> float | None:
    known = [mark for mark in marks if mark is not None]
    return round(sum(known) / len(known), 4) if known else None


def _label(item: str, responses: ResponsesByItem, status: tuple[str, str]) -> dict[str, Any] | None:
    row = next(iter(_deciding(responses, "verdicts", item, status).values()))
    verdict = row.get("verdict")
    if verdict not in VERDICTS:
        return None
    kept = {name: row[name] for name in KEPT if row.get(name) is not None}
    label = int(says_yes(str(verdict), row.get("question")))
    people = sorted(responses.verdicts.get(item, {}))
    return {**kept, "label": label, "verdict": verdict, "review_status": status[0], "annotators": people}
