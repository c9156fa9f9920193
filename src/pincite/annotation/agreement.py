"""How far annotators agree: pair by pair, over all, query by query, and with themselves.

The figure that must reach the target is the character-level Jaccard: for each query the mean over all pairs
of its annotators, and then the mean over the queries that enough people annotated. A query for which two
people marked nothing at all has no Jaccard; it is counted apart. Intervals are made by resampling queries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil
from typing import Any

from msgspec import Struct, structs

from pincite.annotation.annotations import Annotations, Marked
from pincite.config import AgreementSettings
from pincite.stats import (
    alpha_of,
    bootstrap_interval,
    category_counts,
    cohen_kappa,
    cohen_kappas,
    fleiss_of,
    mean_jaccard,
    rating_matrix,
    span_jaccard,
)

WORST = 10
NOBODY_SHARED = "no query was annotated by two people"
NOT_BOTH = "no query was annotated by both"
ALL_ALIKE = "everyone gave the same answer throughout, so chance would agree just as well"
FEWEST = 5
"""Of fewer queries an interval would say more than is known."""
MOST_PEOPLE = 500
"""Of more annotators of one query a sample is compared, since every two are."""
MOST_PAIR_FIGURES = 5000
"""Annotators and questions that would make more figures of pairs than these are not shown pair by pair."""
MOST_QUESTIONS = 50
"""Only so many questions are measured: each costs a thousand resamples."""
MOST_CLASSES = 20
BLIND_SHARE = 0.1
"""The share of annotated queries that is annotated again, blindly."""

Interval = tuple[float, float]


class AgreementFigure(Struct, frozen=True):
    """A figure of agreement; None where there is nothing that it could be made of."""

    name: str
    value: float | None
    confidence_interval: Interval | None
    n: int
    """Queries that it rests on."""
    nothing_marked: int = 0
    """Queries left out because no one marked anything."""
    reason: str | None = None
    """Why there is no value."""


class PairFigures(Struct, frozen=True):
    """Two annotators."""

    first: str
    second: str
    jaccard: AgreementFigure
    kappa: tuple[AgreementFigure, ...] = ()
    """Cohen's, one per question."""


class WorstQuery(Struct, frozen=True):
    """A query whose annotators agree least about its spans."""

    query_id: str
    jaccard: float
    annotators: int


class AgreementFigures(Struct, frozen=True, kw_only=True):
    """Everything that is said about how far people agree."""

    annotators: tuple[str, ...]
    queries: int
    compared: int
    """Queries that at least `min_annotators` people annotated with spans."""
    too_few: int
    """Queries that fewer people annotated with spans."""
    jaccard: AgreementFigure
    pairs: tuple[PairFigures, ...]
    questions: tuple[AgreementFigure, ...]
    """Fleiss' kappa and Krippendorff's alpha of the categories, Krippendorff's alpha of the marks."""
    worst: tuple[WorstQuery, ...]
    blind_sample: tuple[str, ...]
    """The queries to be annotated again by the same people, who do not see what they said before."""
    with_themselves: tuple[AgreementFigure, ...]
    """One figure per person who annotated queries twice."""
    target: float
    min_annotators: int
    recalibration_threshold: float
    met: bool
    recalibrate: bool
    reason: str
    left_out: int = 0
    notes: tuple[str, ...] = ()
    """What was not measured because there is too much of it, or measured on a sample."""


def measure_agreement(
    annotations: Annotations, settings: AgreementSettings, seed: int = 42
) -> AgreementFigures:
    """How far the annotators agree, and whether that is enough."""
    enough = max(2, settings.min_annotators)
    by_query = {query: people for query, people in sorted(annotations.spans.items()) if len(people) >= enough}
    means = {query: mean_jaccard(_compared(people, seed)) for query, people in by_query.items()}
    shared = f"no query has spans of {enough} annotators"
    jaccard = _mean_figure("jaccard", list(means.values()), seed, shared)
    met, reason = _verdict(jaccard, annotations, len(by_query), settings)
    known = [(value, query) for query, value in means.items() if value is not None]
    return AgreementFigures(
        annotators=annotations.annotators,
        queries=len(annotations.queries),
        compared=len(by_query),
        too_few=len(annotations.spans) - len(by_query),
        jaccard=jaccard,
        pairs=_pairs(annotations, seed),
        questions=_questions(annotations, seed),
        worst=tuple(
            WorstQuery(query, value, len(by_query[query]))
            for value, query in sorted(known)[:WORST]
            if value < 1
        ),
        blind_sample=blind_sample(annotations.queries, seed),
        with_themselves=_with_themselves(annotations, seed),
        target=settings.target_agreement,
        min_annotators=settings.min_annotators,
        recalibration_threshold=settings.recalibration_threshold,
        met=met,
        recalibrate=jaccard.value is not None and jaccard.value < settings.recalibration_threshold,
        reason=reason,
        left_out=annotations.left_out,
        notes=tuple(_notes(annotations, by_query)),
    )


