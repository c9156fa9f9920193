"""Our own answering as the system under test."""

from __future__ import annotations

import pytest

import pincite
from pincite.errors import InputError


def scores_of(run: pincite.Run) -> dict[str, float | None]:
    return {score.metric: score.value for score in run.scores}


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, float | None]]:
    metrics = ["citation_correctness", "citation_completeness", "span_f1", "span_recall", "fabrication_rate"]
    return {
        target: scores_of(pincite.evaluate("sample", target=target, metrics=metrics, judge="rules"))
        for target in ("answer", "reference")
    }


def test_extractive_answers_are_no_worse_than_the_baseline_in_any_citation_metric(
    measured: dict[str, dict[str, float | None]],
) -> None:
    ours, baseline = measured["answer"], measured["reference"]
    for name in ("citation_correctness", "citation_completeness"):
        assert (ours[name] or 0) >= (baseline[name] or 0)
    assert ours["fabrication_rate"] == 0


def test_extractive_answers_find_the_cited_places_better_than_the_baseline(
    measured: dict[str, dict[str, float | None]],
) -> None:
    for name in ("span_f1", "span_recall"):
        assert (measured["answer"][name] or 0) > (measured["reference"][name] or 0)


def test_a_model_is_for_our_own_answering_only() -> None:
    with pytest.raises(InputError, match="--model goes with --target answer"):
        pincite.evaluate("sample", target="reference", model="extractive")
    with pytest.raises(InputError, match="unknown model"):
        pincite.evaluate("sample", target="answer", model="extractiv")
