"""What is taken as true in the end: what people agree on, and what a third person decided about the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from pincite.annotation.annotations import AGREED, DECIDED
from pincite.annotation.labels import VERDICTS, says_yes
from pincite.annotation.merging import agreed_citations
from pincite.annotation.verdicts import KEPT
from pincite.annotation.work.conflicts import Told, find_conflicts, grades_of
from pincite.annotation.work.said import KINDS, Kind
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
    safe_name,
    save,
    to_plain,
    write_json,
    write_whole,
)
from pincite.sources import Library

LABELS = "labels.jsonl"
MERGED = "merged"
"""The folder, beside that of the annotations, for what came of them."""

Item = tuple[Kind, str]


class Settled(Struct, frozen=True):
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


def settle(dataset: EvaluationDataset, told: Told, settings: AgreementSettings) -> Settled:
    """Merge annotations: each item agreed, adjudicated, in conflict, or done by too few people."""
    by_page, library = dataset.offsets == "page", library_of(dataset.documents)
    disputed = {(one.kind, one.id) for one in find_conflicts(told, settings, by_page)}
    known = {query.query_id for query in dataset.queries}
    settled: dict[Item, tuple[str, str]] = {}
    """Each item with its status, and who decided it."""
    open_conflicts: list[Item] = []
    too_few: list[Item] = []
    for kind in KINDS:
        for item, people in told.of(kind).items():
            decided = told.decided.get((kind, item))
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
            queries[item] = _merged_query(queries[item], told, status, library, by_page)
            annotations.append(to_plain(_annotation(queries[item], told, status)))
        elif kind == "answers":
            annotations.append(to_plain(_marks(item, told, status)))
    labels = [
        row
        for (kind, item), status in settled.items()
        if kind == "verdicts" and (row := _label(item, told, status)) is not None
    ]
    counts = Counter(status for status, _ in settled.values())
    return Settled(
        structs.replace(dataset, queries=tuple(queries.values())),
        GroundTruth(dataset_id=dataset.dataset_id, version=dataset.version, annotations=tuple(annotations)),
        tuple(labels),
        counts[AGREED],
        counts[DECIDED],
        tuple(open_conflicts),
        tuple(too_few),
        sum(kind == "verdicts" for kind, _ in settled) - len(labels),
        len((told.spans.keys() | told.answers.keys()) - known),
    )


def settled_files(found: Settled, folder: Path) -> list[Path]:
    """What `write_settled` writes: the ground truth, the dataset with it, and labels, if there are any."""
    name = safe_name(f"{found.dataset.dataset_id}_{found.dataset.version}", "the dataset's id and version")
    files = [folder / f"{name}.gt.json", folder / f"{name}.eval.json"] if found.truth.annotations else []
    return files + ([folder / LABELS] if found.labels else [])


def write_settled(found: Settled, folder: Path) -> list[Path]:
    """Write what came of the annotations, each file whole or not at all."""
    files = settled_files(found, folder)
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
    query: EvaluationQuery, told: Told, status: tuple[str, str], library: Library, by_page: bool
) -> EvaluationQuery:
    said = _deciding(told, "spans", query.query_id, status)
    citations = agreed_citations({who: one.citations for who, one in said.items()}, library, by_page)
    return structs.replace(
        query,
        citations=citations,
        alternative_citations=_alternatives(said, library, by_page),
        relevant_documents=_relevant(query, said.values(), citations, library),
    )


def _deciding(told: Told, kind: Kind, item: str, status: tuple[str, str]) -> dict[str, Any]:
    """Those who count: the one who decided, or all."""
    if status[0] == DECIDED:
        return {status[1]: told.decided[kind, item][1]}
    return dict(told.of(kind)[item])


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


def _annotation(query: EvaluationQuery, told: Told, status: tuple[str, str]) -> CitationAnnotation:
    extra: dict[str, Any] = {}
    if query.alternative_citations:
        extra["alternative_citations"] = [
            [to_plain(one) for one in made] for made in query.alternative_citations
        ]
    spans = [_with_text(to_plain(one)) for one in query.citations or ()]
    plain = {**_about("spans", query.query_id, told, status), "citations": spans, **extra}
    return from_plain(CitationAnnotation, plain)


def _with_text(plain: dict[str, Any]) -> dict[str, Any]:
    """In an annotation the cited words are called `text`."""
    words = plain.pop("context_text", None)
    return {**plain, "text": words} if words is not None else plain


def _about(kind: Kind, item: str, told: Told, status: tuple[str, str]) -> dict[str, Any]:
    metadata: dict[str, Any] = {"review_status": status[0], "annotators": sorted(told.of(kind).get(item, {}))}
    if status[1]:
        metadata["adjudicated_by"] = status[1]
    return {
        "annotation_id": f"{kind}/{status[0]}/{item}",
        "query_id": item,
        "annotator_id": status[0],
        "metadata": metadata,
    }


# --- marks and verdicts ----------------------------------------------------------------------------


def _marks(item: str, told: Told, status: tuple[str, str]) -> AnswerQualityAnnotation:
    said: list[AnswerQualityAnnotation] = list(_deciding(told, "answers", item, status).values())
    questions = dict.fromkeys(question for one in said for question in one.quality_scores)
    scores = {question: _mean(one.quality_scores.get(question) for one in said) for question in questions}
    return from_plain(
        AnswerQualityAnnotation,
        {
            **_about("answers", item, told, status),
            "answer_text": next((one.answer_text for one in said if one.answer_text), None),
            "quality_scores": {name: mark for name, mark in scores.items() if mark is not None},
            "overall_score": _mean(one.overall_score for one in said),
        },
    )


def _mean(marks: Iterable[float | None]) -> float | None:
    known = [mark for mark in marks if mark is not None]
    return round(sum(known) / len(known), 4) if known else None


def _label(item: str, told: Told, status: tuple[str, str]) -> dict[str, Any] | None:
    row = next(iter(_deciding(told, "verdicts", item, status).values()))
    verdict = row.get("verdict")
    if verdict not in VERDICTS:
        return None
    kept = {name: row[name] for name in KEPT if row.get(name) is not None}
    label = int(says_yes(str(verdict), row.get("question")))
    people = sorted(told.verdicts.get(item, {}))
    return {**kept, "label": label, "verdict": verdict, "review_status": status[0], "annotators": people}
