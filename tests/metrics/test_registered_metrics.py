"""Metrics that somebody registers: under which names they are known, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import ClassVar

import pytest

import pincite
from pincite.compat import EvaluationHarness
from pincite.config import Settings
from pincite.errors import ConfigError
from pincite.metrics import (
    Case,
    CitationCompleteness,
    Metric,
    Verdicts,
    list_metrics,
    names,
    parse_metric,
    register_metrics,
)
from pincite.records import Result


class Words(Metric, frozen=True, kw_only=True):
    """Words of the answer ÷ words that are wanted."""

    title: ClassVar[str] = "words"
    wanted: int = 10

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.result(len((case.item.actual_output or "").split()), self.wanted)


class Untitled(Words, frozen=True, kw_only=True):
    title: ClassVar[str] = ""


class Unscored(Metric, frozen=True, kw_only=True):
    title: ClassVar[str] = "unscored"


def listed() -> set[str]:
    return {one.name for one in list_metrics(Settings())}


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_registered", {})


def test_a_metric_is_known_by_the_name_it_was_registered_under_everywhere(tmp_path: Path) -> None:
    register_metrics({"completeness": CitationCompleteness})
    assert "completeness" in listed()
    output = tmp_path / "run.results.json"
    run = pincite.evaluate(
        "sample",
        answers="sample:a",
        judge="rules",
        limit=3,
        metrics=["Completeness", "citation_completeness"],
        thresholds={"completeness": 0.9},
        output=output,
    )
    own, theirs = run.scores
    assert (own.metric, own.threshold) == ("completeness", 0.9)
    assert (theirs.metric, own.value) == ("citation_completeness", theirs.value)
    assert '"completeness"' in output.read_text(encoding="utf-8")


def test_a_threshold_may_use_another_spelling_of_the_name() -> None:
    run = pincite.evaluate(
        "sample", answers="sample:a", judge="rules", limit=3, metrics=["hit@1"], thresholds={"HIT@1": 0.5}
    )
    assert run.scores[0].threshold == 0.5


def test_a_metric_with_parameters_is_known_with_them_as_its_usual_ones() -> None:
    register_metrics({"near_span": parse_metric("span_f1(tolerance=10)"), "words": Words})
    assert str(parse_metric("near_span")) == "near_span"
    assert parse_metric("near_span").tolerance == 10  # type: ignore[attr-defined]
    assert str(parse_metric("near_span(tolerance=5)")) == "near_span(tolerance=5)"
    assert parse_metric("words(wanted=3)") == Words(wanted=3)


def test_a_renamed_metric_can_be_sent_to_another_process() -> None:
    register_metrics({"near_span": parse_metric("span_f1(tolerance=10)")})
    sent = parse_metric("near_span(units=tokens)")
    got = pickle.loads(pickle.dumps(sent))
    assert (str(got), got.tolerance) == ("near_span(units=tokens)", 10)


def test_a_name_is_title_enough_for_a_metric_without_one() -> None:
    register_metrics({"mine": Untitled})
    assert str(parse_metric("mine")) == "mine"
    with pytest.raises(ConfigError, match="Untitled has no title"):
        parse_metric(Untitled())


def test_a_harness_runs_its_metrics_under_the_names_they_were_given() -> None:
    harness = EvaluationHarness()
    harness.register_metrics({"completeness": CitationCompleteness(), "words": Words})
    run = harness.run("sample", answers="sample:a", judge="rules", limit=3, thresholds={"completeness": 0.1})
    assert [score.metric for score in run.scores] == ["completeness", "words"]


@pytest.mark.parametrize("value", ["high", None, float("nan")])
def test_a_threshold_that_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ConfigError, match="the threshold of hit@1 is a number"):
        pincite.evaluate("sample", answers="sample:a", metrics=["hit@1"], thresholds={"hit@1": value})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("name", "metric", "said"),
    [
        ("hit@1", parse_metric("hit@1"), "letters, digits"),
        ("words(wanted=3)", Words, "letters, digits"),
        ("", Words, "letters, digits"),
        (3, Words, "letters, digits"),
        ("hit", Words, "ships with Pincite"),
        ("HIT", Words, "ships with Pincite"),
        ("hit", parse_metric("hit@3"), "ships with Pincite"),
        ("unscored", Unscored, r"Unscored has no score\(\)"),
        ("unscored", Unscored(), r"Unscored has no score\(\)"),
        ("mine", 3, "a pincite.Metric"),
        ("mine", dict, "a pincite.Metric"),
    ],
)
def test_what_cannot_be_registered_is_refused_with_the_reason(name: str, metric: object, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        register_metrics({name: metric})  # type: ignore[dict-item]
    assert names._registered == {}


def test_one_that_cannot_be_registered_keeps_the_others_out_too() -> None:
    with pytest.raises(ConfigError):
        register_metrics({"words": Words, "hit": Words})
    assert "words" not in listed()


@pytest.mark.parametrize("given", [3, None, Words])
def test_what_is_neither_a_name_nor_a_metric_is_refused(given: object) -> None:
    with pytest.raises(ConfigError, match="not a metric"):
        parse_metric(given)  # type: ignore[arg-type]
