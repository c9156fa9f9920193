"""A result tells how it came about: the parts of every score can be counted again from its signals."""

from __future__ import annotations

import asyncio
from math import log2
from typing import Any

import msgspec
import pytest

from pincite.config import Settings
from pincite.metrics import RetrievalMetric, list_metrics, parse_metric, score_spans
from pincite.metrics.span_metrics import SpanMetric
from pincite.metrics.tally import JudgedMetric
from pincite.records import DatasetItem, Place, Result, RetrievedDocument

SOURCES = {
    "report.txt": "The company reported $10M in Q1 revenue. Profit fell by 3% in that quarter. "
    "Revenue of $10M was reported by the company in Q1.",
    "history.txt": "Two sisters founded the company in 1950.",
    "data.json": {"quote": {"premium": 1200, "limit": 500}},
}
ANSWER = (
    "The company reported $10M in Q1 revenue [report.txt:1:0-40] [history.txt:1:0-40]. "
    "Profit rose by 3% in that quarter [report.txt:1:41-75]. "
    'They say "two sisters founded the company" and "nobody ever knew their names" [history.txt:1:0-40]. '
    "Sales doubled [lost.txt:1:0-9]. "
    "Tea is healthy [1], and so is rest (https://example.org/revenue-of-the-company). "
    "The premium is $1,200 [quote.premium] and the limit $900 [quote.limits]. "
    "The firm has nine plants in Peru."
)
ITEM = DatasetItem(
    query="What revenue did the company report in Q1?",
    actual_output=ANSWER,
    expected_output={"quote": {"premium": 1200, "limit": 500}},
    true_spans=(
        Place("report.txt", None, 76, 126),
        Place("report.txt", None, 41, 75),
        Place("history.txt", None, 4, 30),
    ),
    relevant={"report.txt": 2.0, "history.txt": 1.0, "never.txt": 1.0},
    retrieved=tuple(RetrievedDocument(name) for name in ("x.txt", "report.txt", "y.txt", "history.txt")),
    references=("Tea and health", "Tea and sleep"),
)
METRICS = [
    *(one.name for one in list_metrics(Settings())),
    *("span_f1(average=micro)", "span_recall(units=tokens)", "nDCG@3", "MAP@3", "MRR@1"),
]


def measured(name: str) -> Result:
    return asyncio.run(parse_metric(name).execute(ITEM, SOURCES, judge="rules"))


@pytest.mark.parametrize("name", METRICS)
def test_numerator_and_denominator_can_be_counted_again_from_the_signals(name: str) -> None:
    metric, result = parse_metric(name), measured(name)
    assert result.score is not None
    if isinstance(metric, RetrievalMetric):
        counted = (ranked_again(metric, result.signals), 1.0)
    elif isinstance(metric, SpanMetric):
        counted = spans_again(metric, result.signals)
    elif isinstance(metric, JudgedMetric):
        counted = units_again(name, result)
    else:
        counted = verdicts_again(name, result.signals)
    assert (result.numerator, result.denominator) == pytest.approx(counted)


@pytest.mark.parametrize("name", METRICS)
def test_signals_can_be_written_as_json(name: str) -> None:
    assert len(msgspec.json.encode(measured(name).signals)) > len("{}")


@pytest.mark.parametrize(
    "title", [title for title in METRICS if title.startswith(("alce", "trec", "longcite"))]
)
def test_every_unit_says_what_it_is_about_and_why_it_counts_so(title: str) -> None:
    signals = measured(title).signals
    for units in (signals[key] for key in signals if key.endswith("_units") or title[-3:] != "_f1"):
        assert all(unit.claim and unit.reason for unit in units)


def test_each_target_of_a_marker_is_a_unit_of_its_own() -> None:
    item = {"actual_output": "The mill closed in 1999 [1-3]."}
    result = asyncio.run(parse_metric("fabrication_rate").execute(item, {"a.txt": "So."}, judge="rules"))
    assert [(unit.citation, unit.target) for unit in result.signals["units"]] == [
        ("[1-3]", "1"),
        ("[1-3]", "2"),
        ("[1-3]", "3"),
    ]


def test_what_is_left_out_is_among_the_signals_with_its_reason() -> None:
    result = measured("citation_correctness")
    left_out = [unit for unit in result.signals["units"] if unit.worth is None]
    assert [unit.citation for unit in left_out] == ["[1]", "https://example.org/revenue-of-the-company"]
    assert {unit.reason for unit in left_out} == {"the cited source was not given"}
    assert result.reasons == {"the cited source was not given": 2}


# --- counting again ------------------------------------------------------------------------------


def units_again(name: str, result: Result) -> tuple[float, float]:
    signals = result.signals
    if name == "citation_density":
        return sum(map(len, signals["markers"])), len(ANSWER)
    if name.endswith("_f1"):
        parts = [again(signals[f"{part}_units"]) for part in ("precision", "recall")]
        precision, recall = (top / bottom for top, bottom in parts)
        assert (precision, recall) == pytest.approx((signals["precision"], signals["recall"]))
        return 2 * precision * recall / (precision + recall), 1.0
    assert len([unit for unit in signals["units"] if unit.worth is None]) == (
        result.unjudged + result.not_scorable
    )
    return again(signals["units"])


def again(units: list[Any]) -> tuple[float, float]:
    counted = [unit.worth for unit in units if unit.worth is not None]
    return sum(counted), len(counted)


def verdicts_again(name: str, signals: Any) -> tuple[float, float]:
    if name == "citation_relevancy":
        said = [one.relevance_verdict for one in signals.citation_breakdown]
        return said.count(True), said.count(True) + said.count(False)
    return sum(one.status == "valid" for one in signals.verdicts), len(signals.verdicts)


def ranked_again(metric: RetrievalMetric, signals: dict[str, Any]) -> float:
    k = getattr(metric, "k", None) or 10**6
    near = [
        (rank, grade) for rank, grade in zip(signals["ranks"], signals["grades"], strict=True) if rank <= k
    ]
    precisions = [(place + 1) / rank for place, (rank, _) in enumerate(near)]
    best = sum(grade / log2(place + 2) for place, grade in enumerate(signals["relevant_grades"][:k]))
    figures = {
        "hit": float(bool(near)),
        "precision": len(near) / k,
        "recall": len(near) / signals["relevant"],
        "mrr": 1 / near[0][0] if near else 0.0,
        "map": sum(precisions) / signals["relevant"],
        "ndcg": sum(grade / log2(rank + 1) for rank, grade in near) / best,
    }
    return figures[metric.title.lower()]


def spans_again(metric: SpanMetric, scored: Any) -> tuple[float, float]:
    """The signals hold the spans that were compared: scoring them again gives the same."""
    asked = 10 if metric.tolerance is None else metric.tolerance
    texts = {name: text for name, text in SOURCES.items() if isinstance(text, str)}
    scores = score_spans(scored.true, scored.predicted, asked, texts if metric.units == "tokens" else None)
    level = scores.tokens if metric.units == "tokens" else scores.characters
    assert level is not None
    tolerant = metric.tolerance is not None or metric.title == "citation_span_accuracy"
    ratio = getattr(getattr(level.tolerant if tolerant else level.exact, metric.average), metric.measure)
    return ratio.numerator, ratio.denominator
