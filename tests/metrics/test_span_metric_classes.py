from __future__ import annotations

import pytest

from pincite.base import run_sync
from pincite.config import Settings, Thresholds
from pincite.metrics import CitationSpanAccuracy, open_case, parse_metric, score_spans
from pincite.metrics.span_metrics import SpanF1, SpanJaccard, predicted_spans, scored_case
from pincite.records import Citation, DatasetItem, Place, SpanTarget

TEXT = "The company reported ten million in revenue. Costs fell by a fifth. Nobody was hired all year.\n" * 3
FEED = "Page one has this.\fPage two has that."


def span(start, end, document="a.txt", page=None):
    return Place(document, page, start, end)


def item(true, predicted, **more):
    """Predictions as the system gave them: each a citation without a place."""
    citations = tuple(
        Citation("span", "", 0, 0, (SpanTarget(one.document, one.page, one.start, one.end, key=""),))
        for one in predicted
    )
    return DatasetItem(true_spans=true, citations=citations, actual_output="It says so.", **more)


def measure(name, of, sources=None, settings=None):
    return run_sync(parse_metric(name).execute(of, sources, settings=settings))


# --- names and places ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("span_jaccard", "mean_exact_jaccard"),
        ("span_jaccard(tolerance=10)", "mean_tolerance_jaccard"),
        ("span_jaccard(tolerance=5)", "mean_tolerance_jaccard_within_5"),
        ("span_dice", "mean_exact_dice"),
        ("span_f1(average=micro)", "micro_f1"),
        ("span_precision(average=micro)", "micro_precision"),
        ("span_recall(average=micro)", "micro_recall"),
        ("span_f1", "macro_f1"),
        ("span_f1(tolerance=10)", "macro_tolerance_f1"),
        ("span_recall(units=tokens)", "macro_recall_tokens"),
        ("citation_span_accuracy", "mean_tolerance_jaccard"),
        ("citation_span_accuracy(tolerance=3)", "mean_tolerance_jaccard_within_3"),
    ],
)
def test_a_name_prints_parses_and_says_where_its_figure_stands(name, figure):
    metric = parse_metric(name)
    assert str(metric) == name
    assert (metric.place, metric.figure) == ("citation_metrics.span_accuracy", figure)
    assert metric.pooled == ("micro" in name)


# --- what counts -----------------------------------------------------------------------------------


def test_a_query_that_does_not_say_what_to_cite_is_left_out_with_its_predictions():
    result = measure("span_jaccard", item(None, [span(0, 5)]))
    assert (result.score, result.denominator, result.not_scorable) == (None, 0, 1)
    assert result.counts == {}


def test_where_nothing_should_be_cited_a_prediction_counts_against():
    assert measure("span_jaccard", item((), [span(0, 5)])).score == 0.0
    nothing = measure("span_jaccard", item((), []))
    assert nothing.score is None
    assert nothing.reasons == {"nothing should be cited and nothing was": 1}


@pytest.mark.parametrize("answer", ["Nothing cited here.", "", None])
def test_no_prediction_and_no_answer_score_0(answer):
    of = DatasetItem(true_spans=(span(0, 5),), actual_output=answer)
    result = measure("span_jaccard", of)
    assert (result.score, result.denominator) == (0.0, 1)
    # Nothing was cited, so there is nothing to divide by; in the pool it counts nothing either way.
    assert measure("span_precision(average=micro)", of).score is None
    assert measure("span_recall(average=micro)", of).score == 0.0


def test_citations_are_read_from_the_answer_where_none_were_given():
    of = DatasetItem(
        true_spans=(span(0, 44),), actual_output="It made ten million [a.txt:1:0-44] and more [a.txt]."
    )
    result = measure("span_jaccard", of, {"a.txt": TEXT})
    # The second names no characters: a prediction that hits nothing.
    assert result.score == 0.5
    assert result.counts["perfect_matches"] == 1
    assert result.counts["unmatched_predicted"] == 1


def test_citations_that_were_given_count_and_those_in_the_answer_do_not():
    of = DatasetItem(true_spans=(span(0, 44),), actual_output="So [a.txt:1:50-60].", citations=())
    assert measure("span_jaccard", of).counts["unmatched_predicted"] == 0


