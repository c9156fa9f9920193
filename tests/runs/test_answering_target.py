"""Our own answering as the system under test."""

from __future__ import annotations

import pytest

import pincite
from pincite.errors import InputError


def test_extractive_answers_are_cited_right_and_where_the_answer_is() -> None:
    metrics = ["citation_correctness", "citation_completeness", "span_f1", "fabrication_rate", "nDCG@5"]
    run = pincite.evaluate("sample", target="answer", metrics=metrics, judge="rules")
    scores = {score.metric: score.value or 0 for score in run.scores}
    assert scores["citation_correctness"] == scores["citation_completeness"] == 1
    assert scores["fabrication_rate"] == 0
    assert scores["span_f1"] > 0.5 and scores["nDCG@5"] > 0.9


def test_a_model_is_for_our_own_answering_only() -> None:
    with pytest.raises(InputError, match="--model goes with --target answer"):
        pincite.evaluate("sample", target="json:dumps", model="extractive")
    with pytest.raises(InputError, match="unknown model"):
        pincite.evaluate("sample", target="answer", model="extractiv")