def _notes(annotations: Annotations, by_query: Mapping[str, Mapping[str, Marked]]) -> Iterator[str]:
    crowded = sum(len(people) > MOST_PEOPLE for people in by_query.values())
    if crowded:
        yield (
            f"{crowded:,} queries have more than {MOST_PEOPLE} annotators; "
            f"a sample of {MOST_PEOPLE} is compared, drawn by the seed"
        )
    if len(annotations.annotators) > 1 and not _pairs_to_show(annotations):
        yield (
            f"{len(annotations.annotators):,} annotators and {len(annotations.ratings):,} questions "
            "are too many to show pair by pair"
        )
    for kind, given in (("categories", annotations.ratings), ("marks", annotations.marks)):
        if len(given) > MOST_QUESTIONS:
            yield f"of {len(given):,} questions with {kind}, the first {MOST_QUESTIONS} by name are measured"


def blind_sample(queries: Sequence[str], seed: int, share: float = BLIND_SHARE) -> tuple[str, ...]:
    """A tenth of the queries, drawn by the seed from their ids alone, whatever order they come in."""
    wanted = ceil(share * len(queries))
    return tuple(sorted(random.Random(seed).sample(sorted(queries), wanted)))  # noqa: S311 - a sample, no secret


def _verdict(
    jaccard: AgreementFigure, annotations: Annotations, compared: int, settings: AgreementSettings
) -> tuple[bool, str]:
    target, enough = settings.target_agreement, max(2, settings.min_annotators)
    if jaccard.value is None:
        most = max((len(people) for people in annotations.spans.values()), default=0)
        why = "no one marked anything"
        if not compared and most > 1:
            why = (
                f"min_annotators is {enough}, but only {most} have marked spans in any one query; "
                f"add annotators, or set min_annotators to {most}"
            )
        elif not compared:
            have = "only 1 annotator has" if most else "no query has"
            why = f"at least {enough} annotators must mark spans in the same query, and {have}"
        return False, f"the target is not met: {why}"
    if jaccard.value >= target:
        return True, f"{jaccard.value:.3f} meets the target of {target:g}"
    said, least = f"{jaccard.value:.3f} is below the target of {target:g}", settings.recalibration_threshold
    if jaccard.value < least:
        return False, f"{said} and below {least:g}: let the annotators recalibrate"
    return False, f"{said}, but not below {least:g}, so no one has to recalibrate"


# --- spans -----------------------------------------------------------------------------------------


def _compared(people: Mapping[str, Marked], seed: int) -> list[Marked]:
    """Everybody, or of very many a sample that the seed draws: every two of them are compared."""
    names = sorted(people)
    if len(names) > MOST_PEOPLE:
        names = sorted(random.Random(seed).sample(names, MOST_PEOPLE))  # noqa: S311 - a sample, no secret
    return [people[name] for name in names]


def _mean_figure(name: str, values: Sequence[float | None], seed: int, without: str) -> AgreementFigure:
    """The mean of queries' values; `without` is the reason where there is no query at all."""
    import numpy as np

    known = np.array([value for value in values if value is not None], dtype=float)
    without = "no one marked anything" if values else without
    figure = _figure(
        name,
        lambda rows: float(known[rows].mean()),
        len(known),
        seed,
        without,
        lambda rows: known[rows].mean(axis=1),
    )
    return structs.replace(figure, nothing_marked=len(values) - len(known))