def test_tolerance_forgives_ends_and_exact_does_not():
    of = item((span(10, 30),), [span(12, 30)])
    assert measure("span_jaccard", of).score == pytest.approx(18 / 20)
    assert measure("span_jaccard(tolerance=2)", of).score == 1.0
    assert measure("span_jaccard(tolerance=1)", of).score == pytest.approx(18 / 20)


def test_tokens_need_a_text():
    of = item((span(0, 11),), [span(4, 11)])
    assert measure("span_recall(units=tokens)", of, {"a.txt": TEXT}).score == 0.5
    without = measure("span_recall(units=tokens)", of)
    assert (without.score, without.reasons) == (None, {"no text to count tokens in": 1})


@pytest.mark.parametrize("marker", ["[a.txt:1:30-10]", "[a.txt]", "[a.txt:1:5-5]"])
def test_a_prediction_without_a_place_counts_against_at_tokens_too(marker):
    empty = DatasetItem(true_spans=(), actual_output=f"It made ten million {marker}.")
    for units in ("characters", "tokens"):
        result = measure(f"span_f1(units={units})", empty, {"a.txt": TEXT})
        assert (result.score, result.numerator, result.denominator, result.reasons) == (0.0, 0.0, 1, {})
        pooled = measure(f"span_f1(units={units}, average=micro)", empty, {"a.txt": TEXT})
        assert (pooled.score, pooled.reasons) == (None, {"what was cited has no place": 1})
        recall = measure(f"span_recall(units={units}, average=micro)", empty, {"a.txt": TEXT})
        assert recall.reasons == {"nothing should be cited": 1}


def test_a_document_may_be_named_by_id_title_or_path():
    documents = [{"document_id": "d1", "title": "The guide", "content": TEXT, "file_path": "docs/guide.txt"}]
    for name in ("d1", "The guide", "guide.txt", "docs/guide.txt"):
        assert measure("span_f1", item((span(0, 9, "d1"),), [span(0, 9, name)]), documents).score == 1.0


def test_offsets_may_count_from_the_page():
    of = item((span(0, 8, page=2),), [span(19, 27)])
    assert measure("span_f1", of, {"a.txt": FEED}).score == 0.0
    assert measure("span_f1", of, {"a.txt": FEED}, Settings(offsets="page")).score == 1.0


def test_the_best_of_several_true_sets_counts():
    of = item(
        (span(0, 10), span(20, 30)), [span(50, 60)], other_true_spans=((span(50, 60),), (span(55, 60),))
    )
    result = measure("span_jaccard", of)
    assert result.score == 1.0
    assert result.signals.true == (span(50, 60),)


def test_citing_nothing_is_right_where_one_of_the_sets_is_empty():
    assert measure("span_jaccard", item((span(0, 10),), [], other_true_spans=((),))).score is None


def test_accuracy_takes_tolerance_and_threshold_from_the_settings():
    of = item((span(0, 100),), [span(0, 88)])
    strict = measure("citation_span_accuracy", of)
    assert (strict.score, strict.threshold, strict.passed) == (pytest.approx(0.88), 0.8, True)
    settings = Settings(tolerance_chars=12, thresholds=Thresholds(span_accuracy=0.95))
    result = measure("citation_span_accuracy", of, settings=settings)
    assert (result.metric, result.score, result.threshold) == ("citation_span_accuracy", 1.0, 0.95)
    assert CitationSpanAccuracy(threshold=0.5).pooled is False


def test_one_case_is_scored_once_for_all_metrics(monkeypatch):
    calls = []
    monkeypatch.setattr(
        "pincite.metrics.span_metrics.score_spans", lambda *given: calls.append(1) or score_spans(*given)
    )
    case = open_case(item((span(0, 10),), [span(0, 10)]))
    for metric in (SpanJaccard(), SpanF1(), SpanF1(average="micro"), SpanJaccard(tolerance=10)):
        metric.score(case, {})
    assert len(calls) == 1


def test_every_target_with_characters_is_a_prediction():
    of = DatasetItem(actual_output="A [a.txt:1:0-4]. B [a.txt:1:0-4]. C [1].", true_spans=())
    case = open_case(of, {"a.txt": TEXT})
    assert predicted_spans(case) == (span(0, 4, page=1), span(0, 4, page=1))
    assert len(scored_case(case, 10).scores.unmatched_predicted) == 2
