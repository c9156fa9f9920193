"""Agreement where there is little to agree on: each figure, or in words why there is none."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.annotation import AgreementFigure, AgreementFigures, measure_agreement, read_annotations
from pincite.config import AgreementSettings
from pincite.reports import agreement_json, agreement_text

Rated = Callable[[str, int], str | None]
PEOPLE = ("ann", "bob", "cid")


def measured(folder: Path, people: tuple[str, ...], queries: int, rated: Rated) -> AgreementFigures:
    """What people said of queries; None where one did not rate one."""
    annotations = [
        {
            "annotation_id": f"{person}-{number}",
            "query_id": f"q{number:05}",
            "annotator_id": person,
            "aspect_ratings": {"correct": rated(person, number)},
            "overall_score": 3.0,
        }
        for person in people
        for number in range(queries)
        if rated(person, number) is not None
    ]
    path = folder / "all.gt.json"
    path.write_text(json.dumps({"dataset_id": "d", "version": "1.0.0", "annotations": annotations}))
    return measure_agreement(read_annotations([path]), AgreementSettings())


def figures_of(found: AgreementFigures) -> dict[str, AgreementFigure]:
    kappas = [kappa for pair in found.pairs for kappa in pair.kappa]
    return {one.name.removeprefix("correct: "): one for one in (*found.questions, *kappas)}


def told(found: AgreementFigures) -> str:
    """The text, after making sure that JSON and text hold no number that is none."""
    assert "NaN" not in agreement_json(found)
    text = agreement_text(found)
    assert "nan" not in text.split()
    return text


@pytest.fixture
def statsmodels() -> Any:
    """What the figures are held against. It takes a second to load: not while tests are collected."""
    return import_module("statsmodels.stats.inter_rater")


def test_one_annotator_agrees_with_nobody(tmp_path: Path) -> None:
    found = measured(tmp_path, ("ann",), 8, lambda person, number: "ab"[number % 2])
    assert {(one.value, one.n, one.reason) for one in figures_of(found).values()} == {
        (None, 0, "no query was annotated by two people")
    }
    assert "none: no query was annotated by two people (n = 0)" in told(found)


def test_one_label_throughout_leaves_nothing_to_chance(tmp_path: Path) -> None:
    found = measured(tmp_path, PEOPLE, 8, lambda person, number: "yes")
    for one in figures_of(found).values():
        assert (one.value, one.n) == (None, 8)
        assert one.reason is not None and one.reason.startswith("everyone gave the same answer")
    assert "none: everyone gave the same answer throughout" in told(found)


def test_one_person_who_never_uses_a_category_has_a_kappa_of_nothing_beyond_chance(
    tmp_path: Path, statsmodels: Any
) -> None:
    found = measured(
        tmp_path, PEOPLE[:2], 8, lambda person, number: "no" if person + str(number) == "bob3" else "yes"
    )
    figures = figures_of(found)
    table = np.array([[0, 1], [0, 7]])
    assert (
        figures["Cohen's kappa"].value
        == pytest.approx(statsmodels.cohens_kappa(table, return_results=False))
        == pytest.approx(0.0)
    )
    ratings = np.array([[1, 0 if number == 3 else 1] for number in range(8)])
    counts, _ = statsmodels.aggregate_raters(ratings)
    assert figures["Fleiss' kappa"].value == pytest.approx(statsmodels.fleiss_kappa(counts))
    told(found)


def test_missing_ratings_leave_out_queries_and_not_people(tmp_path: Path, statsmodels: Any) -> None:
    def rated(person: str, number: int) -> str | None:
        if (PEOPLE.index(person) + number) % 3 == 0:
            return None
        return "ab"[(number // 3 + (person == "bob" and number == 4)) % 2]

    found = measured(tmp_path, PEOPLE, 9, rated)
    figures = figures_of(found)
    fleiss = figures["Fleiss' kappa"]
    assert (fleiss.value, fleiss.reason) == (None, "no query was annotated by all 3 people")
    assert figures["Krippendorff's alpha (nominal)"].n == 9
    for pair in found.pairs:
        both = [
            (rated(pair.first, number), rated(pair.second, number))
            for number in range(9)
            if rated(pair.first, number) and rated(pair.second, number)
        ]
        table, _ = statsmodels.to_table(np.array([["ab".index(value) for value in two] for two in both]))  # type: ignore[arg-type]
        assert pair.kappa[0].n == len(both) == 3
        assert pair.kappa[0].value == pytest.approx(statsmodels.cohens_kappa(table, return_results=False))
    told(found)


def test_people_who_never_rated_the_same_query_are_told_so(tmp_path: Path) -> None:
    found = measured(tmp_path, PEOPLE[:2], 6, lambda person, n: "a" if (person == "ann") == (n < 3) else None)
    assert figures_of(found)["Cohen's kappa"].reason == "no query was annotated by both"
    assert "of ann and bob  none: no query was annotated by both (n = 0)" in told(found)


@pytest.mark.thorough
def test_ten_thousand_queries_take_seconds_and_agree_with_statsmodels(
    tmp_path: Path, statsmodels: Any
) -> None:
    drawn = np.random.default_rng(3).integers(0, 3, (10_000, 2))
    drawn[:6000, 1] = drawn[:6000, 0]
    start = time.process_time()
    found = measured(tmp_path, PEOPLE[:2], 10_000, lambda person, n: "abc"[drawn[n, PEOPLE.index(person)]])
    assert time.process_time() - start < 60
    figures = figures_of(found)
    kappa = statsmodels.cohens_kappa(statsmodels.to_table(drawn)[0])
    assert figures["Cohen's kappa"].value == pytest.approx(kappa.kappa)
    counts, _ = statsmodels.aggregate_raters(drawn)
    assert figures["Fleiss' kappa"].value == pytest.approx(statsmodels.fleiss_kappa(counts))
    low, high = figures["Cohen's kappa"].confidence_interval or (math.nan, math.nan)
    assert high - low == pytest.approx(2 * 1.96 * kappa.std_kappa, rel=0.1)
    assert "and 980 more (--sample FILE writes them all)" in told(found)