def _pairs(annotations: Annotations, seed: int) -> tuple[PairFigures, ...]:
    found = []
    spans = sorted(annotations.spans.items())
    rated = [
        (question, [by[query] for query in sorted(by)])
        for question, by in sorted(annotations.ratings.items())
    ]
    for one, other in _pairs_to_show(annotations):
        values = [
            span_jaccard(people[one], people[other])
            for _, people in spans
            if one in people and other in people
        ]
        kappas = tuple(_cohen(question, given, one, other, seed) for question, given in rated)
        found.append(PairFigures(one, other, _mean_figure("jaccard", values, seed, NOT_BOTH), kappas))
    return tuple(found)


def _pairs_to_show(annotations: Annotations) -> list[tuple[str, str]]:
    """None where so many figures would come of it that nobody could read them."""
    people, questions = len(annotations.annotators), len(annotations.ratings)
    too_many = people * (people - 1) // 2 * (1 + questions) > MOST_PAIR_FIGURES
    return [] if too_many else list(combinations(annotations.annotators, 2))


def _with_themselves(annotations: Annotations, seed: int) -> tuple[AgreementFigure, ...]:
    values: dict[str, list[float | None]] = {}
    for query, people in sorted(annotations.again.items()):
        for person, marked in people.items():
            values.setdefault(person, []).append(span_jaccard(annotations.spans[query][person], marked))
    return tuple(_mean_figure(person, found, seed, NOT_BOTH) for person, found in sorted(values.items()))


# --- categories and marks --------------------------------------------------------------------------


def _cohen(
    question: str, given: Sequence[Mapping[str, str]], one: str, other: str, seed: int
) -> AgreementFigure:
    import numpy as np

    both = [people for people in given if one in people and other in people]
    # Numbers in the place of words: a resample compares them many times faster.
    codes = np.unique([people[name] for name in (one, other) for people in both], return_inverse=True)[1]
    first, second = codes.reshape(2, -1)
    classes = int(codes.max()) + 1 if len(codes) else 0
    return _figure(
        f"{question}: Cohen's kappa",
        lambda rows: cohen_kappa(first[rows], second[rows]),
        len(both),
        seed,
        NOT_BOTH,
        # A resample of all classes at once costs each of them; of very many, one sample at a time is faster.
        None if classes > MOST_CLASSES else lambda rows: cohen_kappas(first[rows], second[rows], classes),
    )


def _questions(annotations: Annotations, seed: int) -> tuple[AgreementFigure, ...]:
    found = []
    for question, by_query in sorted(annotations.ratings.items())[:MOST_QUESTIONS]:
        people = _people(by_query)
        complete = [
            [given[person] for person in people]
            for _, given in sorted(by_query.items())
            if len(given) == len(people) > 1
        ]
        found.append(_fleiss(f"{question}: Fleiss' kappa", category_counts(complete), len(people), seed))
        found.append(_alpha(question, by_query, people, "nominal", seed))
    for question, by_mark in sorted(annotations.marks.items())[:MOST_QUESTIONS]:
        found.append(_alpha(question, by_mark, _people(by_mark), "interval", seed))
    return tuple(found)


def _people(by_query: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return sorted({person for given in by_query.values() for person in given})


def _fleiss(name: str, counts: Any, people: int, seed: int) -> AgreementFigure:
    without = f"no query was annotated by all {people} people" if people > 1 else NOBODY_SHARED
    return _figure(name, lambda rows: fleiss_of(counts[rows]), len(counts), seed, without)


def _alpha(
    question: str, by_query: Mapping[str, Mapping[str, Any]], people: Sequence[str], level: Any, seed: int
) -> AgreementFigure:
    several = [given for _, given in sorted(by_query.items()) if len(given) > 1]
    matrix = rating_matrix([[given.get(person) for person in people] for given in several], level)
    name = f"{question}: Krippendorff's alpha ({level})"
    return _figure(name, lambda rows: alpha_of(matrix[rows], level), len(several), seed, NOBODY_SHARED)


def _figure(
    name: str,
    statistic: Callable[[Any], float | None],
    rows: int,
    seed: int,
    without: str,
    of_many: Callable[[Any], Any] | None = None,
) -> AgreementFigure:
    import numpy as np

    if not rows:
        return AgreementFigure(name, None, None, 0, reason=without)
    value = statistic(np.arange(rows))
    if value is None:
        return AgreementFigure(name, None, None, rows, reason=ALL_ALIKE)
    interval = bootstrap_interval(statistic, rows, seed=seed, of_many=of_many) if rows >= FEWEST else None
    return AgreementFigure(name, value, interval, rows)
